package maintenance

import (
	"testing"

	"mmsim/policies"
	"mmsim/rules"
	"mmsim/sim/tablet"
)

// Each rule of the compaction policy stands for one of its switches; with all rules the policy is as it is given.
func TestPolicyByRules(t *testing.T) {
	_, all, _ := rules.Of("kudu-1.19")
	cfg := Config{Rules: all, Compaction: tablet.PolicyConfig{Budget: 5}}
	if got := PolicyByRules(cfg.Compaction, &cfg.Rules); got != cfg.Compaction {
		t.Errorf("with all rules the policy is %+v", got)
	}
	for _, c := range []struct {
		off  func(*rules.Set)
		want tablet.PolicyConfig
	}{
		{func(s *rules.Set) { s.ApproximateSearch = false }, tablet.PolicyConfig{Budget: 5, ExactEverywhere: true}},
		{func(s *rules.Set) { s.SmallRowsetValue = false }, tablet.PolicyConfig{Budget: 5, WidthOnly: true}},
		{func(s *rules.Set) { s.SmallByFullSize = false }, tablet.PolicyConfig{Budget: 5, SmallByWeight: true}},
		{func(s *rules.Set) { s.SmallValueFloor = false }, tablet.PolicyConfig{Budget: 5, SmallUnbounded: true}},
	} {
		cfg.Rules = all
		c.off(&cfg.Rules)
		if got := PolicyByRules(cfg.Compaction, &cfg.Rules); got != c.want {
			t.Errorf("the policy is %+v, want %+v", got, c.want)
		}
	}
}

// Which of three DeltaMemStores is flushed: a small one that retains WAL, a large one that retains as much, and the largest, which retains none.
func TestDMSToFlushByRules(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	r := b.replicas[0]
	r.WAL = tablet.NewWAL(1000)
	for i, updates := range []int{1, 10, 10_000} {
		rs := b.store(t, 0, tablet.Stored{})
		rs.Lo, rs.Hi = float64(i)/3, (float64(i)+.9)/3
		r.Opened()
		at := r.WAL.Append(300)
		for range updates {
			r.Update(0, at, rs.Lo, 0)
		}
		if i == 1 {
			r.WAL.Append(1000)
		}
	}
	for _, c := range []struct {
		name                  string
		ties, weighs, pressed bool
		want                  int
	}{
		{"today", true, true, false, 1},
		{"today, under pressure", true, true, true, 2},
		{"before KUDU-2238, under pressure", true, false, true, 1},
		{"before ties went by size", false, true, false, 0},
		{"before both, under pressure", false, false, true, 0},
		{"ties by order, under pressure", false, true, true, 2},
	} {
		b.cfg.Rules.DMSTiesBySize, b.cfg.Rules.DMSWeighsMemory = c.ties, c.weighs
		used := int64(0)
		if c.pressed {
			used = b.server.Memory.Limit * 7 / 10
		}
		b.server.Memory.Add(used)
		got, retained, oldest := b.bestDMS(b.tablets[0], b.pressure())
		b.server.Memory.Add(-used)
		if want := r.Rowsets[c.want]; got != want || retained != r.WAL.Retained(want.DMS.Anchor) || oldest != 0 {
			t.Errorf("%s: the DMS of %d updates, that retains %d bytes, want number %d", c.name, got.DMS.Rows, retained, c.want)
		}
	}
}

// allBut switches one kind of ops off and all others on.
func (b *bench) allBut(t *testing.T, off policies.Kind) {
	t.Helper()
	for k := range policies.NumKinds {
		if err := b.Switch(k, k != off); err != nil {
			t.Fatal(err)
		}
	}
}

// L10: a hundred rowsets with an old update each. By the age of the oldest they are flushed in a row, by that of the last flush one each threshold.
func TestOldDMSs(t *testing.T) {
	for _, c := range []struct {
		byOldest    bool
		least, most int64
	}{{true, 100, 100}, {false, 3, 5}} {
		b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.DMSAgeOfOldest = c.byOldest
		b.cfg.FlushAfter, b.cfg.PollingInterval = second, ms
		b.allBut(t, policies.CompactRowSets)
		r := b.replicas[0]
		for i := range 100 {
			rs := b.store(t, 0, tablet.Stored{})
			rs.Lo, rs.Hi = float64(i)/100, (float64(i)+.9)/100
			r.Opened()
			b.server.Memory.Add(r.Update(0, r.WAL.Append(100), rs.Lo, 0))
		}
		b.play(t, 5*second)
		if n := r.Finished.DMSFlush; n < c.least || n > c.most {
			t.Errorf("by the oldest %v: %d flushes in 5 s, want %d to %d", c.byOldest, n, c.least, c.most)
		}
	}
}

// G1: rows are updated until there is UNDO; when the history has aged it is deleted, and the rows stay.
func TestHistoryIsDeleted(t *testing.T) {
	b := newBench(t, 4, 1, builtin(t, policies.Raw(), nil))
	b.cfg.HistoryMaxAge, b.cfg.PollingInterval, b.cfg.FlushAfter = 1000*second, ms, 0
	b.allBut(t, policies.CompactRowSets)
	b.flushed(0)
	r := b.replicas[0]
	rs := r.Rowsets[0]
	for range 2000 {
		b.server.Memory.Add(r.Update(0, 1, .5, .5))
	}
	b.play(t, 10*second)
	full := rs.Full()
	if want := int64(2000*20 + 2000*150); rs.Undo != want || rs.RedoFiles != 0 || rs.DMS.Rows != 0 {
		t.Fatalf("%d bytes of UNDO, %d REDO files and %d updates in memory, want %d, 0, 0 (%q)", rs.Undo, rs.RedoFiles, rs.DMS.Rows, want, b.log())
	}
	b.play(t, 999*second)
	if rs.Undo == 0 {
		t.Error("the UNDO is gone before it is old")
	}
	b.play(t, 1010*second)
	if rs.Undo != 0 || r.AncientUndo(10*second) != 0 || rs.Rows != 2000 || rs.Full() >= full || rs.Locked() {
		t.Errorf("%q: %d bytes of UNDO are left, an estimate of %d, %d rows", b.log(), rs.Undo, r.AncientUndo(10*second), rs.Rows)
	}
}

// Before KUDU-1236, under memory pressure an empty MemRowSet was flushed again and again.
func TestEmptyFlushes(t *testing.T) {
	for _, skip := range []bool{true, false} {
		b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.SkipEmptyMemRowset = skip
		b.server.Memory.Add(b.server.Memory.Limit * 7 / 10)
		b.play(t, second)
		if n := len(b.ops); skip && n != 0 || !skip && n < 50 {
			t.Errorf("rule %v: %d ops in a second", skip, n)
		}
		if r := b.replicas[0]; len(r.Rowsets) != 0 {
			t.Errorf("flushes of nothing wrote %d rowsets", len(r.Rowsets))
		}
	}
}
