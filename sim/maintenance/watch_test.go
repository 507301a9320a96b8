package maintenance

import (
	"errors"
	"testing"

	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// A policy that lets ops run that have nothing to do would keep the manager busy for ever.
func TestIdleOpsEndTheRun(t *testing.T) {
	b := newBench(t, 1, 2, constantPolicy(1))
	var err error
	steps := 0
	for ; err == nil && steps < 1e6; steps++ {
		err = b.Step(b.Next())
	}
	var idle *IdleError
	if !errors.As(err, &idle) {
		t.Fatalf("after %d steps: %v", steps, err)
	}
	if idle.InRow != maxIdleInRow || idle.Kind != policies.CompactRowSets || idle.Tablet != 0 || idle.Perf != 0 || idle.Score != 1 || idle.At != (maxIdleInRow-1)*ms {
		t.Errorf("%+v", idle.Missteps)
	}
	if s := b.Idle(); !s.Warn() || s.Total != maxIdleInRow {
		t.Errorf("%+v", s)
	}
}

// Built-in policies leave alone what has nothing to do; where another thread took the work first, that is a single op.
func TestWorkIsNotIdle(t *testing.T) {
	b := newBench(t, 2, 1, builtin(t, policies.Raw(), nil))
	b.fillMRS(0, 2000)
	b.flushed(0)
	b.flushed(0)
	b.play(t, second)
	if s := b.Idle(); s.Total != 1 || s.Warn() {
		t.Errorf("%+v; want the second thread's compaction", s)
	}
	var idle int
	for _, op := range b.ops {
		if op.Idle {
			idle++
		}
	}
	if idle != 1 || b.Unmoved() {
		t.Errorf("%d of %d ops found nothing to do; unmoved %v", idle, len(b.ops), b.Unmoved())
	}
}

// A row is over with the first op that is right. The warning is about the hundredth of the first row that long.
func TestRowsOfMissteps(t *testing.T) {
	var s Missteps
	replica := &tablet.Replica{Tablet: 7}
	note := func(n int, wrong bool) {
		for range n {
			s.note(engine.Time(s.Total), &Record{Server: 3, Replica: replica, Perf: -1, Choice: Choice{Score: float64(s.Total)}}, wrong)
		}
	}
	note(99, true)
	note(1, false)
	note(99, true)
	if s.Warn() || s.InRow != 99 {
		t.Errorf("%+v after two rows of 99", s)
	}
	note(1, true)
	note(1, false)
	note(150, true)
	if want := (Missteps{Server: 3, Tablet: 7, Perf: -1, Score: 198, At: 198, InRow: 150, Total: 349, row: 150}); s != want || !s.Warn() {
		t.Errorf("%+v, want %+v", s, want)
	}
}

// Beyond the soft limit an op that frees no memory is a misstep, if the policy chose it and another would have freed some.
func TestGreed(t *testing.T) {
	for _, test := range []struct {
		rule  Rule
		used  float64
		ram   int64 // of the chosen
		other int64
		want  int64
	}{
		{PerfScore, 80, 0, 5, 1}, {PerfScore, 79, 0, 5, 0}, {PerfScore, 95, 1, 5, 0}, {PerfScore, 95, 0, 0, 0}, {LogGC, 95, 0, 5, 0},
	} {
		var w watch
		d := Decision{Choice: Choice{Rule: test.rule}, Candidates: &policies.Candidates{RAM: []int64{test.ram, test.other}}, Memory: Memory{UsedPercent: test.used, SoftPercent: 80}}
		w.chose(0, &Record{Replica: &tablet.Replica{}, RAM: test.ram}, &d)
		if w.greed.Total != test.want {
			t.Errorf("%+v: %d", test, w.greed.Total)
		}
	}
}

// A policy that never gives a score is noticed once an op was worth one.
func TestUnmoved(t *testing.T) {
	b := newBench(t, 1, 1, constantPolicy(0))
	b.play(t, second)
	if b.Unmoved() {
		t.Error("no op was worth anything yet")
	}
	b.fillMRS(0, 2000)
	b.play(t, 2*second)
	if !b.Unmoved() || len(b.ops) > 0 {
		t.Errorf("unmoved %v, %d ops", b.Unmoved(), len(b.ops))
	}
}
