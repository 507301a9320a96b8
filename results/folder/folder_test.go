package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/results"
	"mmsim/results/resultstest"
	"mmsim/results/waits"

	"github.com/google/go-cmp/cmp"
)

// fill writes a whole result.
func fill(t *testing.T, f *Folder, runs ...*results.Run) *results.Result {
	t.Helper()
	r := &results.Result{Experiment: []byte("name: x\n"), Seed: 1<<63 + 1, Scale: 0.01, Runs: runs}
	waits.Judge(r, 60e9)
	for _, run := range runs {
		if err := f.WriteRun(run); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(f.WriteExperiment(r.Experiment), f.WriteResult(r), f.WriteRunInfo(ThisProcess())); err != nil {
		t.Fatal(err)
	}
	return r
}

func newFolder(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Abort)
	return f
}

func commit(t *testing.T, dir string, runs ...*results.Run) *results.Result {
	t.Helper()
	f := newFolder(t, dir)
	r := fill(t, f, runs...)
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	return r
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "result")
	want := commit(t, dir, resultstest.Run("raw"), resultstest.Run("workload-scaled-1"))
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, resultstest.EqualHistograms); diff != "" {
		t.Error(diff)
	}
	if got := names(t, dir); got != "experiment.yaml raw result.json run.json workload-scaled-1" {
		t.Error(got)
	}
	if got := names(t, filepath.Dir(dir)); got != "result" {
		t.Errorf("left beside the result: %s", got)
	}
}

// Two equal runs leave equal bytes.
func TestFolderIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	commit(t, filepath.Join(dir, "1"), resultstest.Run("raw"))
	commit(t, filepath.Join(dir, "2"), resultstest.Run("raw"))
	for _, name := range []string{"experiment.yaml", "result.json", "raw/latency.hlog", "raw/ops.tsv", "raw/series.tsv", "raw/servers.tsv", "raw/stuck.tsv", "raw/waits.tsv"} {
		a, err := os.ReadFile(filepath.Join(dir, "1", name))
		b, err2 := os.ReadFile(filepath.Join(dir, "2", name))
		if err != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s differs or can't be read: %v %v", name, err, err2)
		}
	}
}

func TestCommitReplacesAnOlderResult(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	commit(t, dir, resultstest.Run("old"))
	f := newFolder(t, dir)
	fill(t, f, resultstest.Run("new"))
	if got, err := Read(dir); err != nil || got.Runs[0].Line != "old" {
		t.Fatalf("before Commit: %v, %v", got, err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(dir); err != nil || len(got.Runs) != 1 || got.Runs[0].Line != "new" {
		t.Fatalf("after Commit: %v, %v", got, err)
	}
	if got := names(t, filepath.Dir(dir)); got != "result" {
		t.Errorf("left beside the result: %s", got)
	}
}

// A link to a result folder stays a link; the folder it points at is replaced.
func TestCommitThroughALink(t *testing.T) {
	base := t.TempDir()
	commit(t, filepath.Join(base, "real"), resultstest.Run("old"))
	if err := os.Symlink("real", filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	commit(t, filepath.Join(base, "link"), resultstest.Run("new"))
	if got, err := Read(filepath.Join(base, "real")); err != nil || got.Runs[0].Line != "new" {
		t.Fatal(got, err)
	}
	if got := names(t, base); got != "link real" {
		t.Error(got)
	}
}

func TestAbortLeavesAMarkedFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	commit(t, dir, resultstest.Run("old"))
	f := newFolder(t, dir)
	fill(t, f, resultstest.Run("new"))
	f.Abort()
	if _, err := os.Stat(dir + ".incomplete/INCOMPLETE"); err != nil {
		t.Error(err)
	}
	var incomplete *IncompleteError
	if _, err := Read(dir + ".incomplete"); !errors.As(err, &incomplete) {
		t.Error(err)
	}
	if got, err := Read(dir); err != nil || got.Runs[0].Line != "old" {
		t.Error(got, err)
	}
	if err := f.Commit(); err == nil {
		t.Error("an aborted folder can be committed")
	}
	commit(t, dir, resultstest.Run("newer")) // removes what was left
	if got := names(t, filepath.Dir(dir)); got != "result" {
		t.Error(got)
	}
}

func TestReadNamesTheInterruptedRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	newFolder(t, dir).Abort()
	var incomplete *IncompleteError
	if _, err := Read(dir); !errors.As(err, &incomplete) || incomplete.Dir != dir+".incomplete" {
		t.Error(err)
	}
}

func TestCreateRefuses(t *testing.T) {
	base := t.TempDir()
	path := func(rel string) string { return filepath.Join(base, rel) }
	write := func(rel, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path(rel)), 0o777), os.WriteFile(path(rel), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("file", "x")
	write("foreign/thesis.tex", "x")
	write("other/result.json", `{"program": "another"}`)
	write("broken/result.json", `{`)
	write("beside.incomplete/thesis.tex", "x")
	write("aside.replaced/thesis.tex", "x")
	for dir, holds := range map[string]string{
		"file": "", "foreign": "thesis.tex", "other": "result.json", "broken": "result.json", "beside": "thesis.tex", "aside": "thesis.tex",
	} {
		before := names(t, base)
		_, err := Create(path(dir))
		var refused *NotResultError
		if !errors.As(err, &refused) || refused.Holds != holds {
			t.Errorf("%s: %v", dir, err)
		}
		if after := names(t, base); after != before {
			t.Errorf("%s: wrote something: %s", dir, after)
		}
	}
	if _, err := Create(""); err == nil {
		t.Error("an empty name is accepted")
	}
	if err := os.Mkdir(path("empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	commit(t, path("empty"), resultstest.Run("raw"))
}

func TestOneWriterAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	first := newFolder(t, dir)
	var busy *BusyError
	if _, err := Create(dir); !errors.As(err, &busy) {
		t.Error(err)
	}
	fill(t, first, resultstest.Run("raw"))
	if err := first.Commit(); err != nil {
		t.Error(err)
	}
}

// Every state in which a crash can leave a Commit: the older result or the new one is there, or comes back.
func TestCrashDuringCommit(t *testing.T) {
	steps := []func(dir string) error{
		func(dir string) error { return os.Remove(dir + ".incomplete/INCOMPLETE") },
		func(dir string) error { return os.Rename(dir, dir+".replaced") },
		func(dir string) error { return os.Rename(dir+".incomplete", dir) },
	}
	for n := range len(steps) + 1 {
		dir := filepath.Join(t.TempDir(), "result")
		commit(t, dir, resultstest.Run("old"))
		f := newFolder(t, dir)
		fill(t, f, resultstest.Run("new"))
		f.Abort()
		for _, step := range steps[:n] {
			if err := step(dir); err != nil {
				t.Fatal(err)
			}
		}
		next := newFolder(t, dir)
		want := "old"
		if n == len(steps) {
			want = "new"
		}
		if got, err := Read(dir); err != nil || got.Runs[0].Line != want {
			t.Errorf("after %d steps: %v", n, err)
		}
		fill(t, next, resultstest.Run("newest"))
		if err := next.Commit(); err != nil {
			t.Errorf("after %d steps: %v", n, err)
		}
		if got := names(t, filepath.Dir(dir)); got != "result" {
			t.Errorf("after %d steps: %s", n, got)
		}
	}
}

func TestCommitNeedsAllParts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	f := newFolder(t, dir)
	if err := errors.Join(f.WriteRun(resultstest.Run("raw")), f.WriteExperiment(nil)); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("there is a result")
	}
}

