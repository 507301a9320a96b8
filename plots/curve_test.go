package plots

import (
	"math"
	"slices"
	"testing"

	"mmsim/results"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"
)

func near(a, b plotter.XYs) bool {
	return slices.EqualFunc(a, b, func(p, q plotter.XY) bool { return math.Abs(p.X-q.X) < 1e-9 && math.Abs(p.Y-q.Y) < 1e-9 })
}

// Of 100 latencies 90 take 10 us, 9 take 100 us and one takes 0 us, which the 1 us floor shows.
func TestPercentileCurve(t *testing.T) {
	h := results.NewHistogram()
	_ = h.RecordValues(0, 1)
	_ = h.RecordValues(10, 90)
	_ = h.RecordValues(100, 9)
	want := plotter.XYs{{X: nines(0.01), Y: 1}, {X: nines(0.91), Y: 1}, {X: nines(0.91), Y: 2}, {X: 2, Y: 2}}
	if got := percentileCurve(&results.Latency{Hist: h}); !near(got[len(got)-4:], want) || got[0] != (plotter.XY{}) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The curve of a histogram never falls and agrees with the percentiles that tables quote.
func TestPercentileCurveAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := results.NewHistogram()
		for _, v := range rapid.SliceOfN(rapid.Int64Range(0, 5_000_000), 1, 300).Draw(t, "us") {
			_ = h.RecordValue(v)
		}
		curve := percentileCurve(&results.Latency{Hist: h})
		for i := 1; i < len(curve); i++ {
			if curve[i].X < curve[i-1].X || curve[i].Y < curve[i-1].Y {
				t.Fatalf("falls at %d: %v", i, curve)
			}
		}
		low, high := logUs(float64(h.Min())), logUs(float64(h.Max()))
		for _, p := range curve {
			if p.Y < low-1e-3 || p.Y > high+1e-3 {
				t.Fatalf("%v is outside %g to %g", p, low, high)
			}
		}
	})
}

func TestWaitCurve(t *testing.T) {
	if got := waitCurve(nil, 3); got != nil {
		t.Errorf("no waits: %v", got)
	}
	got := waitCurve([]int64{1e9, 10e9}, 3)
	want := plotter.XYs{{X: 0, Y: 0}, {X: 0, Y: nines(0.5)}, {X: 1, Y: nines(0.5)}, {X: 1, Y: 3}}
	if !near(got, want) {
		t.Errorf("two waits: %v, want %v", got, want)
	}
}

// Open waits count up to the end of the run whatever Until says.
func TestAge(t *testing.T) {
	r := &results.Run{End: 100, Tables: []results.Table{{Name: "t"}}, Waits: []results.Wait{
		{Kind: "k", Since: 10, Until: 30, Outcome: results.Served},
		{Kind: "k", Since: 20, Until: -1, Outcome: results.Open},
		{Kind: "k", Since: 95, Until: 97, Outcome: results.Lapsed},
		{Kind: "other", Since: 0, Until: 97, Outcome: results.Lapsed},
	}}
	all, open := ages(r, "t", "k")
	if !slices.Equal(all, []int64{2, 20, 80}) || !slices.Equal(open, []int64{80}) {
		t.Errorf("all %v, open %v", all, open)
	}
}

// 10 s in 10 parts: an op of 2.5 s, a short one, one that was still running, and two that are not for this row.
func TestOccupancy(t *testing.T) {
	s := int64(1e9)
	r := &results.Run{End: 10 * s, Tables: []results.Table{{Name: "t", HotServer: 1}, {Name: "u", HotServer: 1}}, Ops: []results.Op{
		{Kind: "k", Server: 1, Chosen: 1 * s, End: 3*s + s/2},
		{Kind: "k", Server: 1, Chosen: 5*s + s/4, End: 5*s + s/2},
		{Kind: "k", Server: 1, Chosen: 9 * s, End: -1},
		{Kind: "k", Server: 2, Chosen: 0, End: 10 * s},
		{Kind: "k", Server: 1, Table: 1, Chosen: 0, End: 10 * s},
	}}
	want := []float64{0, 1, 1, 0.5, 0, 0.25, 0, 0, 0, 1}
	got := occupancy(r, 0, "k", 10, 10)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-5 {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	p := panel{Canvas: draw.NewCanvas(new(recorder.Canvas), 75, 10), x: axis{max: 10}}
	// Columns are 0.1 s wide here: the short op fills half a column and two whole ones.
	drawn := []block{{7.5, 26.25, 1}, {39, 39.75, 0.6}, {39.75, 41.25, 1}, {67.5, 75, 1}}
	joined := blocks(p, r, 0, "k")
	for i := range joined {
		joined[i].tone = math.Round(joined[i].tone*10) / 10
	}
	if !slices.Equal(joined, drawn) {
		t.Errorf("blocks %v, want %v", joined, drawn)
	}
}

func TestMeasuredValue(t *testing.T) {
	m := review()
	scan := subject{"table-A", "SCAN"}
	for _, test := range []struct {
		line   string
		want   float64
		before bool
	}{{"raw", 639, true}, {"workload-scaled-1", 479, false}, {"other", -1, false}} {
		if got, before := measuredValue(m, test.line, "b", scan, stats[1]); got != test.want || before != test.before {
			t.Errorf("%s: %g, %v", test.line, got, before)
		}
	}
	if got, _ := measuredValue(nil, "raw", "b", scan, stats[1]); got != -1 {
		t.Errorf("nothing measured: %g", got)
	}
}
