package sim

import (
	"testing"

	"mmsim/policies"
	"mmsim/results"
	"mmsim/results/waits"
)

// compactionWaits is what became of a table's waiting compactions.
func compactionWaits(v results.TableVerdict) results.WaitSummary {
	for _, k := range v.Kinds {
		if k.Kind == policies.CompactRowSets.String() {
			return k.Waits
		}
	}
	return results.WaitSummary{}
}

// With a bound of 10, any op of a hot tablet comes before every compaction of a cold one. So the cold table's backlog starves while clients keep the hot
// table busy; by raw perf it is worked off. A table that nobody uses has nothing that could starve.
func TestColdBacklogStarves(t *testing.T) {
	e := testdata(t, "backlog")
	verdicts := func(l Line) (hot, cold, idle results.TableVerdict) {
		run := mustRun(t, e, l, Options{})
		v := waits.Starvation(run, int64(e.Starvation.After))
		return v[0], v[1], v[2]
	}
	const tablets = 10

	hot, cold, idle := verdicts(line(t, policies.Raw(), nil))
	if w := compactionWaits(cold); cold.Verdict != results.NotStarved || w.Count < tablets || w.Open != 0 || w.Exceeded != 0 {
		t.Errorf("raw: %v; compactions %+v; want every tablet's compaction served in time", cold, w)
	}
	if hot.Verdict != results.NotStarved || idle.Verdict != results.Idle {
		t.Errorf("raw: %v; %v; want the hot table served and the other idle", hot, idle)
	}

	hot, cold, idle = verdicts(line(t, policies.WorkloadScaled(), map[string]any{"bound": 10.0}))
	if w := compactionWaits(cold); cold.Verdict != results.Starved || w.Exceeded < 3 || w.Open < 2 || w.Longest.OtherTables < 50 {
		t.Errorf("workload-scaled: %v; compactions %+v; want several compactions to starve while ops of the hot table are served", cold, w)
	}
	if hot.Verdict != results.NotStarved || idle.Verdict != results.Idle {
		t.Errorf("workload-scaled: %v; %v; want the hot table served and the other idle", hot, idle)
	}
}
