package calibrate

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNonNegative(t *testing.T) {
	rows := [][]float64{{1, 0}, {1, 1}, {1, 2}}
	ones := []float64{1, 1, 1}
	for _, c := range []struct {
		name            string
		target, weights []float64
		want            []float64
	}{
		{"a line", []float64{1, 3, 5}, ones, []float64{1, 2}},
		{"falling: the slope stays 0 and the mean is left", []float64{3, 2, 1}, ones, []float64{2, 0}},
		{"below 0 at 0: through the origin, 1*1 + 2*3 over 1 + 4", []float64{-1, 1, 3}, ones, []float64{0, 1.4}},
		{"a point of no weight", []float64{1, 9, 5}, []float64{1, 0, 1}, []float64{1, 2}},
	} {
		if got := nonNegative(rows, c.target, c.weights); !near(c.want, got) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// No small step from what is found that stays at or above 0 makes the sum of squares smaller.
func TestNonNegativeIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n, p = 7, 3
		rows, target, weights := matrix(n, p), make([]float64, n), make([]float64, n)
		for i := range rows {
			for j := range p {
				rows[i][j] = float64(rapid.IntRange(0, 5).Draw(t, "x"))
			}
			target[i], weights[i] = rapid.Float64Range(-5, 5).Draw(t, "y"), 1
		}
		if len(dependent(rows)) > 0 {
			t.Skip("columns depend on each other")
		}
		squares := func(b []float64) (sum float64) {
			for i, row := range rows {
				d := target[i] - dot(row, b)
				sum += d * d
			}
			return sum
		}
		best := nonNegative(rows, target, weights)
		for j := range p {
			for _, step := range []float64{-1e-3, 1e-3} {
				b := slices.Clone(best)
				if b[j] += step; b[j] >= 0 && squares(b) < squares(best)-1e-9 {
					t.Fatalf("%v gives less than %v", b, best)
				}
			}
		}
	})
}

func TestDependent(t *testing.T) {
	for _, c := range []struct {
		rows [][]float64
		want []int
	}{
		{[][]float64{{1, 1, 1}, {1, 2, 1}, {1, 3, 3}}, nil},
		{[][]float64{{1, 1, 1}, {1, 2, 2}, {1, 3, 3}}, []int{1, 2}},
		{[][]float64{{1, 4, 4}, {1, 4, 4}, {1, 4, 4}}, []int{0, 1, 2}},
		{[][]float64{{1, 1, 0}, {1, 2, 0}, {1, 3, 0}}, []int{2}},
	} {
		if got := dependent(c.rows); !slices.Equal(got, c.want) {
			t.Errorf("%v: columns %v, want %v", c.rows, got, c.want)
		}
	}
}
