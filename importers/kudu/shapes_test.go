package kudu

import (
	"maps"
	"math"
	"slices"
	"testing"

	"mmsim/importers/kudu/layout"
)

// TestShapes imports 34 tablets of many shapes from a real server, whose keys were text, numbers and both: nested and disjoint rowsets, a huge one beside
// tiny ones, rowsets of a single row. Whatever has to be guessed, rowsets come to lie on the axis where the server drew them, and the compaction policy gives
// its value within 0.1 %. Where several selections have that value, which one the policy takes depends on bytes that no page shows; a value up to the least
// improvement is none.
func TestShapes(t *testing.T) {
	for _, set := range []struct {
		pages  string
		logged int // tablets whose page has the policy's answer
		picks  int // of these with the same rowsets picked
	}{{"shapes-12", 31, 26}, {"shapes-12-redacted", 31, 27}, {"shapes-128-redacted", 33, 33}} {
		dir := savedPages(t, set.pages)
		got, e := importDir(t, dir, Options{})
		tablets, layouts := tabletsByID(t, got.YAML, e), readLayouts(t, dir)
		if len(tablets) != 34 {
			t.Errorf("%s: %d tablets, want 34; warnings %q", set.pages, len(tablets), got.Warnings)
		}
		logged, same := 0, 0
		for _, id := range slices.Sorted(maps.Keys(layouts)) {
			l := layouts[id]
			if !l.Logged {
				continue
			}
			logged++
			slices.SortStableFunc(l.Bars, func(a, b layout.Bar) int { return a.ID - b.ID }) // as they are written
			s, bars := planned(t, e, tablets[id])
			if want := l.Value; math.Abs(s.Quality-want) > 1e-3*want && (s.Quality > 0 || want > e.Maintenance.MinimumImprovement) {
				t.Errorf("%s: tablet %s (%s): value %v, on the page %v", set.pages, id, tablets[id].Table, s.Quality, want)
			}
			picked := true
			for i, b := range bars {
				if off := max(math.Abs(b.From-l.Bars[i].From), math.Abs(b.To-l.Bars[i].To)); off > 5e-5 {
					t.Errorf("%s: tablet %s (%s): rowset %d is off by %v on the axis", set.pages, id, tablets[id].Table, l.Bars[i].ID, off)
				}
				picked = picked && b.Picked == l.Bars[i].Picked
			}
			if picked {
				same++
			}
		}
		if logged != set.logged || same != set.picks {
			t.Errorf("%s: %d of %d selections are the page's, want %d of %d", set.pages, same, logged, set.picks, set.logged)
		}
	}
}
