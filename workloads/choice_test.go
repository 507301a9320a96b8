package workloads

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ycsbMix is a mix of YCSB's four operations.
func ycsbMix(read, update, insert, scan float64) *Mix {
	return NewMix(Shares{Read: read, Update: update, Insert: insert, Scan: scan})
}

func TestMix(t *testing.T) {
	tests := []struct {
		mix  *Mix
		u    float64
		want Op
	}{
		{ycsbMix(0, 0.2, 0, 0.8), 0, Update},
		{ycsbMix(0, 0.2, 0, 0.8), 0.1999, Update},
		{ycsbMix(0, 0.2, 0, 0.8), 0.2, Scan},
		{ycsbMix(0, 0, 0.8, 0.2), 0.7999, Insert},
		{ycsbMix(0, 0, 0.8, 0.2), lastUniform, Scan},
		{ycsbMix(1, 1, 1, 1), 0.2499, Read},
		{ycsbMix(1, 1, 1, 1), 0.25, Update},
		{ycsbMix(1, 1, 1, 1), 0.5, Insert},
		{ycsbMix(1, 1, 1, 1), 0.75, Scan},
		{ycsbMix(0.1, 0.2, 0.7, 0), lastUniform, Insert},
		{ycsbMix(0.95, 0.05, 0, 0), lastUniform, Update},
		{ycsbMix(1, 0, 0, 0), lastUniform, Read},
		{NewMix(Shares{Read: 1, Scan: 1, ReadModifyWrite: 1, Delete: 1}), 0.4999, Scan},
		{NewMix(Shares{Read: 1, Scan: 1, ReadModifyWrite: 1, Delete: 1}), 0.5, ReadModifyWrite},
		{NewMix(Shares{Read: 1, Scan: 1, ReadModifyWrite: 1, Delete: 1}), 0.75, Delete},
		{NewMix(Shares{Insert: 3, Upsert: 1}), 0.7499, Insert},
		{NewMix(Shares{Insert: 3, Upsert: 1}), 0.75, Upsert},
		{NewMix(Shares{Upsert: 1}), 0, Upsert},
	}
	for _, tt := range tests {
		if got := tt.mix.At(tt.u); got != tt.want {
			t.Errorf("%+v at %v = %v, want %v", *tt.mix, tt.u, got, tt.want)
		}
	}
}

func TestMixNeverGivesWhatHasNoWeight(t *testing.T) {
	weight := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 1))
	rapid.Check(t, func(t *rapid.T) {
		w := [4]float64{weight.Draw(t, "read"), weight.Draw(t, "update"), weight.Draw(t, "insert"), weight.Draw(t, "scan")}
		if w[0]+w[1]+w[2]+w[3] == 0 {
			return
		}
		m := ycsbMix(w[0], w[1], w[2], w[3])
		u := rapid.OneOf(rapid.Float64Range(0, lastUniform), rapid.SampledFrom([]float64{0, lastUniform})).Draw(t, "u")
		if op := m.At(u); w[op] == 0 {
			t.Fatalf("%v drawn at %v with weights %v", op, u, w)
		}
	})
}

// room is how many keys a client leaves room for that inserts in 80 % of its operations.
func room(t *testing.T, operations int64) int64 {
	c, err := NewChooser("zipfian", 1, float64(operations)*0.8)
	if err != nil {
		t.Fatal(err)
	}
	return int64(c.scrambled.n) - 2
}

func TestExpectedInserts(t *testing.T) {
	for _, tt := range []struct{ operations, want int64 }{{5_000_000, 8_000_000}, {100_000_000, 160_000_000},
		{2_000_000_000, 3_200_000_000}, {0, 0}} {
		if got := room(t, tt.operations); got != tt.want {
			t.Errorf("%d operations: %d, want %d", tt.operations, got, tt.want)
		}
	}
}

// 50,000,000 records, twice the 4,000,000 inserts expected, and one: YCSB counts its last key in.
func TestChooserRoomForInserts(t *testing.T) {
	c, err := NewChooser("zipfian", 50_000_000, 4_000_000)
	if err != nil {
		t.Fatal(err)
	}
	if c.scrambled.n != 58_000_001 {
		t.Errorf("%d keys, want 58000001", c.scrambled.n)
	}
}

