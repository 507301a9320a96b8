package pages

import (
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
