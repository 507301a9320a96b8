package tablet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// layouts draws tablets of every kind: keys that share long prefixes, are prefixes of each other, equal or not text; rowsets
// of one key, of no bytes, far above the budget.
func layouts(t *rapid.T) (PolicyConfig, []Sized) {
	key := rapid.OneOf(
		rapid.StringMatching(`user[1-9][0-9]{1,18}`),
		rapid.StringMatching(`[a-c]{0,3}`),
		rapid.StringMatching(`same-prefix-[0-9]{2}`),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 12), func(b []byte) string { return string(b) }),
	)
	if rapid.Bool().Draw(t, "digits") {
		key = rapid.StringMatching(`user[1-9][0-9]{1,18}`)
	}
	size := rapid.OneOf(rapid.Int64Range(0, 40*mib), rapid.Int64Range(20*mib, 21*mib), rapid.Just(int64(32*mib)), rapid.Int64Range(0, 300*mib))
	rowset := rapid.Custom(func(t *rapid.T) Sized {
		a, b := key.Draw(t, "a"), key.Draw(t, "b")
		s, err := NewSpan(min(a, b), max(a, b))
		if err != nil {
			t.Fatal(err)
		}
		return Sized{Span: &s, Weight: size.Draw(t, "weight"), Full: size.Draw(t, "full")}
	})
	cfg := kuduPolicy(rapid.SampledFrom([]int64{1, 8, 16, 64, 128, 256, 1000}).Draw(t, "budget"))
	cfg.SmallRowsetTradeoff = rapid.SampledFrom([]float64{0, .009, .2}).Draw(t, "g")
	cfg.MinimumImprovement = rapid.SampledFrom([]float64{0, .01, .01, 1}).Draw(t, "least")
	cfg.ApproximationRatio = rapid.SampledFrom([]float64{1, 1.05}).Draw(t, "ratio")
	if rapid.Bool().Draw(t, "past") {
		cfg.ExactEverywhere, cfg.WidthOnly = rapid.Bool().Draw(t, "exact"), rapid.Bool().Draw(t, "width only")
		cfg.SmallByWeight, cfg.SmallUnbounded = rapid.Bool().Draw(t, "by weight"), rapid.Bool().Draw(t, "unbounded")
	}
	n := rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8, 13, 21, 34}).Draw(t, "n") // rapid alone would draw few
	return cfg, rapid.SliceOfN(rowset, n, n).Draw(t, "rowsets")
}

// checkAgainstReference requires the same places to rounding, and from the same places the same choice to the last bit, by no more knapsacks.
func checkAgainstReference(t interface{ Fatalf(string, ...any) }, p *Planner, cfg PolicyConfig, rowsets []Sized) Selection {
	var got Selection
	if err := p.Select(&cfg, rowsets, &got); err != nil {
		t.Fatalf("%v", err)
	}
	from, to := referencePlaces(rowsets)
	for i := range rowsets {
		if !near(from[i], p.cdf.from[i], 1e-11) || !near(to[i], p.cdf.to[i], 1e-11) {
			t.Fatalf("rowset %d lies at %.15f-%.15f, reference %.15f-%.15f", i, p.cdf.from[i], p.cdf.to[i], from[i], to[i])
		}
	}
	quality, picked, knapsacks := referenceSelect(cfg, rowsets, p.cdf.from, p.cdf.to)
	if got.Quality != quality || !slices.Equal(got.Picked, picked) || got.Knapsacks > knapsacks || cfg.ExactEverywhere && got.Knapsacks != knapsacks {
		t.Fatalf("quality %v picks %v by %d knapsacks, reference %v picks %v by %d", got.Quality, got.Picked, got.Knapsacks, quality, picked, knapsacks)
	}
	return got
}

func TestSameAsReference(t *testing.T) {
	var p Planner
	rapid.Check(t, func(t *rapid.T) {
		cfg, rowsets := layouts(t)
		checkAgainstReference(t, &p, cfg, rowsets)
	})
}

// TestSameAsReferenceInWaves does the same on tablets as flushes leave them, larger than rapid draws.
func TestSameAsReferenceInWaves(t *testing.T) {
	var p Planner
	rng := rand.New(rand.NewPCG(1, 2))
	chosen := 0
	for i := range 60 {
		cfg := kuduPolicy([]int64{64, 128, 256}[i%3])
		cfg.ExactEverywhere = i%5 == 0
		rowsets := waves(t, rng, 1+rng.IntN(10), 1+rng.IntN(16), []float64{32.5, 21, 7.3, .4}[i%4])
		if got := checkAgainstReference(t, &p, cfg, rowsets); got.Quality > 0 {
			chosen++
		}
	}
	if chosen < 40 {
		t.Errorf("only %d of 60 tablets had something to compact", chosen)
	}
}

