package maintenance

import (
	"slices"
	"testing"

	"mmsim/policies"
	"mmsim/sim/engine"
)

func (b *bench) wantWaits(t *testing.T, want ...wait) {
	t.Helper()
	if !slices.Equal(b.ended, want) {
		t.Errorf("waits %+v, want %+v", b.ended, want)
	}
}

// open lists the ops that still wait.
func (b *bench) open() (out []wait) {
	b.OpenWaits(func(tablet, _, _ int32, k policies.Kind, since engine.Time) {
		out = append(out, wait{tablet, k, since, -1, false})
	})
	return out
}

// An op that is runnable but worth nothing has settled: it does not wait.
func TestSettledOpsDoNotWait(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.fillMRS(0, 10) // no size, no age; and compactions of nothing, always runnable
	b.play(t, 100*second)
	b.wantWaits(t)
	if open := b.open(); len(open) != 0 {
		t.Errorf("%+v wait, want none", open)
	}
}

// A wait begins at the decision at which the op could first have won and ends when it is chosen.
func TestWaitUntilServed(t *testing.T) {
	b := newBench(t, 1, 3, builtin(t, policies.Raw(), nil))
	for i, rows := range []int64{2000, 4000, 3000} {
		b.fillMRS(i, rows)
	}
	b.play(t, 100*ms)
	b.wantWaits(t, wait{1, policies.FlushMRS, 0, 0, true}, wait{2, policies.FlushMRS, 0, 10 * ms, true}, wait{0, policies.FlushMRS, 0, 20 * ms, true})
	last := b.ops[2]
	if last.Since != 0 || last.Chosen != 20*ms || last.LongestTablet != -1 || last.RunnerTablet != -1 {
		t.Errorf("the last flush: %+v, want it to have waited since 0, and nothing else waiting", last)
	}
	if first := b.ops[0]; first.RunnerTablet != 2 || first.LongestTablet != 0 || first.LongestWait != 0 || first.Candidates != 6 {
		t.Errorf("the first flush: runner-up %d, longest waiting %d for %d of %d candidates; want 2, 0 for 0 of 6", first.RunnerTablet, first.LongestTablet,
			first.LongestWait, first.Candidates)
	}
	if second := b.ops[1]; second.LongestTablet != 0 || second.LongestWait != 10*ms {
		t.Errorf("at the second flush tablet %d had waited longest, %d ms; want 0, 10", second.LongestTablet, second.LongestWait/ms)
	}
}

// A wait begins while the op is looked at, not when it became worth while: all threads were busy.
func TestWaitBeginsAtADecision(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.fillMRS(0, 2000)
	b.play(t, 0)
	b.fillMRS(1, 2000)
	b.play(t, 100*ms)
	b.wantWaits(t, wait{0, policies.FlushMRS, 0, 0, true}, wait{1, policies.FlushMRS, 10 * ms, 10 * ms, true})
}

// After it ran, an op waits anew.
func TestWaitStartsAnew(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.fillMRS(0, 4000)
	b.fillMRS(1, 3000)
	b.play(t, 5*ms)
	b.fillMRS(0, 4000) // a second MemRowSet, larger than the one that waits
	b.play(t, 100*ms)
	b.wantWaits(t, wait{0, policies.FlushMRS, 0, 0, true}, wait{0, policies.FlushMRS, 10 * ms, 10 * ms, true}, wait{1, policies.FlushMRS, 0, 20 * ms, true},
		wait{0, policies.CompactRowSets, 20 * ms, 30 * ms, true})
}

// A wait lapses when its reason goes away.
func TestWaitLapses(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.fillMRS(0, 4000)
	b.fillMRS(1, 2000)
	b.play(t, 0)
	r := b.replicas[1] // flushed by another hand
	r.BeginFlush()
	r.EndFlush(0, 0)
	b.play(t, 100*ms)
	b.wantWaits(t, wait{0, policies.FlushMRS, 0, 0, true}, wait{1, policies.FlushMRS, 0, 10 * ms, false})
}

// Ops that wait at the end are open.
func TestOpenWaits(t *testing.T) {
	b := newBench(t, 1, 3, builtin(t, policies.Raw(), nil))
	for i := range 3 {
		b.fillMRS(i, 2000)
	}
	b.play(t, 15*ms)
	want := []wait{{2, policies.FlushMRS, 0, -1, false}}
	if open := b.open(); !slices.Equal(open, want) {
		t.Errorf("%+v wait, want %+v", open, want)
	}
}

// Under memory pressure what frees memory waits, whatever its score. A compaction's value is not asked for meanwhile: it neither begins nor ends to wait.
func TestWaitsUnderPressure(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.flushed(0)
	b.flushed(0)
	b.fillMRS(0, 20)
	b.fillMRS(1, 10)
	b.server.Memory.Add(700e6)
	b.play(t, 0)
	if op := b.threads[0].op.(*running); op.Choice.Rule != MemoryPressure || op.Replica.Tablet != 0 {
		t.Fatalf("chose %+v, want the larger MemRowSet for memory", op.Record)
	}
	if open, want := b.open(), []wait{{1, policies.FlushMRS, 0, -1, false}}; !slices.Equal(open, want) {
		t.Errorf("%+v wait, want %+v", open, want)
	}
	b.server.Memory.Add(-700e6)
	b.play(t, 15*ms)
	// Without pressure the small MemRowSet is worth nothing any more, and the compaction is.
	b.wantWaits(t, wait{0, policies.FlushMRS, 0, 0, true}, wait{1, policies.FlushMRS, 0, 10 * ms, false}, wait{0, policies.CompactRowSets, 10 * ms, 10 * ms, true})
}

// Log GC waits as soon as there is something to collect, and comes first.
func TestLogGCWaits(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	for range 3 {
		b.replicas[0].WAL.Append(1 << 40)
	}
	b.play(t, 100*ms)
	b.wantLog(t, "LogGCOp(0) 0-1")
	b.wantWaits(t, wait{0, policies.LogGC, 0, 0, true})
	if b.ops[0].WAL != 2<<40 || b.ops[0].Choice.Rule != LogGC || b.replicas[0].WAL.Segments() != 2 {
		t.Errorf("log GC freed %d bytes and left %d segments, want %d and 2", b.ops[0].WAL, b.replicas[0].WAL.Segments(), 2<<40)
	}
}
