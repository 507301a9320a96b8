package maintenance

import (
	"testing"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// only leaves these kinds switched on.
func (b *bench) only(t *testing.T, kinds ...policies.Kind) {
	t.Helper()
	for k := range policies.NumKinds {
		if err := b.Switch(k, KindsOf(kinds...).Has(k)); err != nil {
			t.Fatal(err)
		}
	}
}

// ran counts the ops of a kind and tablet.
func (b *bench) ran(tablet int32, k policies.Kind) (n int) {
	for _, op := range b.ops {
		if op.Replica.Tablet == tablet && op.Kind == k {
			n++
		}
	}
	return n
}

// Under memory pressure with steady inserts, the DeltaMemStores that hold back the WAL were never flushed as long as memory alone counted (KUDU-3002).
func TestPressureWithSteadyInserts(t *testing.T) {
	for byWAL, want := range map[bool]bool{true: true, false: false} {
		b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.PressureByWAL = byWAL
		b.cfg.PollingInterval, b.cfg.FlushAfter, b.server.Memory.PressurePercent = second, second, 0
		b.flushed(0)
		r := b.replicas[0]
		b.server.Memory.Add(r.Update(0, r.WAL.Append(100), .5, .5))
		r.WAL.Append(1 << 40) // fills the segment
		b.only(t)
		for now := engine.Time(0); now < 30*second; now += 5 * ms {
			if now == second {
				b.only(t, policies.FlushMRS, policies.FlushDeltaMemStores)
			}
			b.play(t, now)
			b.fillMRS(0, 1)
		}
		if flushes := b.ran(0, policies.FlushDeltaMemStores); flushes > 0 != want || b.ran(0, policies.FlushMRS) == 0 {
			t.Errorf("pressure_by_wal %v: %d flushes of the DeltaMemStore and %d of the MemRowSet, want some of the first: %v", byWAL, flushes,
				b.ran(0, policies.FlushMRS), want)
		}
	}
}

// As long as clients use one tablet, the compaction of another never comes first while workload scores count; and it comes once, when they don't.
func TestHotTabletFirst(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.WorkloadScaled(), map[string]any{"bound": 10.0}))
	b.cfg.RateMin, b.cfg.FlushAfter, b.cfg.FlushThreshold, b.cfg.FlushUpper = 10*ms, second, 10_240*mebibyte, 36_000*second
	b.costs.DecideOp = float64(second) / 16 // each look takes a second, as in Kudu's test
	cold, hot := int32(0), int32(1)
	b.flushed(int(cold))
	b.flushed(int(cold))
	b.flushed(int(hot))              // so that each flush of a second's inserts leaves something to compact
	b.replicas[cold].RowsWritten = 0 // long ago
	use := func(from, until engine.Time) {
		for now := from; now < until; now += ms {
			b.play(t, now)
			b.fillMRS(int(hot), 1)
			b.replicas[hot].ScansStarted++
		}
	}
	compactions := func(on bool) {
		if err := b.Switch(policies.CompactRowSets, on); err != nil {
			t.Fatal(err)
		}
	}
	compactions(false)
	use(0, second)
	compactions(true)
	use(second, 6*second)
	if n := b.ran(cold, policies.CompactRowSets); n != 0 || len(b.ops) < 3 {
		t.Errorf("with workload scores the cold tablet was compacted %d times beside %d other ops, want 0 beside some", n, len(b.ops))
	}
	b.decider.policy = builtin(t, policies.Raw(), nil)
	use(6*second, 16*second)
	if n := b.ran(cold, policies.CompactRowSets); n != 1 {
		t.Errorf("without workload scores the cold tablet was compacted %d times, want 1", n)
	}
}
