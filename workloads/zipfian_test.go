package workloads

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(got, want, rel float64) bool { return math.Abs(got-want) <= rel*math.Abs(want) }

// grid calls f with n evenly spaced uniforms: an integral without the noise of draws.
func grid(n int, f func(u float64)) {
	for i := range n {
		f((float64(i) + 0.5) / float64(n))
	}
}

// lastUniform is the largest uniform of 53 bits.
const lastUniform = 1 - 0x1p-53

// By summation with extended precision; 10^10 as YCSB has it, which is 1.2e-12 off.
func TestZeta(t *testing.T) {
	tests := []struct {
		n    int64
		want float64
	}{
		{1, 1},
		{2, 1.5034777750283594},
		{10, 2.956107516510364},
		{100, 5.2945688313771635},
		{1000, 7.728953217284738},
		{1_000_000, 15.391849746036804},
		{50_000_000, 19.972465789152},
		{10_000_000_000, 26.469028201751},
	}
	for _, tt := range tests {
		if got := zeta(tt.n); !near(got, tt.want, 1e-12) {
			t.Errorf("zeta(%d) = %.16g, want %.16g", tt.n, got, tt.want)
		}
	}
	sum := zetas[zetaTerms]
	for n := int64(zetaTerms + 1); n <= 10*zetaTerms; n++ {
		sum += math.Pow(float64(n), -Theta)
		if got := zeta(n); !near(got, sum, 1e-13) {
			t.Fatalf("zeta(%d) = %.16g, want %.16g by summation", n, got, sum)
		}
	}
}

func TestEta(t *testing.T) {
	tests := []struct {
		name string
		got  float64
		want float64
	}{
		{"1000", NewZipfian(0, 999).eta, 0.07480608670689803},
		{"10^6", NewZipfian(0, 999_999).eta, 0.13629133339411065},
		{"scrambled", NewScrambled(0, 1000).ranks.eta, 0.21220003380967406},
	}
	for _, tt := range tests {
		if !near(tt.got, tt.want, 1e-11) {
			t.Errorf("eta of %s = %.17g, want %.17g", tt.name, tt.got, tt.want)
		}
	}
}

// Probabilities of the first ranks and mean rank of Gray's method, from its closed form, confirmed with YCSB's own
// generators. They are not Zipf's law.
func TestGrayProbabilities(t *testing.T) {
	tests := []struct {
		n    int64
		p    []float64
		mean float64 // of rank, counted from 1
	}{
		{1000, []float64{0.12938363, 0.06514178, 0.05103964, 0.03633891, 0.02825873, 0.02313592}, 132.774234},
		{1_000_000, []float64{0.06496945, 0.03271067, 0.02614426, 0.01861404, 0.01447509, 0.01185101}, 72646.236},
	}
	const draws = 2_000_000
	for _, tt := range tests {
		z := NewZipfian(1, tt.n)
		counts, sum := make([]float64, len(tt.p)), 0.0
		grid(draws, func(u float64) {
			k := z.At(u)
			sum += float64(k)
			if k <= int64(len(counts)) {
				counts[k-1]++
			}
		})
		for i, want := range tt.p {
			if got := counts[i] / draws; math.Abs(got-want) > 1e-6 {
				t.Errorf("n %d: P(%d) = %.8f, want %.8f", tt.n, i+1, got, want)
			}
			if got := z.below(int64(i)+1) - z.below(int64(i)); math.Abs(got-want) > 1e-8 {
				t.Errorf("n %d: closed form of P(%d) = %.8f, want %.8f", tt.n, i+1, got, want)
			}
		}
		if !near(sum/draws, tt.mean, 1e-5) {
			t.Errorf("n %d: mean %v, want %v", tt.n, sum/draws, tt.mean)
		}
	}
}

func TestZipfianRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Int64Range(-5, 5).Draw(t, "min")
		n := rapid.OneOf(rapid.Int64Range(1, 5), rapid.Int64Range(1, 20_000), rapid.Int64Range(1, 1e12)).Draw(t, "n")
		z := NewZipfian(low, low+n-1)
		u, v := rapid.Float64Range(0, lastUniform).Draw(t, "u"), rapid.Float64Range(0, lastUniform).Draw(t, "v")
		a, b := z.At(min(u, v)), z.At(max(u, v))
		if a < low || a > b || b > low+n-1 {
			t.Fatalf("At(%v) = %d, At(%v) = %d on [%d, %d]", min(u, v), a, max(u, v), b, low, low+n-1)
		}
		if got := z.At(lastUniform); got > low+n-1 {
			t.Fatalf("last = %d", got)
		}
	})
}

// Hottest keys of YCSB's scrambled zipfian, from the closed form over its ranks, confirmed with its own generator.
func TestScrambledHottest(t *testing.T) {
	tests := []struct {
		n    int64
		keys []int64
		p    []float64
		max  int64 // keys above it are drawn again
	}{
		{1000, []int64{211, 620, 393, 802, 769}, []float64{0.038864, 0.020195, 0.016438, 0.012061, 0.009589}, 999},
		{1001, []int64{144, 610, 213, 679, 10}, []float64{0.038608, 0.019955, 0.016035, 0.011663, 0.009337}, 999},
	}
	for _, tt := range tests {
		s, counts, accepted := NewScrambled(0, tt.n), make([]float64, tt.n), 0.0
		grid(2_000_000, func(u float64) {
			if k := s.At(u); k <= tt.max {
				counts[k]++
				accepted++
			}
		})
		for i, k := range tt.keys {
			if got := counts[k] / accepted; math.Abs(got-tt.p[i]) > 1e-4 {
				t.Errorf("%d keys: P(%d) = %.6f, want %.6f", tt.n, k, got, tt.p[i])
			}
		}
	}
}

// The base ranks have the same probabilities whatever the number of keys.
func TestScrambledRanks(t *testing.T) {
	z := NewScrambled(0, 50_000_001).ranks
	keys := []int64{21742512, 43024675, 29178187, 460349, 17806359, 46524197}
	for i, want := range []float64{0.0377800043, 0.0190213925, 0.0153143685, 0.0109034367, 0.0084789902, 0.0069418982} {
		k := int64(i)
		if got := z.below(k+1) - z.below(k); math.Abs(got-want) > 1e-10 {
			t.Errorf("P(rank %d) = %.10f, want %.10f", i, got, want)
		}
		if got := NewScrambled(0, 50_000_001).At((z.below(k) + z.below(k+1)) / 2); got != keys[i] {
			t.Errorf("rank %d is key %d, want %d", i, got, keys[i])
		}
	}
}

func TestLatest(t *testing.T) {
	l := NewLatest(1000)
	const newest, next = 0.1294016, 0.0651508 // 1/zeta(999) and 2^-theta/zeta(999)
	tests := []struct {
		u    float64
		last int64
		want int64
	}{
		{0, 999, 999},
		{newest - 1e-7, 999, 999},
		{newest + 1e-7, 999, 998},
		{newest + next - 2e-7, 999, 998},
		{newest + next + 2e-7, 999, 997},
		{lastUniform, 999, 1}, // key 0 is never chosen
		{0, 1500, 1500},
		{1/zeta(1500) - 1e-9, 1500, 1500},
		{1/zeta(1500) + 1e-9, 1500, 1499},
		{lastUniform, 1500, 1},
		{newest + 1e-7, 999, 998}, // the same as before: nothing depends on history
	}
	for _, tt := range tests {
		if got := l.At(tt.u, tt.last); got != tt.want {
			t.Errorf("At(%v, %d) = %d, want %d", tt.u, tt.last, got, tt.want)
		}
	}
}
