package axis

import (
	"math"
	"testing"
)

// 300 rows between 0 and 0.75 and 100 between 0.5 and 1 of the key space: 200 rows, then 150, then 50 lie between their ends.
func TestPlaces(t *testing.T) {
	bars := []Range{{0, .875}, {.5, 1}, {.875, .875}}
	want := []Range{{0, .75}, {.5, 1}, {.75, .75}}
	weights := []float64{300, 100, 1}
	for i, got := range Places(bars, weights) {
		if math.Abs(got.From-want[i].From) > 1e-9 || math.Abs(got.To-want[i].To) > 1e-9 {
			t.Errorf("rowset %d lies at %v, want %v", i, got, want[i])
		}
	}
	if off := Misfit(bars, weights); off > 1e-9 {
		t.Errorf("a misfit of %v of the data, want none", off)
	}
	if off := Misfit([]Range{{0, .5}, {.5, 1}}, []float64{300, 100}); math.Abs(off-.25) > 1e-9 {
		t.Errorf("halves of 300 and 100 rows: a misfit of %v, want 0.25", off)
	}
}
