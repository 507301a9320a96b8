package kudu

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"mmsim/configs"
	"mmsim/importers/kudu/layout"
	"mmsim/importers/kudu/pages"
)

// savedPages unpacks a set of pages: plain and redacted are of a server that YCSB loaded, with 20 tablets and 280 rowsets;
// loadgen is of one that Kudu's own load generator filled, with keys of 8 bytes.
func savedPages(t *testing.T, set string) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "pages", set+".txtar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range txtar.Parse(data).Files {
		if err := os.WriteFile(filepath.Join(dir, file.Name), file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// saved is the source of saved pages.
func saved(t testing.TB, dir string) pages.Source {
	t.Helper()
	source, err := pages.Saved(dir)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// importDir imports one folder.
func importDir(t *testing.T, dir string, o Options) (*Imported, *configs.Experiment) {
	t.Helper()
	source := saved(t, dir)
	o.Name, o.Master = "imported", source
	got, err := Import(context.Background(), []pages.Source{source}, o)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := configs.Parse("imported.yaml", got.YAML)
	if err != nil {
		t.Fatal(err)
	}
	return got, doc.Experiment
}

// readLayouts reads the layout pages of a folder by tablet.
func readLayouts(t *testing.T, dir string) map[string]*layout.Page {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "tablet-rowsetlayout-svg-*.html"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	all := map[string]*layout.Page{}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		id := name[len(name)-32:]
		if all[id], err = layout.ReadPage(page, id, nil); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}

// tabletsByID finds the tablet of each entry of initial: by the id in its comment.
func tabletsByID(t *testing.T, text []byte, e *configs.Experiment) map[string]*configs.Initial {
	t.Helper()
	all, at := map[string]*configs.Initial{}, 0
	for _, line := range strings.Split(string(text), "\n") {
		if _, comment, ok := strings.Cut(line, "  # "); ok && strings.HasPrefix(line, "    tablet: ") {
			all[comment[:32]] = &e.Initial[at]
			at++
		}
	}
	if at != len(e.Initial) {
		t.Fatalf("%d tablets have an id, of %d", at, len(e.Initial))
	}
	return all
}

// edit changes a page of a folder.
func edit(t *testing.T, dir, page, old, new string) {
	t.Helper()
	path := filepath.Join(dir, page)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s does not hold %q", page, old)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(data), old, new)), 0o666); err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, dir, page, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, page), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, page string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, page)); err != nil {
		t.Fatal(err)
	}
}
