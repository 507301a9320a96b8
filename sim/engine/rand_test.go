package engine

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// SplitMix64 from state 0 with the standard step gives these, by its reference implementation.
func TestSplitMix64(t *testing.T) {
	r := Rand{gamma: goldenGamma}
	for i, want := range []uint64{16294208416658607535, 7960286522194355700, 487617019471545679} {
		if got := r.Uint64(); got != want {
			t.Errorf("draw %d = %d, want %d", i, got, want)
		}
	}
}

// Results of whole experiments hang on these numbers: a change of them changes every result.
func TestStreamGolden(t *testing.T) {
	r := Stream(15995, 1, "t0/c0/7", "append")
	for i, want := range []uint64{9354719430484206577, 17132652900304780874, 8801712835604543241} {
		if got := r.Uint64(); got != want {
			t.Errorf("draw %d = %d, want %d", i, got, want)
		}
	}
	if got, want := r.Float64(), 0.7644109825452022; got != want {
		t.Errorf("Float64 = %v, want %v", got, want)
	}
	if got, want := r.Int64N(1_000_000_007), int64(58585103); got != want {
		t.Errorf("Int64N = %v, want %v", got, want)
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[Rand]string{}
	add := func(r Rand, what string) {
		if other, ok := seen[r]; ok {
			t.Errorf("%s and %s are one stream", what, other)
		}
		if r.gamma&1 == 0 {
			t.Errorf("%s: even step", what)
		}
		seen[r] = what
	}
	add(Stream(1, 0, "a", "b"), "base")
	add(Stream(2, 0, "a", "b"), "seed")
	add(Stream(1, 1, "a", "b"), "replication")
	add(Stream(1, 0, "c", "b"), "entity")
	add(Stream(1, 0, "a", "c"), "purpose")
	add(Stream(1, 0, "b", "a"), "swapped")
	add(Stream(1, 0, "ab", ""), "moved left")
	add(Stream(1, 0, "", "ab"), "moved right")
	add(Stream(1, 0, "a\x00", "b"), "zero byte")
}

// Neighbouring streams are uncorrelated: r of n pairs has standard deviation 1/sqrt(n).
func TestStreamsUncorrelated(t *testing.T) {
	const n = 100_000
	var sum float64
	for i := range n {
		a, b := Stream(7, i, "x", "y"), Stream(7, i+1, "x", "y")
		sum += (a.Float64() - 0.5) * (b.Float64() - 0.5) * 12
	}
	if r := sum / n; math.Abs(r) > 5/math.Sqrt(n) {
		t.Errorf("correlation %v", r)
	}
}

func TestUniform(t *testing.T) {
	const n, cells = 1_000_000, 100
	r := Stream(3, 0, "x", "y")
	var float, integer [cells]float64
	for range n {
		float[int(r.Float64()*cells)]++
		integer[r.Int64N(cells)]++
	}
	for _, counts := range [][cells]float64{float, integer} {
		var chi2 float64
		for _, c := range counts {
			chi2 += (c - n/cells) * (c - n/cells) / (n / cells)
		}
		// 99 degrees of freedom: mean 99, standard deviation 14.
		if math.Abs(chi2-99) > 5*14 {
			t.Errorf("chi2 = %v", chi2)
		}
	}
}

func TestRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Stream(rapid.Uint64().Draw(t, "seed"), 0, "x", "y")
		n := rapid.Int64Range(1, math.MaxInt64).Draw(t, "n")
		if k := r.Int64N(n); k < 0 || k >= n {
			t.Fatalf("Int64N(%d) = %d", n, k)
		}
		if u := r.Float64(); u < 0 || u >= 1 {
			t.Fatalf("Float64 = %v", u)
		}
	})
}
