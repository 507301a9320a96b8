package kudu

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/importers/kudu/layout"
	"mmsim/sim/tablet"
	"mmsim/workloads"
)

// planned is the compaction policy's answer to an imported tablet.
func planned(t *testing.T, e *configs.Experiment, n *configs.Initial) (tablet.Selection, []layout.Bar) {
	t.Helper()
	order := workloads.Uniform
	i := slices.IndexFunc(e.Tables, func(t configs.Table) bool { return t.Name == n.Table })
	if e.Tables[i].Keys == "ycsb" {
		order = workloads.Hashed
	}
	keys := workloads.NewKeys(order)
	spans, rowsets := make([]tablet.Span, len(n.Rowsets)), make([]tablet.Sized, len(n.Rowsets))
	for i, r := range n.Rowsets {
		smallest, largest := "", ""
		if len(r.Keys) > 0 {
			smallest, largest = r.Keys[0], r.Keys[1]
		} else {
			smallest, largest = keys.At(r.Span[0]), keys.At(r.Span[1])
		}
		var err error
		if spans[i], err = tablet.NewSpan(smallest, largest); err != nil {
			t.Fatal(err)
		}
		full := int64(r.Size) + int64(float64(r.Rows)*e.Machine.Store.FullRow)
		rowsets[i] = tablet.Sized{Span: &spans[i], Weight: int64(r.Size), Full: full}
	}
	m := &e.Maintenance
	policy := tablet.PolicyConfig{Budget: int64(m.CompactionBudget), TargetSize: int64(m.TargetRowsetSize), WeightUnit: int64(m.WeightUnit),
		MinimumImprovement: m.MinimumImprovement, SmallRowsetTradeoff: m.SmallRowsetTradeoff, ApproximationRatio: m.ApproximationRatio,
		SupportAdjust: 1.003}
	var p tablet.Planner
	var s tablet.Selection
	if err := p.Select(&policy, rowsets, &s); err != nil {
		t.Fatal(err)
	}
	bars := make([]layout.Bar, len(rowsets))
	for i := range bars {
		bars[i].From, bars[i].To = p.Places(i)
		bars[i].Picked = slices.Contains(s.Picked, int32(i))
	}
	return s, bars
}

// TestPolicyAnswersAsKudu is the proof that an import loses nothing that counts: asked about the imported state, the compaction policy
// gives the value and picks the rowsets that Kudu's own page prints, for each tablet, with keys, with places only, and where
// keys are redacted.
func TestPolicyAnswersAsKudu(t *testing.T) {
	for _, set := range []struct {
		pages string
		keep  bool
		value float64 // largest difference; Kudu prints six digits, up to 5e-5 of these values
		axis  float64
	}{
		{"plain", false, 7e-5, 1e-11},
		{"plain", true, 7e-5, 1e-11},
		{"redacted", false, 1e-5, 1e-11},
		{"loadgen", false, 1e-4, 1e-9}, // rows there take less for bloom filter and index than the machine counts
	} {
		dir := savedPages(t, set.pages)
		got, e := importDir(t, dir, Options{KeepKeys: set.keep})
		tablets, compared := tabletsByID(t, got.YAML, e), 0
		worst, off := 0.0, 0.0
		layouts := readLayouts(t, dir)
		for _, id := range slices.Sorted(maps.Keys(layouts)) {
			l, n := layouts[id], tablets[id]
			slices.SortStableFunc(l.Bars, func(a, b layout.Bar) int { return a.ID - b.ID }) // as they are written
			s, bars := planned(t, e, n)
			worst = max(worst, math.Abs(s.Quality-l.Value))
			for i, b := range bars {
				off = max(off, math.Abs(b.From-l.Bars[i].From), math.Abs(b.To-l.Bars[i].To))
				if b.Picked != l.Bars[i].Picked {
					t.Errorf("%s: tablet %s: rowset %d picked: %v, on the page %v", set.pages, id, l.Bars[i].ID, b.Picked, l.Bars[i].Picked)
				}
				compared++
			}
		}
		if worst > set.value || off > set.axis || compared == 0 {
			t.Errorf("%s, keys kept %v: %d rowsets, values differ by %v (at most %v), places by %v (at most %v)", set.pages, set.keep, compared, worst, set.value, off, set.axis)
		}
		t.Logf("%s, keys kept %v: %d rowsets, values differ by %.2g, places on the axis by %.2g", set.pages, set.keep, compared, worst, off)
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
