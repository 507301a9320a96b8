package files

import (
	"bytes"
	"context"
	"errors"
	"image"
	imagepng "image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func write(t *testing.T, path string, kind Kind, force bool, text string) error {
	t.Helper()
	o, err := Plan(path, kind, force)
	if err != nil {
		return err
	}
	return o.WriteBytes(t.Context(), []byte(text))
}

func picture(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := imagepng.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 3))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What mmsim wrote it replaces, until somebody else has written to it.
func TestOnlyOwnFilesAreReplaced(t *testing.T) {
	for _, test := range []struct {
		name string
		kind Kind
		text string
	}{
		{"m.yaml", Machine, "name: m\n"}, {"no-newline.yaml", Experiment, "name: m"}, {"empty.md", Report, ""}, {"ops.tsv", OpLog, "server\top\n1\tx\n"},
		{"f.svg", SVG, "<svg></svg>\n"}, {"f.png", PNG, picture(t)},
	} {
		path := filepath.Join(t.TempDir(), test.name)
		for range 2 {
			if err := write(t, path, test.kind, false, test.text); err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		}
		if got := names(t, filepath.Dir(path)); got != test.name {
			t.Errorf("%s: there are %s", test.name, got)
		}
		written := read(t, path)
		for what, text := range map[string]string{
			"added to": written + "x\n", "cut": written[:len(written)-1], "first byte": "X" + written[1:], "in front": "x" + written, "of others": "mine\n",
		} {
			put(t, path, text)
			if err := write(t, path, test.kind, false, test.text); err == nil || !strings.Contains(err.Error(), "--force") {
				t.Errorf("%s: %s: %v", test.name, what, err)
			}
			if read(t, path) != text {
				t.Errorf("%s: %s: it has changed", test.name, what)
			}
		}
		if err := write(t, path, test.kind, true, test.text); err != nil || read(t, path) != written {
			t.Errorf("%s: by force: %v", test.name, err)
		}
	}
}

// A file of another kind is not what is to be replaced, though mmsim wrote it.
func TestKindsAreTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := write(t, path, Experiment, false, "name: x\n"); err != nil {
		t.Fatal(err)
	}
	if err := write(t, path, Machine, false, "name: x\n"); err == nil || !strings.Contains(err.Error(), "no machine as mmsim wrote it") {
		t.Error(err)
	}
	if got, want := read(t, path), "name: x\n# mmsim wrote this file (experiment): 8 bytes above, crc32c "; !strings.HasPrefix(got, want) {
		t.Error(got)
	}
}

func TestPicturesStayPictures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.png")
	if err := write(t, path, PNG, false, picture(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := imagepng.Decode(strings.NewReader(read(t, path))); err != nil {
		t.Error(err)
	}
	if err := write(t, path, PNG, false, "no picture"); err == nil {
		t.Error("what is no picture is written as one")
	}
}

// No name hides that an output is an input.
func TestInputsAreKept(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(in("pages"), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, in("pages/varz.html"), "page")
	put(t, in("plain"), "plain")
	if err := write(t, in("ours"), Machine, false, "name: ours\n"); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "plain", "link-ours": "ours", "link-page": "pages/varz.html", "folder": "pages"} {
		if err := os.Symlink(to, in(link)); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"hard": "plain", "hard-ours": "ours", "hard-page": "pages/varz.html"} {
		if err := os.Link(in(to), in(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, out := range []string{"plain", "link", "hard", "ours", "link-ours", "hard-ours", "pages/varz.html", "link-page", "hard-page", "folder/varz.html", "pages/../plain"} {
		for _, force := range []bool{false, true} {
			if _, err := Plan(in(out), Machine, force, in("missing"), in("plain"), in("ours"), in("folder/")); err == nil || !strings.Contains(err.Error(), "same file as the input") {
				t.Errorf("%s: %v", out, err)
			}
		}
	}
	for _, out := range []string{"new", "pages/new.yaml"} { // the second time too
		for range 2 {
			o, err := Plan(in(out), Machine, false, in("plain"), in("pages"))
			if err == nil {
				err = o.WriteBytes(t.Context(), []byte("name: new\n"))
			}
			if err != nil {
				t.Errorf("%s: %v", out, err)
			}
		}
	}
}

// Whatever goes wrong, the older file stays and nothing else does.
func TestFailedWritesLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.yaml")
	if err := write(t, path, Machine, false, "older: 1\n"); err != nil {
		t.Fatal(err)
	}
	older := read(t, path)
	half := strings.Repeat("newer: 2\n", 100_000)
	ctx, cancel := context.WithCancel(t.Context())
	for what, fill := range map[string]func(io.Writer) error{
		"failure": func(w io.Writer) error { io.WriteString(w, half); return io.ErrUnexpectedEOF },
		"signal": func(w io.Writer) error {
			io.WriteString(w, half)
			cancel()
			_, err := io.WriteString(w, half)
			return err
		},
	} {
		o, err := Plan(path, Machine, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Write(ctx, fill); !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
		if read(t, path) != older || names(t, dir) != "x.yaml" {
			t.Errorf("%s: there are %s", what, names(t, dir))
		}
	}
	o, err := Plan(path, Machine, false)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, "mine\n") // while mmsim works
	if err := o.WriteBytes(t.Context(), []byte("newer: 3\n")); err == nil || read(t, path) != "mine\n" || names(t, dir) != "x.yaml" {
		t.Errorf("what came meanwhile: %v, there are %s", err, names(t, dir))
	}
}

func TestPlanRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "file"), "x")
	for path, want := range map[string]string{
		"": "empty", dir: "is a folder", filepath.Join(dir, "no", "x"): "there is no folder", filepath.Join(dir, "dangling"): "a link to what is not there",
		filepath.Join(dir, "file", "x"): "not a directory",
	} {
		if _, err := Plan(path, Machine, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if os.Getuid() != 0 {
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		if _, err := Plan(filepath.Join(dir, "x"), Machine, false); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Error(err)
		}
	}
}

// A link stays a link, a file keeps its rights, and what is no file is written as it is.
func TestWhereItIsWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "real")
	if err := write(t, path, Machine, false, "a: 1\n"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(path, 0o640), os.Symlink("real", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	if err := write(t, filepath.Join(dir, "link"), Machine, false, "a: 2\n"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 || !strings.HasPrefix(read(t, path), "a: 2\n") || names(t, dir) != "link real" {
		t.Error(info, err, names(t, dir))
	}
	if err := write(t, os.DevNull, Machine, false, "a: 3\n"); err != nil {
		t.Error(err)
	}
}
