package pages

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

const smallTablet = "0123456789abcdef0123456789abcdef"

// smallServer gives the pages of a small server, under the names of their files.
func smallServer(t testing.TB) map[string][]byte {
	t.Helper()
	all, err := txtar.ParseFile("../testdata/small.txtar")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string][]byte{}
	for _, f := range all.Files {
		pages[f.Name] = f.Data
	}
	return pages
}
