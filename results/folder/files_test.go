package folder

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/results"
	"mmsim/results/oplog"
	"mmsim/results/resultstest"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestOpTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ops.tsv")
	if err := writeOps(path, resultstest.Run("raw")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "# mmsim table: ops of a run, whole only with its last line\n" + oplog.Header + "\n" +
		"5\tFlushMRSOp(table-A/3)\tyes\t0.000000001\t0.25\t0.249999999\t1.000000007\tmemory-pressure\t" +
		"under memory pressure (60.12% used), 943718400 bytes log retention, and flush 209715200 bytes memory\t1.5\t0\t" +
		"0\t0\t209715200\t943718400\t0\t60.125\t12\tCompactRowSetsOp(table-B/17)\t13.1\tLogGCOp(table-A/0)\t3.000000001\t" +
		"0\t7\t0\t136314880\t2.25\t3.25\n" +
		"0\tCompactRowSetsOp(table-B/63)\tno\t5\t100\t95\t\tperf-score\tperf score=1.100000\t0.1\t1.1\t" +
		"0.6666666666666666\t100000\t0\t0\t0\t0\t1\t\t0\t\t0\t4\t0\t134217728\t0\t4\t4\n" +
		"# mmsim wrote this file (ops of a run): 801 bytes above, crc32c 416e8d10\n"
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
}

// The histogram log is read by the library's own reader, and its times are those of the phases.
func TestHistogramLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "latency.hlog")
	run := resultstest.Run("raw")
	if err := writeLatencies(path, run); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := hdrhistogram.NewHistogramLogReader(file)
	for i, tag := range []string{"a/table-A/INSERT", "b/table-B/SCAN", "b/table-B/READ"} {
		hist, err := reader.NextIntervalHistogram()
		if err != nil || hist == nil {
			t.Fatal(hist, err)
		}
		phase := phaseOf(run, run.Latencies[i].Phase)
		if hist.Tag() != tag || !hist.Equals(resultstest.Dense(run.Latencies[i].Hist)) || hist.StartTimeMs() != phase.Start/1e6 {
			t.Errorf("%s: tag %s, start %d", tag, hist.Tag(), hist.StartTimeMs())
		}
	}
	if hist, err := reader.NextIntervalHistogram(); hist != nil || err != nil {
		t.Error("more than was written", err)
	}
	if run.Latencies[0].Hist.Tag() != "" {
		t.Error("writing changed the run")
	}
}

func TestResultJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	commit(t, dir, resultstest.Run("raw"))
	got, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/result.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkWriteOps(b *testing.B) {
	run := resultstest.Big(200_000)
	path := filepath.Join(b.TempDir(), "ops.tsv")
	for b.Loop() {
		if err := writeOps(path, run); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadOps(b *testing.B) {
	run := resultstest.Big(200_000)
	path := filepath.Join(b.TempDir(), "ops.tsv")
	if err := writeOps(path, run); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		run.Ops = run.Ops[:0]
		if err := readOps(path, run, func(results.Op) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// A line is written without allocating.
func TestRowAllocations(t *testing.T) {
	run := resultstest.Run("raw")
	out := bufio.NewWriter(io.Discard)
	r := row(make([]byte, 0, 1024))
	if n := testing.AllocsPerRun(100, func() {
		r.op(run, &run.Ops[0])
		r.end(out)
	}); n != 0 {
		t.Errorf("%v allocations a line", n)
	}
}

// Any wait and op comes back from its table as it was.
func TestTablesRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		run := resultstest.Draw(t)
		back := &results.Run{Tables: run.Tables, Servers: run.Servers, End: run.End}
		ops, waits := filepath.Join(dir, "ops"), filepath.Join(dir, "waits")
		keepOp, keepWait := func(o results.Op) { back.Ops = append(back.Ops, o) }, func(w results.Wait) { back.Waits = append(back.Waits, w) }
		for _, err := range []error{writeOps(ops, run), writeWaits(waits, run), readOps(ops, back, keepOp), readWaits(waits, back, keepWait)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]any{run.Ops, run.Waits}, []any{back.Ops, back.Waits}); diff != "" {
			t.Fatal(strings.TrimSpace(diff))
		}
	})
}
