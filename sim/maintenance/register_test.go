package maintenance

import (
	"slices"
	"strings"
	"testing"

	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// wantError checks that an error names what it should.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

// A dropped tablet's waits lapse, what runs of it ends, nothing of it is chosen any more, and then it is gone.
func TestUnregister(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.flushed(0)
	b.flushed(0)
	b.fillMRS(0, 4000)
	b.fillMRS(1, 2000)
	b.play(t, 5*ms)
	gone := engine.Time(-1)
	if err := b.Unregister(5*ms, 0, func(at engine.Time) { gone = at }); err != nil {
		t.Fatal(err)
	}
	wantError(t, b.Unregister(6*ms, 0, nil), "tablet 0 of server 0")
	b.play(t, 100*ms)
	b.wantLog(t, "FlushMRSOp(0) 0-10", "FlushMRSOp(1) 10-20")
	b.wantWaits(t, wait{0, policies.FlushMRS, 0, 0, true}, wait{0, policies.CompactRowSets, 0, 5 * ms, false}, wait{1, policies.FlushMRS, 0, 10 * ms, true})
	if gone != 10*ms {
		t.Errorf("the tablet was gone at %d ms, want 10", gone/ms)
	}
	wantError(t, b.Unregister(100*ms, 0, nil), "tablet 0", "server 0")
	if err := b.Unregister(100*ms, 1, func(at engine.Time) { gone = at }); err != nil || gone != 100*ms {
		t.Errorf("an idle tablet was gone at %d ms (%v), want 100", gone/ms, err)
	}
}

// Before KUDU-3268 an op could be launched although its tablet had gone while it was chosen. It finds nothing.
func TestLaunchAfterUnregister(t *testing.T) {
	for recheck, want := range map[bool][]string{true: nil, false: {"FlushMRSOp(0) 16-16"}} {
		b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.RecheckCancelled = recheck
		b.costs.DecideOp = float64(2 * ms)
		b.fillMRS(0, 4000)
		b.play(t, 10*ms)
		if err := b.Unregister(10*ms, 0, nil); err != nil {
			t.Fatal(err)
		}
		b.play(t, 100*ms)
		b.wantLog(t, want...)
		if b.replicas[0].MRS.Rows != 4000 || b.server.Memory.Used() != 4_000_000 {
			t.Errorf("recheck %v: the flush of a tablet that is gone left %d rows", recheck, b.replicas[0].MRS.Rows)
		}
	}
}

// A tablet that opens during the run counts from then on, and goes where its id belongs.
func TestRegister(t *testing.T) {
	b := newBench(t, 1, 3, builtin(t, policies.Raw(), nil))
	r := b.replicas[1]
	if err := b.Unregister(0, 1, nil); err != nil {
		t.Fatal(err)
	}
	b.play(t, 0)
	if opened, err := b.Register(60*second, r); err != nil || opened != 60*second {
		t.Errorf("the tablet was open at %d s (%v), want 60", opened/second, err)
	}
	_, err := b.Register(60*second, r)
	wantError(t, err, "tablet 1", "server 0")
	_, err = b.Register(60*second, &tablet.Replica{Tablet: 3})
	wantError(t, err, "tablet 3", "server 0")
	if got := []int32{b.tablets[0].Tablet, b.tablets[1].Tablet, b.tablets[2].Tablet}; !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("tablets are in the order %v", got)
	}
	b.fillMRS(0, 100)
	b.fillMRS(1, 100)
	b.play(t, 121*second) // two minutes after the start the one is old, the other not
	b.wantLog(t, "FlushMRSOp(0) 120250-120260")
	r.ScansStarted = 121
	b.play(t, 181*second)
	b.wantLog(t, "FlushMRSOp(0) 120250-120260", "FlushMRSOp(1) 180010-180020")
	if got := b.ops[1].ScansPerS; got != 121/120.01 {
		t.Errorf("%v scans a second since it opened, want %v", got, 121/120.01)
	}
}

// Before KUDU-3149 a tablet could not open during a look at all ops.
func TestRegisterDuringALook(t *testing.T) {
	for without, want := range map[bool]engine.Time{true: 10 * ms, false: 16 * ms} {
		b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.RegisterWithoutLock = without
		r := b.replicas[1]
		if err := b.Unregister(0, 1, nil); err != nil {
			t.Fatal(err)
		}
		b.costs.DecideOp = float64(2 * ms)
		b.fillMRS(0, 4000)
		b.play(t, 0)
		if opened, err := b.Register(10*ms, r); err != nil || opened != want {
			t.Errorf("register_without_lock %v: open at %d ms (%v), want %d", without, opened/ms, err, want/ms)
		}
		b.play(t, 100*ms)
		b.wantLog(t, "FlushMRSOp(0) 16-26")
	}
}

// A kind that is off is not offered; what runs of it goes on.
func TestSwitch(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.flushed(1)
	b.flushed(1)
	b.fillMRS(0, 4000)
	b.fillMRS(1, 2000)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(b.Switch(policies.CompactRowSets, false))
	b.play(t, 5*ms)
	must(b.Switch(policies.FlushMRS, false))
	b.play(t, 500*ms)
	b.wantLog(t, "FlushMRSOp(0) 0-10")
	b.wantWaits(t, wait{0, policies.FlushMRS, 0, 0, true}, wait{1, policies.FlushMRS, 0, 10 * ms, false})
	must(b.Switch(policies.FlushMRS, true))
	b.play(t, 530*ms)
	b.wantLog(t, "FlushMRSOp(0) 0-10", "FlushMRSOp(1) 510-520")
	wantError(t, b.Switch(policies.NumKinds, true), "kind 8")
}

// A look takes a time for each op, and for each rowset of the replicas whose compaction is valued anew.
func TestDecisionsTakeTime(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.flushed(0)
	b.flushed(0)
	b.costs.DecideOp, b.costs.DecideRowset = float64(ms), float64(10*ms)
	b.play(t, 100*ms)
	// The first look values both tablets' compactions: 16 ops, 2 rowsets. The compaction of 20 ms makes the next look value one rowset.
	b.wantLog(t, "CompactRowSetsOp(0) 36-56")
	if b.Decisions != 2 || b.Next() != 332*ms {
		t.Errorf("%d looks, the next step at %d ms; want 2, 332", b.Decisions, b.Next()/ms)
	}
	b.play(t, 332*ms)
	if b.Decisions != 3 || b.Next() != 348*ms { // nothing is new
		t.Errorf("%d looks, the next step at %d ms; want 3, 348", b.Decisions, b.Next()/ms)
	}
}
