package kudu

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const managerHead = "<h3>Running operations</h3><table><tr><th>Name</th><th>Instances running</th></tr>"

// TestManagerPage: the tables of the page are told apart by their headings, with and without the column that came with workload scores.
func TestManagerPage(t *testing.T) {
	const old = "<table><tr><th>Name</th><th>Runnable</th><th>RAM anchored</th><th>Logs retained</th><th>Perf</th></tr>" +
		"<tr><td>CompactRowSetsOp(aa)</td><td>true</td><td>0B</td><td>0B</td><td>0.25</td></tr></table>"
	m, err := readManager([]byte(managerHead + "<tr><td>LogGCOp(bb)</td><td>1</td></tr></table>" + old))
	if err != nil || !slices.Equal(m.running, []string{"LogGCOp(bb)"}) || len(m.compactions) != 1 || m.compactions["aa"] != 0.25 {
		t.Errorf("%+v, error %v", m, err)
	}
	for _, tt := range []struct{ page, want string }{
		{"<table><tr></tr></table>", "it lacks the ops that run, or the scores of the others"},
		{"", "it lacks the ops that run, or the scores of the others"},
		{managerHead + "</table>", "it lacks the ops that run, or the scores of the others"},
		{old, "it lacks the ops that run, or the scores of the others"},
		{managerHead + "</table>" + strings.Replace(old, "Perf", "Improvement", 1), "it lacks the ops that run, or the scores of the others"},
		{managerHead + "</table>" + strings.Replace(old, "0.25", "much", 1), `Perf of CompactRowSetsOp(aa) is "much", not a score`},
		{managerHead + "</table>" + strings.Replace(old, "0.25", "NaN", 1), `Perf of CompactRowSetsOp(aa) is "NaN", not a score`},
	} {
		if _, err := readManager([]byte(tt.page)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}

// TestScoresOfTheManager: scored is a server whose compaction had just been switched on. The policy gives the imported tablets the scores that its
// manager showed, to the six digits of the page; the tablet that is being compacted has none.
func TestScoresOfTheManager(t *testing.T) {
	dir := savedPages(t, "scored")
	got, e := importDir(t, dir, Options{})
	if len(got.Scores) != 6 {
		t.Fatalf("scores %v, want 6", got.Scores)
	}
	for _, s := range got.Scores {
		for i := range e.Initial {
			n := &e.Initial[i]
			if n.Table != s.Table || n.Tablet != s.Tablet {
				continue
			}
			if p, _ := planned(t, e, n); math.Abs(p.Quality-s.Score) > 5e-5 {
				t.Errorf("%s/%d: %v, on the page %v", s.Table, s.Tablet, p.Quality, s.Score)
			}
		}
	}
	if !strings.Contains(strings.Join(got.Warnings, "\n"), "CompactRowSetsOp(f3943b46462c40488e385515eb0951dd) ran when the pages were read") {
		t.Errorf("warnings %q", got.Warnings)
	}
	if !strings.Contains(string(got.YAML), "hash bucket 0; its compaction is worth 7.06129 to the server\n") {
		t.Errorf("no score in\n%s", got.YAML)
	}

	if err := os.WriteFile(filepath.Join(dir, "maintenance-manager.html"), []byte("<h3>Running operations</h3></html>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, _ := importDir(t, dir, Options{}); len(got.Scores) != 0 || !strings.Contains(strings.Join(got.Warnings, "\n"), "maintenance-manager: the page is not in a form that is known") {
		t.Errorf("scores %v, warnings %q", got.Scores, got.Warnings)
	}
	remove(t, dir, "maintenance-manager.html")
	if got, _ := importDir(t, dir, Options{}); !strings.Contains(strings.Join(got.Untold, "\n"), "the page maintenance-manager is not there") {
		t.Errorf("not told: %q", got.Untold)
	}
}
