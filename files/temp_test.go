package files

import (
	"os"
	"path/filepath"
	"testing"
)

// What dead processes left is removed; what lives and what is of others is not.
func TestSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "with [brackets]")
	for _, name := range []string{tempFolder + "dead/sub", tempFolder[:len(tempFolder)-1], "other"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, tempFile+"dead"), "half")
	put(t, filepath.Join(dir, "other", "file"), "x")
	if err := os.Symlink("other", filepath.Join(dir, tempFolder+"link")); err != nil {
		t.Fatal(err)
	}
	living, err := TempFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, err := newTempFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	second, err := TempFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := newTempFile(dir); err != nil || again.Remove() != nil {
		t.Fatal(err)
	}
	for _, temp := range []*Temp{living, file, second} {
		if _, err := os.Stat(temp.Path); err != nil {
			t.Error(err)
		}
		for range 2 {
			if err := temp.Remove(); err != nil {
				t.Error(err)
			}
		}
	}
	if got, want := names(t, dir), "mmsim-tmp mmsim-tmp-link other"; got != want {
		t.Errorf("there are %s, want %s", got, want)
	}
}
