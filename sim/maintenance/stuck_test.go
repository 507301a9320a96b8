package maintenance

import (
	"math"
	"testing"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// Two rowsets lie over each other, so that a compaction would lower the tablet. Whatever keeps it from running is told, and since when.
func TestWhyStuck(t *testing.T) {
	never := constantPolicy(0)
	raw := builtin(t, policies.Raw(), nil)
	nothing := func(*bench) {}
	busy := func(with engine.Time) func(b *bench) { // a flush takes the thread first
		return func(b *bench) {
			b.fillMRS(0, 4000)
			b.costs.FlushFixed = float64(with)
		}
	}
	for _, test := range []struct {
		name    string
		policy  policies.Policy
		prepare func(b *bench)
		at      engine.Time // what happens then
		then    func(b *bench)
		want    string
		since   engine.Time
	}{
		{"budget", raw, func(b *bench) { b.cfg.Compaction.Budget = mebibyte }, 0, nothing, "budget", 0},
		{"score", never, nothing, 0, nothing, "score", 0},
		{"kind", never, nothing, 300 * ms, func(b *bench) { b.Switch(policies.CompactRowSets, false) }, "kind", 0},
		{"kind, after a wait", raw, busy(500 * ms), 300 * ms, func(b *bench) { b.Switch(policies.CompactRowSets, false) }, "kind", 500 * ms},
		{"table", raw, func(b *bench) { b.cfg.Rules.DisableCompaction, b.cfg.NoCompaction = true, []bool{true} }, 0, nothing, "table", 0},
		{"manager", raw, func(b *bench) { b.SetEnabled(false) }, 0, nothing, "manager", 0},
		{"veto", raw, func(b *bench) { b.cfg.Rules.AncientUndoVeto, b.cfg.Rules.VetoKnownUndoOnly = true, false }, 0, nothing, "veto", 0},
		{"memory", raw, func(b *bench) {
			b.cfg.Rules.MemoryBudget, b.cfg.MinDeltas, b.cfg.DeltaMemoryFactor = true, -1, math.MaxFloat64
			for _, rs := range b.replicas[0].Rowsets {
				rs.RedoBytes = 1000
			}
		}, 0, nothing, "memory", 0},
		{"held", raw, func(b *bench) { b.replicas[0].Lock(b.replicas[0].Rowsets) }, 0, nothing, "held", 0},
		{"held when it was valued", raw, func(b *bench) { b.replicas[0].Lock(b.replicas[0].Rowsets) }, 400 * ms, func(b *bench) { b.replicas[0].Unlock(b.replicas[0].Rowsets) }, "held", 0},
		{"rules", raw, func(b *bench) { // a flush under pressure runs to the end
			busy(second)(b)
			b.server.Memory.Add(7e8)
		}, 0, nothing, "rules", 0},
		{"it waits", raw, busy(2 * second), 0, nothing, "", 0},
		{"it ran", raw, nothing, 0, nothing, "", 0},
		{"no gain", raw, func(b *bench) { // the height is 1.193, the quality .190, as more than the union counts
			b.cfg.Compaction.SmallRowsetTradeoff, b.cfg.Compaction.MinimumImprovement = 0, .191
			r := b.replicas[0]
			r.Clear()
			for _, ends := range [][2]float64{{0, .501}, {.499, .999}} {
				r.Insert(2000, 0, ends[0], ends[1])
				r.BeginFlush()
				r.EndFlush(0, 0)
			}
		}, 0, nothing, "no gain", 0},
		{"no need", raw, func(b *bench) { b.replicas[0].Clear(); b.flushed(0) }, 0, nothing, "", 0},
	} {
		b := newBench(t, 1, 1, test.policy)
		b.flushed(0)
		b.flushed(0)
		test.prepare(b)
		b.play(t, test.at)
		test.then(b)
		b.play(t, 900*ms)
		got, since := "", engine.Time(0)
		if err := b.EachStuck(900*ms, func(s Stuck) { got, since = whyNames[s.Why], s.Since }); err != nil {
			t.Fatal(err)
		}
		if got != test.want || since != test.since {
			t.Errorf("%s: %q since %d ms; want %q since %d", test.name, got, since/ms, test.want, test.since/ms)
		}
	}
}

var whyNames = [...]string{WhyManager: "manager", WhyTable: "table", WhyKind: "kind", WhyVeto: "veto", WhyHeld: "held", WhyRules: "rules", WhyScore: "score",
	WhyMemory: "memory", WhyBudget: "budget", WhyNoGain: "no gain"}
