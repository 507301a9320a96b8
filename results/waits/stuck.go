package waits

import (
	"cmp"
	"slices"

	"mmsim/results"
)

// Stuck groups the stuck compactions of a run: by table, then in the order in which people ask for reasons.
func Stuck(run *results.Run) []results.StuckGroup {
	type key struct{ table, why int }
	groups := map[key]*results.StuckGroup{}
	var keys []key
	for i := range run.Stuck {
		s := &run.Stuck[i]
		k := key{s.Table, s.Why.Place()}
		g := groups[k]
		if g == nil {
			g = &results.StuckGroup{Table: run.Tables[s.Table].Name, State: s.Why.State(), Why: s.Why}
			groups[k], keys = g, append(keys, k)
		}
		if g.Replicas++; s.Height > g.Height {
			g.Height, g.Server, g.Since = s.Height, s.Server, s.Since
			g.Op = results.OpName("CompactRowSetsOp", g.Table, s.Tablet)
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.why, b.why)) })
	out := []results.StuckGroup{}
	for _, k := range keys {
		out = append(out, *groups[k])
	}
	return out
}
