package folder

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"mmsim/files"
	"mmsim/results"
	"mmsim/results/compare"
	"mmsim/results/oplog"
	"mmsim/results/resultstest"
	"mmsim/results/waits"
)

// sealedFile writes content as mmsim ends a file, so that fuzzing gets past the checksum.
func sealedFile(t testing.TB, path string, kind files.Kind, content []byte) {
	t.Helper()
	err := files.Create(path, kind, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// contentOf gives what a file of a run holds between the lines in which mmsim says that it is whole.
func contentOf(t testing.TB, write func(string, *results.Run) error) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	if err := write(path, resultstest.Run("raw")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.HasPrefix(data, []byte("# ")) {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+1]
}

// FuzzTables: whatever a table holds, it is refused, or the run that it gives is one that can be written and read again.
func FuzzTables(f *testing.F) {
	tables := []struct {
		kind  files.Kind
		write func(string, *results.Run) error
		read  func(string, *results.Run) error
	}{
		{files.Ops, writeOps, func(path string, run *results.Run) error {
			return readOps(path, run, func(o results.Op) { run.Ops = append(run.Ops, o) })
		}},
		{files.Waits, writeWaits, func(path string, run *results.Run) error {
			return readWaits(path, run, func(w results.Wait) { run.Waits = append(run.Waits, w) })
		}},
		{files.Series, writeSeries, func(path string, run *results.Run) error {
			return readSeries(path, run, func(s results.Sample) { run.Samples = append(run.Samples, s) })
		}},
	}
	for i, table := range tables {
		f.Add(byte(i), contentOf(f, table.write))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, i byte, content []byte) {
		table := tables[int(i)%len(tables)]
		path := filepath.Join(dir, "table")
		sealedFile(t, path, table.kind, content)
		read := func() *results.Run {
			run := resultstest.Run("raw")
			run.Ops, run.Waits, run.Samples = nil, nil, nil
			if table.read(path, run) != nil {
				return nil
			}
			if err := check(run); err != nil {
				t.Fatal(err)
			}
			return run
		}
		run := read()
		if run == nil {
			return
		}
		var texts [2]string
		for i := range texts {
			if err := table.write(path, run); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = string(data)
			if run = read(); run == nil {
				t.Fatalf("what was read can't be read again: %q", data)
			}
		}
		if texts[0] != texts[1] {
			t.Fatalf("%q\nis read as\n%q", texts[0], texts[1])
		}
		waits.Starvation(run, 60e9)
		oplog.Of(run)
	})
}

// FuzzLatencies: a log of histograms is refused or holds the operations that result.json counts.
func FuzzLatencies(f *testing.F) {
	f.Add(contentOf(f, writeLatencies))
	run := resultstest.Run("raw")
	var listed []latencyResult
	for i := range run.Latencies {
		listed = append(listed, summarise(&run.Latencies[i]))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(dir, "latency.hlog")
		sealedFile(t, path, files.Latencies, content)
		run := &results.Run{}
		if err := readLatencies(path, run, listed); err != nil {
			return
		}
		for i := range run.Latencies {
			if l := &run.Latencies[i]; l.Hist.TotalCount() != listed[i].Count {
				t.Errorf("%d operations, want %d", l.Hist.TotalCount(), listed[i].Count)
			} else if l.Count > 0 {
				summarise(l)
			}
		}
	})
}

// FuzzResult: a folder with any result.json is refused, or gives runs that can be compared.
func FuzzResult(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "result")
	folder, err := Create(dir)
	if err != nil {
		f.Fatal(err)
	}
	run := resultstest.Run("raw")
	r := &results.Result{Experiment: []byte("name: x\n"), Seed: 7, Scale: 1, Runs: []*results.Run{run}}
	waits.Judge(r, 60e9)
	if err := errors.Join(folder.WriteRun(run), folder.WriteExperiment(r.Experiment), folder.WriteResult(r), folder.WriteRunInfo(ThisProcess()), folder.Commit()); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(dir, results.ResultFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Read(dir)
		if err != nil {
			if r != nil {
				t.Error("there is a result beside the error")
			}
			return
		}
		if err := compare.Latencies(r.Runs, nil).WriteText(io.Discard); err != nil {
			t.Error(err)
		}
		for _, run := range r.Runs {
			waits.Starvation(run, 60e9)
			oplog.Of(run)
		}
	})
}
