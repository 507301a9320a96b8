package workloads

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNames(t *testing.T) {
	tests := []struct {
		order Order
		k     int64
		want  string
	}{
		{Hashed, 0, "user6284781860667377211"},
		{Hashed, 42, "user55488592825689361"},
		{Ordered, 5, "user5"},
		{Ordered, 0, "user0"},
		{Padded, 0, "user6284781860667377211"},
		{Padded, 42, "user0055488592825689361"},
		{Uniform, 0, "\xae\x70\x0f\x9b\xaf\xcb\x88\x00"}, // twice 6284781860667377211, to 53 bits
	}
	for _, tt := range tests {
		if got := NewKeys(tt.order).Name(tt.k); got != tt.want {
			t.Errorf("name of %d = %s, want %s", tt.k, got, tt.want)
		}
	}
}

// The share of the numbers below 2^63 whose decimal form sorts before the one given, counted length by length in exact
// arithmetic.
func TestHashedPlace(t *testing.T) {
	tests := []struct {
		form string
		want float64
	}{
		{"0", 0},
		{"1", 0},
		{"123456789", 0.02825766843703787},
		{"1234567890123456789", 0.02825766845191033},
		{"2", 0.1204669080539449},
		{"5", 0.4818676322157798},
		{"50", 0.4818676322157798},
		{"9223372036854775807", 0.9906442030571662},
		{"95", 0.9939766545973028},
		{"99", 0.9987953309194606},
		{"999999999999999999", below1},
	}
	for _, tt := range tests {
		v, err := strconv.ParseUint(tt.form, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := hashedPlace(digits(v)); !near(got, tt.want, 1e-15) {
			t.Errorf("place of %s = %.17g, want %.17g", tt.form, got, tt.want)
		}
	}
}

// A key's place is found by its name too, and the key at that place, if there is one, is at most 10^-15 away.
func TestPlaceOfName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := NewKeys(rapid.SampledFrom([]Order{Hashed, Ordered, Padded, Uniform}).Draw(t, "order"))
		n := number.Draw(t, "number")
		place, ok := k.Place(k.Name(n))
		if want := k.Position(n); !ok || place != want {
			t.Errorf("key %q is at %v (%v), by its number at %v", k.Name(n), place, ok, want)
		}
		if again, ok := k.Place(k.At(place)); ok && !near(again, place, 1e-15) {
			t.Errorf("key %q at %v is at %v (%v)", k.At(place), place, again, ok)
		}
	})
	for _, name := range []string{"", "user", "5", "user05", "user+5", "user9223372036854775808", "user5x"} {
		if _, ok := NewKeys(Hashed).Place(name); ok {
			t.Errorf("%q has a place, but no YCSB key is named so", name)
		}
	}
	for _, name := range []string{"user5", "user06284781860667377211", "user9999999999999999999", "usex6284781860667377211"} {
		if _, ok := NewKeys(Padded).Place(name); ok {
			t.Errorf("%q has a place, but no key of 19 digits is named so", name)
		}
	}
	if got := NewKeys(Padded).At(1); got != "user9223372036854774784" { // 2^63 - 2^10
		t.Errorf("the last key is %q", got)
	}
	if got := NewKeys(Uniform).At(1); got != "\xff\xff\xff\xff\xff\xff\xf8\x00" {
		t.Errorf("the last key is %q", got)
	}
}

// number has any count of digits up to 19.
var number = rapid.Custom(func(t *rapid.T) int64 {
	return rapid.Int64().Draw(t, "bits") & math.MaxInt64 >> rapid.IntRange(0, 62).Draw(t, "shift")
})

func TestDigits(t *testing.T) {
	check := func(v uint64) error {
		form := strconv.FormatUint(v, 10)
		want, err := strconv.ParseUint(form+strings.Repeat("0", 19-len(form)), 10, 64)
		if got := digits(v); got != want {
			return fmt.Errorf("digits of %d = %d, want %d", v, got, want)
		}
		return err
	}
	for v := uint64(1); v <= 1e18; v *= 10 { // where the length changes
		for _, v := range []uint64{v - 1, v} {
			if err := check(v); err != nil {
				t.Error(err)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if err := check(uint64(number.Draw(t, "v"))); err != nil {
			t.Fatal(err)
		}
	})
}

func TestPlacesFollowStringOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, w := number.Draw(t, "v"), number.Draw(t, "w")
		if strconv.FormatInt(v, 10) > strconv.FormatInt(w, 10) {
			v, w = w, v
		}
		for name, place := range map[string]func(uint64) float64{"hashed": hashedPlace, "ordered": orderedPlace} {
			a, b := place(digits(uint64(v))), place(digits(uint64(w)))
			if !(0 <= a && a <= b && b < 1) {
				t.Fatalf("%s: place of %d is %v, of %d %v", name, v, a, w, b)
			}
		}
	})
}

func TestHashedPositionsUniform(t *testing.T) {
	const n = 100_000
	ks, positions := NewKeys(Hashed), make([]float64, n)
	for i := range positions {
		positions[i] = ks.Position(int64(i))
	}
	sort.Float64s(positions)
	distance := 0.0 // Kolmogorov-Smirnov
	for i, p := range positions {
		distance = max(distance, math.Abs(p-(float64(i)+0.5)/n))
	}
	if distance > 1.95/math.Sqrt(n) { // 0.1 % of uniform samples are further away
		t.Errorf("distance from uniform = %v", distance)
	}
}

func TestOrderedPosition(t *testing.T) {
	tests := []struct {
		k    int64
		want float64
	}{{0, 0}, {1, 0}, {10, 0}, {55, 0.5}, {550, 0.5}, {19, 0.1}, {2, 1. / 9}, {math.MaxInt64, 0.9137080}}
	for _, tt := range tests {
		if got := NewKeys(Ordered).Position(tt.k); math.Abs(got-tt.want) > 1e-7 {
			t.Errorf("position of %d = %v, want %v", tt.k, got, tt.want)
		}
	}
}

func TestAtInvertsPosition(t *testing.T) {
	place := map[Order]func(uint64) float64{Hashed: hashedPlace, Ordered: orderedPlace}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(rapid.Float64Range(0, lastUniform), rapid.Float64Range(hashedBend-1e-9, hashedBend+1e-9)).Draw(t, "p")
		for order, place := range place {
			ks := NewKeys(order)
			name := ks.At(p)
			v, err := strconv.ParseUint(strings.TrimPrefix(name, "user"), 10, 64)
			if err != nil || order == Hashed && v > math.MaxInt64 {
				t.Fatalf("At(%v) = %s: no key has this name", p, name)
			}
			got := p
			if v > math.MaxInt64 {
				v /= 10 // digits takes numbers of up to 63 bits
			}
			if got = place(digits(v)); math.Abs(got-p) > 1e-15 {
				t.Fatalf("At(%v) = %s, whose place is %v", p, name, got)
			}
			if q := p + 1e-9; q < 1 && !(name < ks.At(q)) {
				t.Fatalf("At(%v) = %s not before At(%v) = %s", p, name, q, ks.At(q))
			}
			if q := math.Nextafter(p, 1); q < 1 && name > ks.At(q) {
				t.Fatalf("At(%v) = %s after At(%v) = %s", p, name, q, ks.At(q))
			}
		}
	})
}