func TestWriteRunRefuses(t *testing.T) {
	f := newFolder(t, filepath.Join(t.TempDir(), "result"))
	for name, spoil := range map[string]func(*results.Run){
		"line of a file":    func(r *results.Run) { r.Line = "result.json" },
		"line upwards":      func(r *results.Run) { r.Line = ".." },
		"line with a slash": func(r *results.Run) { r.Line = "a/b" },
		"empty line":        func(r *results.Run) { r.Line = "" },
		"table with a tab":  func(r *results.Run) { r.Tables[0].Name = "a\tb" },
		"phase with comma":  func(r *results.Run) { r.Phases[0].Name = "a,b" },
		"op out of range":   func(r *results.Run) { r.Ops[0].Table = 2 },
		"wait out of range": func(r *results.Run) { r.Waits[0].Server = 6 },
		"sample of nothing": func(r *results.Run) { r.Samples[0].Table = -1 },
		"unknown phase":     func(r *results.Run) { r.Latencies[0].Phase = "z" },
		"lost latencies":    func(r *results.Run) { r.Latencies[0].Count++ },
	} {
		run := resultstest.Run(strings.ReplaceAll(name, " ", "-"))
		spoil(run)
		if err := f.WriteRun(run); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	replace := func(rel, from, to string) func(string) error {
		return func(dir string) error {
			data, err := os.ReadFile(filepath.Join(dir, rel))
			if err != nil || !strings.Contains(string(data), from) {
				return errors.Join(err, errors.New("nothing to replace"))
			}
			return os.WriteFile(filepath.Join(dir, rel), []byte(strings.Replace(string(data), from, to, 1)), 0o666)
		}
	}
	for _, test := range []struct {
		spoil func(dir string) error
		want  string
	}{
		{replace("result.json", `"schema": 2`, `"schema": 1`), "has schema 1, this mmsim reads schema 2: draw it with the mmsim that wrote it"},
		{replace("result.json", `"mmsim"`, `"x"`), `is not of mmsim but of "x"`},
		{replace("result.json", `"count": 3`, `"count": 4`), "latency.hlog: want a histogram of the 4 operations of a/table-A/INSERT next"},
		{replace("raw/ops.tsv", "server\t", "host\t"), "ops.tsv:2: want the header"},
		{replace("raw/ops.tsv", "FlushMRSOp(table-A/3)", "FlushMRSOp(table-C/3)"), `ops.tsv:3: column 2: no table is called "table-C"`},
		{replace("raw/waits.tsv", "\tserved", ""), "waits.tsv:3: 5 columns, want 6"},
		{replace("raw/waits.tsv", "0.000000001", "0.0000000001"), `waits.tsv:3: column 3: "0.0000000001" has more than nine decimals`},
		{replace("raw/series.tsv", "812.25", "fast"), "series.tsv:3: column 4:"},
		{replace("raw/servers.tsv", "\t5\t", "\tfive\t"), "servers.tsv:4: column 2:"},
		{replace("raw/stuck.tsv", "CompactRowSetsOp(table-A/7)", "table-A/7"), "stuck.tsv:3: column 2:"},
		{replace("raw/series.tsv", "812.25", "812.5"), "series.tsv: changed since mmsim wrote it"},
		{replace("raw/latency.hlog", "HIST", "HIsT"), "latency.hlog: changed since mmsim wrote it"},
		{replace("experiment.yaml", "# mmsim wrote this file", ""), "experiment.yaml: cut off"},
		{replace("result.json", "\"lines\": [", ""), `result.json:7: "{" cannot stand there`},
		{func(dir string) error { return os.Remove(filepath.Join(dir, "experiment.yaml")) }, "experiment.yaml: no such file"},
		{func(dir string) error { return os.RemoveAll(dir) }, "no such file"},
	} {
		dir := filepath.Join(t.TempDir(), "result")
		commit(t, dir, resultstest.Run("raw"))
		err := test.spoil(dir)
		if err == nil {
			_, err = Read(dir)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}
