package tablet

import (
	"slices"
	"testing"
)

// TestKnapsack replays the vectors of Kudu's knapsack_solver-test.
func TestKnapsack(t *testing.T) {
	items := []item{{value: 500, weight: 3}, {value: 110, weight: 1}, {value: 125, weight: 1}, {value: 100, weight: 1}}
	for _, tt := range []struct {
		capacity int64
		value    float64
		chosen   []int32
	}{
		{1, 125, []int32{2}},
		{2, 235, []int32{2, 1}},
		{3, 500, []int32{0}},
		{10, 835, []int32{3, 2, 1, 0}},
	} {
		var k knapsack
		chosen := k.trace(tt.capacity, items, []int32{0, 1, 2, 3}, nil)
		if k.best() != tt.value || !slices.Equal(chosen, tt.chosen) {
			t.Errorf("capacity %d: %v by %v, want %v by %v", tt.capacity, k.best(), chosen, tt.value, tt.chosen)
		}
	}
}

// TestFilling follows the bounds item by item: capacity 10, densities 1, 3, 2, 4.
func TestFilling(t *testing.T) {
	var f filling
	f.reset(10)
	for i, step := range []struct {
		value        float64
		weight       int64
		lower, upper float64
		choice       []int32
	}{
		{6, 6, 6, 6, []int32{0}},
		{9, 3, 15, 15, []int32{1, 0}},
		{8, 4, 17, 20, []int32{1, 2}}, // 13 units of value 23: 3 of the first, worth 1 each, do not fit
		{40, 10, 40, 40, []int32{3}},  // fills all
		{39, 10, 40, 40, []int32{3}},  // no denser: ignored
		{41, 10, 41, 41, []int32{5}},  // 4.1 a unit
	} {
		f.add(&item{value: step.value, weight: step.weight, density: step.value / float64(step.weight)}, int32(i))
		if f.lower() != step.lower || f.upper() != step.upper || !slices.Equal(f.choice(nil), step.choice) {
			t.Errorf("after item %d: %v to %v by %v, want %v to %v by %v", i, f.lower(), f.upper(), f.choice(nil), step.lower, step.upper, step.choice)
		}
	}
}