func TestSelectionInvariants(t *testing.T) {
	var p Planner
	rapid.Check(t, func(t *rapid.T) {
		cfg, rowsets := layouts(t)
		cfg.SmallRowsetTradeoff = min(cfg.SmallRowsetTradeoff, cfg.MinimumImprovement) // else one too heavy rowset may win
		var got, again Selection
		if err := p.Select(&cfg, rowsets, &got); err != nil {
			t.Fatal(err)
		}
		if got.Quality != 0 && got.Quality <= float64(float32(cfg.MinimumImprovement)) || (got.Quality > 0) != (len(got.Picked) > 0) {
			t.Fatalf("quality %v with %d picked", got.Quality, len(got.Picked))
		}
		if got.Weight > cfg.Budget/cfg.WeightUnit {
			t.Fatalf("picked %d units", got.Weight)
		}
		if got.Height < 0 || got.Height > float64(len(rowsets))+1e-9 || got.HeightRemoved < 0 || got.HeightRemoved > got.Height+1e-9 {
			t.Fatalf("height %v, removed %v", got.Height, got.HeightRemoved)
		}
		if h := p.Height(rowsets); h != got.Height {
			t.Fatalf("height %v, then %v", got.Height, h)
		}
		shuffled := rapid.Permutation(rowsets).Draw(t, "shuffled")
		if err := p.Select(&cfg, shuffled, &again); err != nil {
			t.Fatal(err)
		}
		if !near(got.Height, again.Height, 1e-9) {
			t.Fatalf("height %v, shuffled %v", got.Height, again.Height)
		}
	})
}

// TestInputOrderIsIdle: where no keys are equal, the order of the input changes neither the quality nor the picks.
func TestInputOrderIsIdle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	cfg := kuduPolicy(128)
	for range 20 {
		rowsets := waves(t, rng, 1+rng.IntN(12), 1+rng.IntN(20), 32.5)
		order := rng.Perm(len(rowsets))
		shuffled := make([]Sized, len(rowsets))
		for i, from := range order {
			shuffled[i] = rowsets[from]
		}
		a, b := mustSelect(t, cfg, rowsets), mustSelect(t, cfg, shuffled)
		for i := range b.Picked {
			b.Picked[i] = int32(order[b.Picked[i]])
		}
		if a.Quality != b.Quality || !slices.Equal(a.Picked, b.Picked) {
			t.Fatalf("quality %v picks %v, shuffled %v picks %v", a.Quality, a.Picked, b.Quality, b.Picked)
		}
	}
}

func TestSelectAllocatesNothing(t *testing.T) {
	var p Planner
	var out Selection
	cfg := kuduPolicy(128)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, mb := range []float64{32.5, 21} {
		rowsets := waves(t, rng, 16, 32, mb)
		run := func() {
			if err := p.Select(&cfg, rowsets, &out); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if n := testing.AllocsPerRun(10, run); n != 0 {
			t.Errorf("%v allocations a call", n)
		}
	}
}

// waves returns a tablet of stacked waves, each of so many disjoint rowsets with a smaller one at the end, in the order
// written, with decimal keys as YCSB makes them.
func waves(t testing.TB, rng *rand.Rand, height, rowsets int, mb float64) (rs []Sized) {
	for range height {
		cuts := make([]uint64, 2*rowsets)
		for i := range cuts {
			cuts[i] = uint64((float64(i/2) + .001*rng.Float64() + .999*float64(i%2)) / float64(rowsets) * (1<<63 - 1))
		}
		names := make([]string, len(cuts))
		for i, c := range cuts {
			names[i] = fmt.Sprintf("user%019d", c)
		}
		for i := range rowsets {
			size := mb
			if i > 0 && i == rowsets-1 {
				size *= rng.Float64()
			}
			rs = append(rs, sized(t, names[2*i], names[2*i+1], int64(size*mib)))
		}
	}
	return rs
}

// even makes all rowsets as large as the first.
func even(rowsets []Sized) []Sized {
	for i := range rowsets {
		rowsets[i].Weight, rowsets[i].Full = rowsets[0].Weight, rowsets[0].Full
	}
	return rowsets
}

func BenchmarkSelect(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, bb := range []struct {
		name    string
		rowsets []Sized
	}{
		{"n=24,H=24,20MB", waves(b, rng, 24, 1, 20)},
		{"n=512,H=16,32MB", waves(b, rng, 16, 32, 32.5)},
		{"n=512,H=16,even", even(waves(b, rng, 16, 32, 32.5))},
		{"n=512,H=16,21MB", waves(b, rng, 16, 32, 21)},
		{"n=512,H=1,32MB", waves(b, rng, 1, 512, 32.5)},
		{"n=512,H=512,1MB", waves(b, rng, 512, 1, 1.5)},
		{"ycsb", ycsbRowsets(b)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			var p Planner
			var out Selection
			cfg := kuduPolicy(128)
			b.ReportAllocs()
			for b.Loop() {
				if err := p.Select(&cfg, bb.rowsets, &out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkHeight(b *testing.B) {
	rowsets := waves(b, rand.New(rand.NewPCG(9, 10)), 16, 32, 32.5)
	var p Planner
	b.ReportAllocs()
	for b.Loop() {
		p.Height(rowsets)
	}
}
