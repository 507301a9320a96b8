package pages

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoPage: a folder without a page says which files it could be in.
func TestNoPage(t *testing.T) {
	folder := t.TempDir()
	_, err := dir(folder).Page(context.Background(), "tablet", "0")
	if want := folder + ": no such page: neither tablet-0.html nor tablet-0.json is there"; !errors.Is(err, errNoPage) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A page that was cut off, or is empty, is refused: what is missing would be taken for what is not there.
func TestCutPagesAreRefused(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct{ page, want string }{
		{"<!DOCTYPE html><html><body>all of it</body>\n</html>\n", ""},
		{"<!DOCTYPE html><html><body><table><tr><td>ta", "cut off"},
		{" \n", "empty"},
	} {
		if err := os.WriteFile(filepath.Join(folder, "tablets.html"), []byte(c.page), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := dir(folder).Page(context.Background(), "tablets", "")
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "tablets.html")) {
			t.Errorf("%q: %v, want %q", c.page, err, c.want)
		}
	}
}