func TestChooser(t *testing.T) {
	tests := []struct {
		dist string
		u    float64
		last int64
		want int64
	}{
		{"uniform", 0, 999, 0},
		{"uniform", 0.5, 999, 500},
		{"uniform", lastUniform, 5000, 999},
		{"zipfian", 0, 999, 144},
		{"latest", 0, 999, 999},
		{"latest", 0, 1200, 1200},
		{"latest", lastUniform, 999, 1},
	}
	for _, tt := range tests {
		c, err := NewChooser(tt.dist, 1000, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.At(tt.u, tt.last); got != tt.want {
			t.Errorf("%s at %v, last %d = %d, want %d", tt.dist, tt.u, tt.last, got, tt.want)
		}
	}
}

func TestChooserErrors(t *testing.T) {
	for _, tt := range []struct {
		dist    string
		records int64
		want    string
	}{{"zipf", 10, `"zipf"`}, {"uniform", 0, "0 records"}, {"latest", 2, "2 records"}} {
		if _, err := NewChooser(tt.dist, tt.records, 0); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s over %d: error = %v, want %s in it", tt.dist, tt.records, err, tt.want)
		}
	}
}

func lengths(t *testing.T, dist string, min, max int) *Lengths {
	t.Helper()
	l, err := NewLengths(dist, min, max)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Moments and percentiles of Gray's method, from its closed form, the mean confirmed with YCSB's own generator.
func TestLengths(t *testing.T) {
	tests := []struct {
		dist          string
		max           int
		mean, first   float64
		p50, p95, p99 int
	}{
		{"zipfian", 100, 18.867921, 0.188873, 7, 77, 95},
		{"zipfian", 1000, 132.774234, 0.129384, 23, 688, 928},
		{"uniform", 100, 50.5, 0.01, 50, 95, 99},
		{"uniform", 1, 1, 1, 1, 1, 1},
		{"zipfian", 1, 1, 1, 1, 1, 1},
		{"zipfian", 2, 2 - 1/1.5034777750283594, 1 / 1.5034777750283594, 1, 2, 2},
	}
	for _, tt := range tests {
		l, mean, before := lengths(t, tt.dist, 1, tt.max), 0.0, 0.0
		for i, below := range l.below {
			mean += float64(i+1) * (below - before)
			before = below
		}
		if !near(mean, tt.mean, 1e-7) || math.Abs(l.below[0]-tt.first) > 1e-6 {
			t.Errorf("%s 1..%d: mean %v, P(1) %v, want %v, %v", tt.dist, tt.max, mean, l.below[0], tt.mean, tt.first)
		}
		for _, p := range []struct {
			u    float64
			want int
		}{{0.5, tt.p50}, {0.95, tt.p95}, {0.99, tt.p99}} {
			if got := l.At(p.u - 1e-12); got != p.want {
				t.Errorf("%s 1..%d: quantile %v = %d, want %d", tt.dist, tt.max, p.u, got, p.want)
			}
		}
	}
}

// The table gives what the formula gives, but for uniforms within rounding of a step.
func TestLengthsAgainstFormula(t *testing.T) {
	l, z := lengths(t, "zipfian", 1, 100), NewZipfian(1, 100)
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Float64Range(0, lastUniform).Draw(t, "u")
		low, high := z.At(max(u-1e-13, 0)), z.At(min(u+1e-13, lastUniform))
		if got := int64(l.At(u)); got < low || got > high {
			t.Fatalf("At(%v) = %d, want %d", u, got, z.At(u))
		}
	})
}

func TestLengthsRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.IntRange(1, 50).Draw(t, "min")
		high := low + rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, 3000)).Draw(t, "more")
		l, err := NewLengths(rapid.SampledFrom([]string{"uniform", "zipfian"}).Draw(t, "dist"), low, high)
		if err != nil {
			t.Fatal(err)
		}
		u := rapid.Float64Range(0, lastUniform).Draw(t, "u")
		if l.At(0) != low || l.At(lastUniform) != high || l.At(u) < low || l.At(u) > high {
			t.Fatalf("%d, %d, %d on [%d, %d]", l.At(0), l.At(u), l.At(lastUniform), low, high)
		}
	})
}

func TestLengthsErrors(t *testing.T) {
	for _, tt := range []struct {
		dist     string
		min, max int
		want     string
	}{{"zipf", 1, 10, `"zipf"`}, {"uniform", 0, 10, "from 0"}, {"uniform", 11, 10, "from 11 to 10"}} {
		if _, err := NewLengths(tt.dist, tt.min, tt.max); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error = %v", tt, err)
		}
	}
}
