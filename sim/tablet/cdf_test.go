package tablet

import (
	"strings"
	"testing"
)

// TestAverageHeight replays Kudu's KeySpaceCdfTest: rowsets of one size, each named by its smallest and largest key.
func TestAverageHeight(t *testing.T) {
	var p Planner
	for _, tt := range []struct {
		rowsets string
		want    float64
	}{
		{"", 0},
		{"AA", 0},
		{"AB", 1},
		{"AB BC", 1},
		{"AB BC CD", 1},
		{"AB CD", 1},
		{"AB CD EF", 1},
		{"AB CC DD", 1},
		{"AB AB", 2},
		{"AB AA BB", 1},
		{"AB AB AB", 3},
		{"AC AC BB", 2},
		{"AC BD", 1.5},
		{"AC BD CE", 5. / 3},
		{"AC BD AC", 7. / 3},
		{"AC CE BD AC CE", 2.6},
	} {
		var rowsets []Sized
		for _, f := range strings.Fields(tt.rowsets) {
			rowsets = append(rowsets, sized(t, f[:1], f[1:], 1000))
		}
		if got := p.Height(rowsets); !near(got, tt.want, 1e-12) {
			t.Errorf("%q: height %v, want %v", tt.rowsets, got, tt.want)
		}
	}
}

// TestPlaces checks places worked out by hand: a weighs 300 bytes over windows 0..8, b 100 over 4..8 in the same byte, so
// the axis holds 150 bytes up to key 4, then 250.
func TestPlaces(t *testing.T) {
	var c cdf
	c.place([]Sized{sized(t, "k\x10", "k\x18", 300), sized(t, "k\x14", "k\x18", 100)})
	for i, want := range [][2]float64{{0, 1}, {150. / 400, 1}} {
		if !near(c.from[i], want[0], 1e-15) || !near(c.to[i], want[1], 1e-15) {
			t.Errorf("rowset %d at %v-%v, want %v", i, c.from[i], c.to[i], want)
		}
	}
}

// TestNarrowRowset: a rowset whose slope is 2^55 times another's leaves the other's sum as it was.
func TestNarrowRowset(t *testing.T) {
	var c cdf
	c.place([]Sized{
		sized(t, "\x01", "\x03", 1000),
		sized(t, "\x01\xff\xff\xff\xff\xff\xff\xff", "\x02", 1000),
	})
	if want := 0.75; !near(c.to[1], want, 1e-12) || !near(c.to[0], 1, 0) {
		t.Errorf("narrow rowset ends at %v, want %v", c.to[1], want)
	}
}
