package maintenance

import (
	"math"
	"testing"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// observe updates a window with Kudu's intervals.
func (w *window) observe(now engine.Time, scans, rows int64) {
	w.update(now, 60*second, 300*second, scans, rows)
}

// workloadOf is what workload-scaled adds to ops of a tablet with the window's rates.
func workloadOf(t *testing.T, w *window, bound float64) (flush, compact float64) {
	p := builtin(t, policies.WorkloadScaled(), map[string]any{"bound": bound})
	c := candidatesOf(row{kind: policies.CompactRowSets, perf: 1}, row{kind: policies.FlushMRS, perf: 1})
	c.ScansPerSec = []float64{w.ScansPerS, w.ScansPerS}
	c.RowsPerSec = []float64{w.RowsPerS, w.RowsPerS}
	scores := make([]float64, 2)
	if err := p.Score(0, 0, c, scores); err != nil {
		t.Fatal(err)
	}
	return scores[1] - 1, scores[0] - 1
}

// Nothing in the first minute, and the whole of it a ms later.
func TestFirstMinute(t *testing.T) {
	var w window
	if w.observe(60*second, 30, 0); w.ScansPerS != 0 {
		t.Errorf("at 60 s there are %v scans a second, want 0", w.ScansPerS)
	}
	w.observe(60_001*ms, 30, 0)
	if flush, _ := workloadOf(t, &w, 1); math.Abs(flush-30/60.001) > 1e-12 {
		t.Errorf("at 60.001 s the workload score is %v, want %v", flush, 30/60.001)
	}
}

// Flushes count scans, compactions rows as well; neither goes above the bound.
func TestSteadyRates(t *testing.T) {
	for _, c := range []struct{ scans, rows, bound, flush, compact float64 }{
		{.5, 400, 1, .5, .9}, {2, 400, 1, 1, 1}, {.5, 400, 10, 5, 9},
	} {
		var w window
		for s := range 101 {
			w.observe(engine.Time(s)*second, int64(c.scans*float64(s)), int64(c.rows*float64(s)))
		}
		flush, compact := workloadOf(t, &w, c.bound)
		if math.Abs(flush-c.flush) > 1e-9 || math.Abs(compact-c.compact) > 1e-9 {
			t.Errorf("%v scans and %v rows a second, bound %v: flush %v, compact %v; want %v, %v", c.scans, c.rows, c.bound, flush, compact, c.flush, c.compact)
		}
	}
}

// A window grows as long as nobody looks, and its base moves when somebody does.
func TestLongGap(t *testing.T) {
	var w window
	w.observe(10*second, 0, 0)
	w.observe(1010*second, 505, 0)
	if flush, _ := workloadOf(t, &w, 1); flush != .5 {
		t.Errorf("505 scans in 1010 s give %v, want 0.5", flush)
	}
	if w.base != 1010*second || w.scans0 != 505 {
		t.Errorf("the base is at %d with %d scans, want now", w.base, w.scans0)
	}
}

// After the base moved, the rates stand still for a minute and then follow the new window.
func TestFrozenMinute(t *testing.T) {
	var w window
	scans := func(s int64) int64 { // one a second for 300 s, then none
		return min(s, 300)
	}
	for s := range int64(400) {
		w.observe(engine.Time(s)*second, scans(s), 0)
		want := 0.0
		switch {
		case s > 361: // the window from 301 s on saw none
		case s > 300:
			want = 300.0 / 301
		case s > 60:
			want = float64(scans(s)) / float64(s)
		}
		if math.Abs(w.ScansPerS-want) > 1e-12 {
			t.Fatalf("at %d s there are %v scans a second, want %v", s, w.ScansPerS, want)
		}
	}
}
