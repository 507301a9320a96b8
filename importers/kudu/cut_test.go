package kudu

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A page that was cut off, or is empty, is refused: what is missing would be taken for what is not there.
func TestCutPagesAreRefused(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ page, want string }{
		{"<!DOCTYPE html><html><body>all of it</body>\n</html>\n", ""},
		{"<!DOCTYPE html><html><body><table><tr><td>ta", "cut off"},
		{" \n", "empty"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "tablets.html"), []byte(c.page), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Dir(dir).Page(context.Background(), "tablets", "")
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "tablets.html")) {
			t.Errorf("%q: %v, want %q", c.page, err, c.want)
		}
	}
}
