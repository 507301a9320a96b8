package sim

import (
	"cmp"
	"slices"

	"mmsim/results"
	"mmsim/sim/maintenance"
)

// whys translates the manager's reasons.
var whys = map[maintenance.Why]results.Why{
	maintenance.WhyManager: results.WhyManager, maintenance.WhyTable: results.WhyTable, maintenance.WhyKind: results.WhyKind, maintenance.WhyVeto: results.WhyVeto,
	maintenance.WhyHeld: results.WhyHeld, maintenance.WhyRules: results.WhyRules, maintenance.WhyScore: results.WhyScore, maintenance.WhyMemory: results.WhyMemory,
	maintenance.WhyBudget: results.WhyBudget, maintenance.WhyNoGain: results.WhyNoGain,
}

// stuck keeps the compactions that can't run at the end. It is the last that is asked of the managers.
func (r *recorder) stuck(out *results.Run) error {
	for id, m := range r.world.managers {
		err := m.EachStuck(r.world.now, func(s maintenance.Stuck) {
			out.Stuck = append(out.Stuck, results.Stuck{Server: id, Table: int(s.Replica.Table), Tablet: int(s.Replica.Bucket), Leader: s.Replica.Leader,
				Height: s.Height, Rowsets: len(s.Replica.Rowsets), Why: whys[s.Why], Since: s.Since})
		})
		if err != nil {
			return err
		}
	}
	slices.SortStableFunc(out.Stuck, func(a, b results.Stuck) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Tablet, b.Tablet))
	})
	return nil
}
