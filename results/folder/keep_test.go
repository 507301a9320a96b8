package folder

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/files"
	"mmsim/results"
	"mmsim/results/resultstest"
)

// users puts files of users into a result: new ones anywhere, and one of mmsim's that they changed.
func users(t *testing.T, dir string) map[string]string {
	t.Helper()
	mine := map[string]string{"notes.txt": "n", "raw/why.md": "w", "plots/mine.svg": "<svg/>", "raw/ops.tsv.orig": "o", "thesis/chapter/one.tex": "t"}
	for rel, text := range mine {
		path := filepath.Join(dir, rel)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	changed, err := os.ReadFile(filepath.Join(dir, ExperimentFile))
	if err != nil {
		t.Fatal(err)
	}
	changed = append([]byte("# mine\n"), changed...)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, ExperimentFile), changed, 0o666),
		os.Mkdir(filepath.Join(dir, "empty"), 0o777), os.Symlink("notes.txt", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	mine[ExperimentFile+".~1~"], mine["link"] = string(changed), "n"
	return mine
}

func checkUsers(t *testing.T, dir string, mine map[string]string) {
	t.Helper()
	for rel, want := range mine {
		if got, err := os.ReadFile(filepath.Join(dir, rel)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", rel, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "empty")); err != nil {
		t.Error(err)
	}
}

// What users put into a result is in the ones that take its place, and what mmsim put there is not.
func TestCommitKeepsWhatUsersAdded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	commit(t, dir, resultstest.Run("raw"), resultstest.Run("gone"))
	mine := users(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "raw", PolicyLogFile), []byte("printed by the older run\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	figure, err := files.Plan(filepath.Join(dir, PlotsFolder, "waiting.svg"), files.RunSVG, false)
	if err == nil {
		err = figure.WriteBytes(t.Context(), []byte("<svg/>"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		f := newFolder(t, dir)
		fill(t, f, resultstest.Run("raw"))
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
		checkUsers(t, dir, mine)
		if kept := f.Kept(); len(kept) != len(mine) || !slices.Contains(kept, ExperimentFile+".~1~") {
			t.Errorf("kept %v", kept)
		}
		if got, want := names(t, dir), "empty experiment.yaml experiment.yaml.~1~ link notes.txt plots raw result.json run.json thesis"; got != want {
			t.Errorf("there are %s, want %s", got, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "raw", PolicyLogFile)); err == nil {
			t.Error("the older policy's log is left")
		}
		if got := names(t, filepath.Join(dir, PlotsFolder)); got != "mine.svg" {
			t.Errorf("the older figures are left: %s", got)
		}
		if _, err := Read(dir); err != nil {
			t.Error(err)
		}
	}
}

// Users' files survive every state in which a crash can leave a Commit.
func TestCrashKeepsWhatUsersAdded(t *testing.T) {
	steps := []func(f *Folder) error{
		func(f *Folder) error { return f.keepFrom(f.dir, f.incomplete()) },
		func(f *Folder) error { return os.Remove(f.Path(markFile)) },
		func(f *Folder) error { return os.Rename(f.dir, f.replaced()) },
		func(f *Folder) error { return os.Rename(f.incomplete(), f.dir) },
		func(f *Folder) error {
			for _, name := range []string{"raw", ExperimentFile, RunInfoFile, "notes.txt"} {
				if err := os.RemoveAll(filepath.Join(f.replaced(), name)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	for n := range len(steps) + 1 {
		dir := filepath.Join(t.TempDir(), "result")
		commit(t, dir, resultstest.Run("raw"))
		mine := users(t, dir)
		f := newFolder(t, dir)
		fill(t, f, resultstest.Run("raw"))
		f.Abort()
		for _, step := range steps[:n] {
			if err := step(f); err != nil {
				t.Fatal(err)
			}
		}
		commit(t, dir, resultstest.Run("raw"))
		checkUsers(t, dir, mine)
		if got := names(t, filepath.Dir(dir)); got != "result" {
			t.Errorf("after %d steps: %s", n, got)
		}
	}
}

// A result of the first schema has no checksums; what mmsim wrote of it is known by its name.
func TestCommitReplacesTheFirstSchema(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	commit(t, dir, resultstest.Run("raw"))
	for _, rel := range []string{ExperimentFile, "raw/ops.tsv", "plots/waiting.svg", "plots/notes.txt", "raw/notes.txt", results.ResultFile} {
		text := "of old\n"
		if rel == results.ResultFile {
			text = `{"program": "mmsim", "schema": 1, "lines": [{"line": "raw"}]}`
		}
		path := filepath.Join(dir, rel)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	f := newFolder(t, dir)
	fill(t, f, resultstest.Run("raw"))
	if err := f.Commit(); err != nil || strings.Join(f.Kept(), " ") != "plots/notes.txt raw/notes.txt" {
		t.Error(f.Kept(), err)
	}
}
