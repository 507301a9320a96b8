package calibrate

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Times without any spread give their costs back, with intervals of no width.
func TestFitExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		costs := rapid.SliceOfN(rapid.Float64Range(0, 100), 2, 2).Draw(t, "costs")
		known := rapid.Float64Range(1, 10).Draw(t, "known")
		o := &observations{}
		for i := range 8 {
			x := []float64{1, float64(i)}
			o.x, o.known, o.times = append(o.x, x), append(o.known, known), append(o.times, known+dot(x, costs))
		}
		e := o.fit()
		for j := range costs {
			if math.Abs(e.costs[j]-costs[j]) > 1e-5*(1+costs[j]) || e.half[j] > 1e-5*(1+costs[j]) {
				t.Fatalf("cost %d: %v +- %v, want %v", j, e.costs[j], e.half[j], costs[j])
			}
		}
	})
}

// Equally many log-normal samples as in the measured tables: 95 % of the intervals should hold the truth, and about as many with
// one time in twenty tripled.
func TestFitCoverage(t *testing.T) {
	const samples = 400
	for _, c := range []struct {
		name     string
		draws    bool
		outliers int // one in so many; 0 = none
		least    int // intervals of samples that hold the truth
	}{
		{"means", false, 0, 366},
		{"draws", true, 0, 366},
		{"means with outliers", false, 20, 350},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			costs, held := []float64{100, 8, 15}, make([]int, 3)
			for range samples {
				o := &observations{draws: c.draws}
				for i := range 39 {
					n := float64(1 + i%13*4)
					x := []float64{1, n, n}
					if i%2 == 0 {
						x[2] = 1
					}
					shift := 0.0
					if c.draws {
						shift = -0.3 * 0.3 / 2 // the factor's mean is 1
					}
					ns := dot(x, costs) * math.Exp(shift+0.3*random.NormFloat64())
					if c.outliers > 0 && random.IntN(c.outliers) == 0 {
						ns *= 3
					}
					o.times, o.known, o.x = append(o.times, ns), append(o.known, 0), append(o.x, x)
				}
				e := o.fit()
				for j := range costs {
					if math.Abs(e.costs[j]-costs[j]) <= e.half[j] {
						held[j]++
					}
				}
			}
			for j, n := range held {
				if n < c.least || n > 396 {
					t.Errorf("cost %d: %d of %d intervals hold it, want %d to 396", j, n, samples, c.least)
				}
			}
		})
	}
}

func TestStudentT(t *testing.T) {
	for df, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 1000: 1.962} {
		if got := studentT(df); math.Abs(got-want) > 0.02 {
			t.Errorf("t(%d) = %v, want %v", df, got, want)
		}
	}
}

func TestMedianOf(t *testing.T) {
	// Of ten values the interval reaches from rank floor(5 - 3.1) to ceil(5 + 3.1), counted from 0.
	p := medianOf("s", []float64{9, 1, 2, 3, 4, 5, 6, 7, 8, 0}, 0)
	if p.Value != 4.5 || p.Low != 1 || p.High != 9 {
		t.Errorf("median %v, interval %v to %v, want 4.5, 1 to 9", p.Value, p.Low, p.High)
	}
}
