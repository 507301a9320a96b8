package sim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	kudu "mmsim/rules"
)

// Every rule that can be switched has a scenario, and every scenario its row in the documentation.
func TestHistoryIsComplete(t *testing.T) {
	doc, err := os.ReadFile("../docs/history.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, path := range scenarios(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		if name := filepath.Base(path); !strings.Contains(string(doc), "`"+name+"`") {
			t.Errorf("docs/history.md has no row for %s", name)
		}
	}
	for _, d := range kudu.Differences {
		if !strings.Contains(all.String(), d.Name+": ") {
			t.Errorf("no scenario switches %s (%s)", d.Name, d.Issue)
		}
	}
}
