package engine

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// z of the normal distribution: 1.6448536 at 95 %, 2.3263479 at 99 %, 3.0902323 at 99.9 %, 4.2648908 at 99.999 %.
func TestQuantiles(t *testing.T) {
	tests := []struct {
		name    string
		d       *Dist
		u, want float64
		rel     float64
	}{
		{"log-normal median", LogNormal(8, 0.5), 0.5, 8, 1e-6},
		{"log-normal p95", LogNormal(8, 0.5), 0.95, 8 * math.Exp(0.5*1.6448536), 1e-5},
		{"log-normal p99", LogNormal(8, 0.5), 0.99, 8 * math.Exp(0.5*2.3263479), 2e-4},
		{"log-normal p99.9", LogNormal(8, 0.5), 0.999, 8 * math.Exp(0.5*3.0902323), 1e-7},
		{"log-normal p99.999", LogNormal(8, 2), 0.99999, 8 * math.Exp(2*4.2648908), 1e-6},
		{"log-normal p0.001", LogNormal(8, 2), 0.00001, 8 * math.Exp(-2*4.2648908), 1e-6},
		{"exponential median", Exponential(3), 0.5, 3 * math.Ln2, 1e-6},
		{"exponential p99.999", Exponential(3), 0.99999, 3 * 11.512925464970, 1e-9},
		{"constant", Constant(5), 0.7, 5, 0},
		{"constant at 0", Constant(5), 0, 5, 0},
		{"factor without spread", Factor(0), 0.3, 1, 0},
		{"no mean", Exponential(0), 0.999, 0, 0},
	}
	for _, tt := range tests {
		if got := tt.d.At(tt.u); math.Abs(got-tt.want) > tt.rel*tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestMeans(t *testing.T) {
	tests := []struct {
		name string
		d    *Dist
		want float64
	}{
		{"constant", Constant(5), 5},
		{"exponential", Exponential(40), 40},
		{"log-normal 0.1", LogNormal(1, 0.1), math.Exp(0.005)},
		{"log-normal 1", LogNormal(1, 1), math.Exp(0.5)},
		{"log-normal 1.5", LogNormal(1, 1.5), math.Exp(1.125)},
		{"factor 0.3", Factor(0.3), 1},
		{"factor 1.5", Factor(1.5), 1},
	}
	for _, tt := range tests {
		if got := tt.d.Mean(); math.Abs(got-tt.want) > 1e-12*tt.want {
			t.Errorf("%s: Mean() = %v, want %v", tt.name, got, tt.want)
		}
		if got := meanByQuadrature(tt.d); math.Abs(got-tt.want) > 1e-3*tt.want {
			t.Errorf("%s: sampled mean %v, want %v", tt.name, got, tt.want)
		}
	}
}

// meanByQuadrature integrates At over (0, 1): mid-points, on steps that shrink towards 1, where the tail is.
func meanByQuadrature(d *Dist) float64 {
	const body, tail = 1 << 18, 40
	sum := 0.0
	for i := range body {
		sum += d.At((float64(i)+0.5)/body*0.5) * 0.5 / body
	}
	for k := 1; k < tail; k++ { // [1-2^-k, 1-2^-(k+1)]
		const steps = 1 << 12
		width := math.Exp2(-float64(k+1)) / steps
		for i := range steps {
			sum += d.At(1-math.Exp2(-float64(k))+(float64(i)+0.5)*width) * width
		}
	}
	return sum
}

func TestDistMonotone(t *testing.T) {
	dists := []*Dist{Constant(2), LogNormal(7, 0.2), LogNormal(7, 3), Exponential(11)}
	rapid.Check(t, func(t *rapid.T) {
		u, v := rapid.Float64Range(0, 1-0x1p-53).Draw(t, "u"), rapid.Float64Range(0, 1-0x1p-53).Draw(t, "v")
		u, v = min(u, v), max(u, v)
		for i, d := range dists {
			a, b := d.At(u), d.At(v)
			if a > b*(1+1e-12) {
				t.Fatalf("distribution %d: At(%v) = %v above At(%v) = %v", i, u, a, v, b)
			}
			if !(a > 0) || math.IsInf(b, 0) {
				t.Fatalf("distribution %d: At(%v) = %v, At(%v) = %v", i, u, a, v, b)
			}
		}
	})
}

func TestSampleIsAt(t *testing.T) {
	d := LogNormal(3, 0.7)
	a, b := Stream(1, 0, "x", "y"), Stream(1, 0, "x", "y")
	for range 10_000 {
		if got, want := d.Sample(&a), d.At(b.Float64()); got != want {
			t.Fatalf("Sample = %v, At = %v", got, want)
		}
	}
}
