package maintenance

import (
	"testing"

	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// store puts a rowset of 2000 rows over the whole key space on a replica, as it may be found at the start.
func (b *bench) store(t *testing.T, replica int, s tablet.Stored) *tablet.Rowset {
	t.Helper()
	s.Min, s.Max, s.Hi, s.Rows = "a", "b", 1, 2000
	rs, err := b.replicas[replica].Store(&s, 0)
	if err != nil {
		t.Fatal(err)
	}
	b.replicas[replica].Opened()
	return rs
}

// Rowsets of whose UNDO more than a fifth is known to be old are not compacted before an UNDO GC has been over them. Without the rule for unknown
// ages, deltas that nobody opened count as old as well.
func TestAncientUndoVeto(t *testing.T) {
	for _, c := range []struct {
		name            string
		veto, knownOnly bool
		gc              bool // UNDO GC may run
		want            []string
	}{
		{"no rule", false, true, false, []string{"CompactRowSetsOp(0) 1000-1020"}},
		{"ages unknown", true, true, false, []string{"CompactRowSetsOp(0) 1000-1020"}},
		{"ages unknown, counted as old", true, false, false, nil},
		{"ages known, then freed", true, true, true, []string{"UndoDeltaBlockGCOp(0) 1000-1001", "CompactRowSetsOp(0) 1001-1021"}},
	} {
		b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.AncientUndoVeto, b.cfg.Rules.VetoKnownUndoOnly, b.cfg.Rules.UndoGCDropsStats = c.veto, c.knownOnly, true
		b.cfg.AncientUndoRatio, b.cfg.HistoryMaxAge, b.cfg.DataGCProbability = .2, 10*second, 1
		for range 3 {
			b.store(t, 0, tablet.Stored{Undo: 900, UndoTime: -20 * second})
		}
		if err := b.Switch(policies.UndoDeltaBlockGC, c.gc); err != nil {
			t.Fatal(err)
		}
		b.Loop.wake = second
		b.play(t, 5*second)
		b.wantLog(t, c.want...)
	}
}

// An UNDO GC takes its time for each block that it opens and each that it deletes, and opens no more than its budget allows.
func TestUndoGCTakesWhatItDoes(t *testing.T) {
	for _, c := range []struct {
		name   string
		age    engine.Time
		budget engine.Time
		want   []string
	}{
		{"young", 0, second, []string{"UndoDeltaBlockGCOp(0) 1000-1007"}},                                                   // 1 + 3 * 2
		{"old", 20 * second, second, []string{"UndoDeltaBlockGCOp(0) 1000-1038"}},                                           // 7 + 25 + 3 * 2
		{"two by two", 20 * second, 4 * ms, []string{"UndoDeltaBlockGCOp(0) 1000-1034", "UndoDeltaBlockGCOp(0) 1034-1064"}}, // 1 + 2 * 2 + 25 + 2 * 2, then one block
	} {
		b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
		b.costs.UndoGC, b.costs.UndoOpen, b.costs.UndoFree, b.costs.UndoFreeBlock = float64(ms), float64(2*ms), float64(25*ms), float64(2*ms)
		b.cfg.HistoryMaxAge, b.cfg.UndoGCBudget = 10*second, c.budget
		for range 3 {
			b.store(t, 0, tablet.Stored{Undo: 900, UndoTime: -int64(c.age)})
		}
		b.off, b.tablets[0].off = AllKinds.Without(policies.UndoDeltaBlockGC), AllKinds.Without(policies.UndoDeltaBlockGC)
		b.Loop.wake = second
		b.play(t, 5*second)
		b.wantLog(t, c.want...)
	}
}

// A rowset whose deltas would need more memory than is left is passed over, and the axis is made without it.
func TestMemoryBudget(t *testing.T) {
	for _, c := range []struct {
		on   bool
		want int // rowsets compacted
	}{{false, 3}, {true, 2}} {
		b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.MemoryBudget, b.cfg.DeltaMemoryFactor, b.cfg.MinDeltas = c.on, 5, 1000
		b.store(t, 0, tablet.Stored{Undo: 900})
		b.store(t, 0, tablet.Stored{Undo: 200_000_000}) // times 5 is all of the limit of 1 GB
		b.store(t, 0, tablet.Stored{Undo: 900})
		b.server.Memory.Add(1)
		b.play(t, second)
		if len(b.ops) == 0 || b.ops[0].Inputs != c.want {
			t.Errorf("rule %v: %q, want a compaction of %d rowsets", c.on, b.log(), c.want)
		}
	}
}

// A table can do without compactions; other ops of it run.
func TestDisableCompaction(t *testing.T) {
	for _, on := range []bool{false, true} {
		b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.DisableCompaction, b.cfg.NoCompaction = on, []bool{true}
		for range 3 {
			rs := b.store(t, 0, tablet.Stored{RedoFiles: 600, RedoRows: 6000, RedoTime: -1})
			if rs.RedoBytes != 900_000 {
				t.Fatalf("%d bytes of REDO", rs.RedoBytes)
			}
		}
		b.fillMRS(0, 2000)
		b.play(t, second)
		kinds := map[policies.Kind]bool{}
		for _, op := range b.ops {
			kinds[op.Kind] = true
		}
		if !kinds[policies.FlushMRS] || kinds[policies.CompactRowSets] == on || kinds[policies.MajorDeltaCompaction] && on {
			t.Errorf("rule %v: %q", on, b.log())
		}
	}
}

// Rowsets with nothing but rows deleted long ago are dropped.
func TestDeletedRowsetGC(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	b.cfg.HistoryMaxAge = 10 * second
	b.store(t, 0, tablet.Stored{Deleted: 2000, RedoFiles: 1, DeleteFiles: 1, RedoRows: 2000, RedoTime: -4 * second})
	b.cfg.Off, b.off = 0, 0
	b.play(t, 20*second)
	b.wantLog(t, "DeletedRowSetGCOp(0) 6250-6251")
	if n := len(b.replicas[0].Rowsets); n != 0 {
		t.Errorf("%d rowsets are left, want 0", n)
	}
}

// 8.7 of the delta compactions: what makes their stats stale, op by op.
func TestDeltaStatsAreCached(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	rs := b.store(t, 0, tablet.Stored{RedoFiles: 2, RedoRows: 10, RedoTime: -1})
	state := b.tablets[0]
	b.candidates = policies.Candidates{}
	resize(&b.candidates, 64)
	for _, c := range []struct {
		name         string
		bump         func(f *tablet.Finished)
		minor, major bool // recomputed
	}{
		{"at first", func(*tablet.Finished) {}, true, true},
		{"nothing", func(*tablet.Finished) {}, false, false},
		{"MRS flush", func(f *tablet.Finished) { f.MRSFlush++ }, true, true},
		{"DMS flush", func(f *tablet.Finished) { f.DMSFlush++ }, true, true},
		{"compaction", func(f *tablet.Finished) { f.Compaction++ }, true, true},
		{"minor", func(f *tablet.Finished) { f.Minor++ }, true, true},
		{"major", func(f *tablet.Finished) { f.Major++ }, false, true},
		{"UNDO GC", func(f *tablet.Finished) { f.UndoGC++ }, false, false},
	} {
		c.bump(&state.Finished)
		rs.RedoFiles++
		rs.RedoBytes += 1_000_000
		minor, major := state.minor.score, state.major.score
		b.owner = b.owner[:0]
		b.offerDelta(0, state, policies.MinorDeltaCompaction)
		b.offerDelta(0, state, policies.MajorDeltaCompaction)
		if got := state.minor.score != minor; got != c.minor {
			t.Errorf("%s: minor recomputed %v, want %v", c.name, got, c.minor)
		}
		if got := state.major.bytes == state.DeltaBytes(rs, true); got != c.major {
			t.Errorf("%s: major recomputed %v, want %v (score %v after %v)", c.name, got, c.major, state.major.score, major)
		}
	}
}
