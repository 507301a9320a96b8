package pages

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is a file of an archive.
type entry struct{ name, text string }

// packed gives an archive of files.
func packed(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	out := tar.NewWriter(&b)
	for _, e := range entries {
		head := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.text)), Typeflag: tar.TypeReg}
		if target, ok := strings.CutPrefix(e.text, "-> "); ok {
			head.Typeflag, head.Linkname, head.Size = tar.TypeSymlink, target, 0
		}
		if err := out.WriteHeader(head); err != nil {
			t.Fatal(err)
		}
		if head.Size > 0 {
			out.Write([]byte(e.text))
		}
	}
	out.Close()
	return zipped(b.Bytes())
}

func zipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// TestArchiveIsAsItsFolder: an archive of saved pages gives the same pages as the folder.
func TestArchiveIsAsItsFolder(t *testing.T) {
	dir := t.TempDir()
	var entries []entry
	for name, page := range smallServer(t) {
		if err := os.WriteFile(filepath.Join(dir, name), page, 0o666); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry{"./ts1/" + name, string(page)})
	}
	file := filepath.Join(t.TempDir(), "ts1.tar.gz")
	if err := os.WriteFile(file, packed(t, entries...), 0o666); err != nil {
		t.Fatal(err)
	}
	archived, err := Saved(file)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := Saved(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, page := range []struct{ path, id string }{{"metrics", ""}, {"tablets", ""}, {"varz", ""}, {"maintenance-manager", ""}, {"mem-trackers", ""},
		{"table", "f00"}, {"tablet", smallTablet}, {"tablet-rowsetlayout-svg", smallTablet}} {
		got, err := archived.Page(ctx, page.path, page.id)
		want, err2 := saved.Page(ctx, page.path, page.id)
		if err != nil || err2 != nil || len(want) == 0 || !bytes.Equal(got, want) {
			t.Errorf("%s: %d and %d bytes, errors %v and %v", page.path, len(got), len(want), err, err2)
		}
	}
	if _, err := archived.Page(ctx, "tablet", "none"); err == nil || err.Error() != file+": no such page: neither tablet-none.html nor tablet-none.json is there" {
		t.Errorf("error %v", err)
	}
}

func TestArchiveRefuses(t *testing.T) {
	metrics := entry{"a/metrics.json", "[]"}
	good := packed(t, metrics, entry{"a/tablets.html", "<p>" + strings.Repeat("x", 5000)})
	spoilt := bytes.Clone(good)
	spoilt[len(spoilt)-8] ^= 1
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"cut", good[:len(good)-9], "x.tar.gz: it ends early: is it cut off?"},
		{"spoilt", spoilt, "x.tar.gz: its gzipped data is damaged"},
		{"empty", nil, "x.tar.gz: no metrics.json in it, as a server's saved pages have"},
		{"other pages", packed(t, entry{"tablets.html", "x"}), "x.tar.gz: no metrics.json in it, as a server's saved pages have"},
		{"two servers", packed(t, metrics, entry{"b/metrics.json", "[]"}), "x.tar.gz: it holds the pages of more than one server: unpack it and give each folder"},
		{"a link", packed(t, entry{"metrics.json", "-> /etc/passwd"}), "x.tar.gz: no metrics.json in it, as a server's saved pages have"},
		{"text", []byte(strings.Repeat("no archive ", 100)), "x.tar.gz: neither a folder of saved pages nor a .tar.gz of one"},
		{"gzipped text", zipped([]byte(strings.Repeat("no archive ", 100))), "x.tar.gz: neither a folder of saved pages nor a .tar.gz of one"},
	} {
		if _, err := readArchive("x.tar.gz", bytes.NewReader(tt.data)); err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
	}
	// A path that leads out of the archive leads nowhere: names are all that counts.
	a, err := readArchive("x", bytes.NewReader(packed(t, entry{"../../metrics.json", "[]"}, entry{"../../varz.html", "<p></html>"})))
	if err != nil {
		t.Fatal(err)
	}
	if page, err := a.Page(context.Background(), "varz", ""); err != nil || string(page) != "<p></html>" {
		t.Errorf("%q, error %v", page, err)
	}
	if _, err := Saved(filepath.Join(t.TempDir(), "none")); err == nil || !strings.HasSuffix(err.Error(), "none: no such file or directory") {
		t.Errorf("error %v", err)
	}
}
