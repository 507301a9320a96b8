package tablet

import (
	"testing"

	"pgregory.net/rapid"
)

// TestHeightAfter: on the axis of four equal sizes A and B share [0, 1/2], C is [1/2, 3/4] and D [3/4, 1].
func TestHeightAfter(t *testing.T) {
	rowsets := []Sized{
		sized(t, "C", "D", 32*mib), sized(t, "A", "B", 32*mib), sized(t, "A", "B", 32*mib), sized(t, "D", "E", 32*mib)}
	var p Planner
	out := mustSelectWith(t, &p, kuduPolicy(64), rowsets)
	for i, want := range [][2]float64{{.5, .75}, {0, .5}, {0, .5}, {.75, 1}} {
		if from, to := p.Places(i); !near(from, want[0], 1e-12) || !near(to, want[1], 1e-12) {
			t.Errorf("rowset %d lies at [%v, %v], want %v", i, from, to, want)
		}
	}
	for _, tt := range []struct {
		picked []int32
		want   float64 // of 1.5 before
	}{
		{nil, 1.5},
		{[]int32{1, 2}, 1},          // two rowsets over half of the axis become one
		{[]int32{1, 2, 0, 3}, 1},    // all become one layer
		{[]int32{0, 3}, 1.5},        // rowsets end to end
		{[]int32{2, 3}, 1.5 + 1./4}, // across C, which the result overlaps
	} {
		out.Picked = tt.picked
		if got := p.HeightAfter(&out); !near(got, tt.want, 1e-12) {
			t.Errorf("picked %v: height after %v, want %v", tt.picked, got, tt.want)
		}
	}
}

func mustSelectWith(t testing.TB, p *Planner, cfg PolicyConfig, rowsets []Sized) (out Selection) {
	t.Helper()
	if err := p.Select(&cfg, rowsets, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestHeightFallsByQuality: without value for small rowsets and without support adjustment, quality is the fall in height.
func TestHeightFallsByQuality(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var rowsets []Sized
		for range rapid.IntRange(1, 30).Draw(rt, "n") {
			a, b := rapid.StringN(1, 3, 3).Draw(rt, "a"), rapid.StringN(1, 3, 3).Draw(rt, "b")
			rowsets = append(rowsets, sized(t, min(a, b), max(a, b), rapid.Int64Range(0, 40*mib).Draw(rt, "bytes")))
		}
		cfg := kuduPolicy(rapid.Int64Range(1, 300).Draw(rt, "budget"))
		cfg.SmallRowsetTradeoff, cfg.SupportAdjust = 0, 1
		var p Planner
		out := mustSelectWith(t, &p, cfg, rowsets)
		// the search's range may be wider than that of what it picks, so that the fall is larger
		if after := p.HeightAfter(&out); after < -1e-9 || out.Height-after < out.Quality-1e-9 {
			rt.Fatalf("height %v, after %v, quality %v", out.Height, after, out.Quality)
		}
	})
}
