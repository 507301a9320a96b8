package layout

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mmsim/axis"
	"mmsim/sim/tablet"
	"mmsim/workloads"
)

// drawLayout draws random rowsets as Kudu's page would show them, and gives their weights.
func drawLayout(t *rapid.T, order workloads.Order) (*Page, []float64) {
	keys := workloads.NewKeys(order)
	n := rapid.IntRange(2, 12).Draw(t, "rowsets")
	spans, sized, weights := make([]tablet.Span, n), make([]tablet.Sized, n), make([]float64, n)
	for i := range n {
		a, b := rapid.Float64Range(0, 0.999).Draw(t, "from"), rapid.Float64Range(0, 0.999).Draw(t, "to")
		var err error
		if spans[i], err = tablet.NewSpan(keys.At(min(a, b)), keys.At(max(a, b)+1e-3)); err != nil {
			t.Fatal(err)
		}
		weight := rapid.Int64Range(1000, 40<<20).Draw(t, "bytes")
		sized[i], weights[i] = tablet.Sized{Span: &spans[i], Weight: weight, Full: weight}, float64(weight)
	}
	var p tablet.Planner
	p.Height(sized)
	l := &Page{Logged: true, Keys: true, Bars: make([]Bar, n)}
	for i := range n {
		from, to := p.Places(i)
		l.Bars[i] = Bar{ID: i, MB: max(1, sized[i].Weight>>20), From: from, To: to, Min: spans[i].Min(), Max: spans[i].Max()}
	}
	return l, weights
}

// TestWeightsFromAxis: weights that the axis tells are right, and those that are chosen lie in the MB shown and add up.
func TestWeightsFromAxis(t *testing.T) {
	solved := 0
	rapid.Check(t, func(t *rapid.T) {
		l, want := drawLayout(t, rapid.SampledFrom([]workloads.Order{workloads.Hashed, workloads.Uniform}).Draw(t, "keys"))
		total := 0.0
		for _, w := range want {
			total += w
		}
		for i, got := range l.estimates(total) {
			if math.Abs(got.bytes-want[i]) > 10*got.doubt+1e-9*total {
				t.Fatalf("rowset %d weighs %v, worked out %v, which %v may be wrong", i, want[i], got.bytes, got.doubt)
			}
		}
		if _, ok := l.solve(total); ok {
			solved++
		}
		l.Keys = false
		sum := 0.0
		weights, _ := l.weigh(total, 1.01)
		for i, w := range weights {
			if low, high := l.Bars[i].bounds(); w < low || w >= high {
				t.Fatalf("rowset %d of %d MB was given %v bytes", i, l.Bars[i].MB, w)
			}
			sum += w
		}
		if math.Abs(sum-total) > 100 {
			t.Fatalf("weights add up to %v, want %v", sum, total)
		}
	})
	if solved == 0 {
		t.Error("no layout was solved")
	}
}

// TestPlacesFromAxis: rowsets at the places worked out lie on the axis where they were shown.
func TestPlacesFromAxis(t *testing.T) {
	keys := workloads.NewKeys(workloads.Uniform)
	rapid.Check(t, func(t *rapid.T) {
		l, weights := drawLayout(t, workloads.Uniform)
		spans, sized := make([]tablet.Span, len(weights)), make([]tablet.Sized, len(weights))
		for i, s := range axis.Places(l.ranges(), weights) {
			var err error
			if spans[i], err = tablet.NewSpan(keys.At(s.From), keys.At(s.To)); err != nil {
				t.Fatal(err)
			}
			sized[i] = tablet.Sized{Span: &spans[i], Weight: int64(weights[i]), Full: int64(weights[i])}
		}
		var p tablet.Planner
		p.Height(sized)
		for i, b := range l.Bars {
			if from, to := p.Places(i); math.Abs(from-b.From) > 1e-6 || math.Abs(to-b.To) > 1e-6 {
				t.Fatalf("rowset %d lies at %v to %v, shown at %v to %v", i, from, to, b.From, b.To)
			}
		}
	})
}

// TestOneRowset: a rowset alone weighs all there is, whatever its page says.
func TestOneRowset(t *testing.T) {
	l := &Page{Bars: []Bar{{To: 1}}}
	s := axis.Places(l.ranges(), []float64{5e6})
	if w, guess := l.weigh(5e6, 1.01); guess || !slices.Equal(w, []float64{5e6}) || s[0] != (axis.Range{From: 0, To: 1}) {
		t.Errorf("weights %v, spans %v", w, s)
	}
	point := &Page{Bars: []Bar{{}}} // a single row
	if s := axis.Places(point.ranges(), []float64{800}); s[0] != (axis.Range{}) {
		t.Errorf("spans %v", s)
	}
}

// TestSmallRowsets: two rowsets of the same width over all keys are worth 2 - 1.003 and the tradeoff for each, less its share of the target size.
func TestSmallRowsets(t *testing.T) {
	const bytes = 6 * mebibyte // of both
	for _, tt := range []struct {
		flags         map[string]string
		worth, target float64
	}{
		{nil, 0.009, 32 * mebibyte},
		{map[string]string{"compaction_small_rowset_tradeoff": "0.02", "budgeted_compaction_target_rowset_size": "67108864"}, 0.02, 64 * mebibyte},
	} {
		l := &Page{flags: tt.flags, Value: 2 - 1.003 + tt.worth*(2-bytes/tt.target), Bars: []Bar{{MB: 3, Picked: true, To: 1}, {MB: 3, Picked: true, To: 1}}}
		if got, ok := l.pickedSize(2); !ok || math.Abs(got-bytes) > 1 {
			t.Errorf("flags %v: %v bytes, %v, want %d", tt.flags, got, ok, bytes)
		}
	}
	l := &Page{flags: map[string]string{"compaction_small_rowset_tradeoff": "0"}, Value: 1, Bars: []Bar{{MB: 3, Picked: true, To: 1}}}
	if _, ok := l.pickedSize(1); ok {
		t.Error("sizes that count for nothing were worked out")
	}
}
