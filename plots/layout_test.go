package plots

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestLanes(t *testing.T) {
	l := Layout{Rowsets: []Bar{
		{From: .5, To: 1},  // begins where the next ends
		{From: 0, To: .5},  // lowest lane
		{From: 0, To: .9},  // overlaps it
		{From: .5, To: .5}, // a single key, which would be hidden beside others
		{From: .95, To: 1}, // the lowest lane that is free again
	}}
	lane, n := l.lanes()
	if want := []int{0, 0, 1, 2, 1}; !slices.Equal(lane, want) || n != 3 {
		t.Errorf("lanes %v of %d, want %v of 3", lane, n, want)
	}
}

func TestDrawLayout(t *testing.T) {
	wide := []Bar{{From: 0, To: 1, Picked: true}, {From: 0, To: .5}, {From: .5, To: 1, Picked: true}}
	for _, test := range []struct {
		name    string
		rowsets []Bar
		says    string
		zoomed  bool
	}{
		{"wide", wide, "average height 2.0000, after the compaction 1.5000", false},
		{"narrow", append([]Bar{{From: .7001, To: .7002, Picked: true}}, wide[1:2]...), "Around the picked", true},
		{"point", []Bar{{Picked: true}, {Picked: true}}, "Around the picked", true},
		{"none", wide[1:2], "other rowset", false},
	} {
		l := Layout{Title: test.name, Rowsets: test.rowsets, Height: 2, HeightAfter: 1.5}
		var text, picture bytes.Buffer
		if err := errors.Join(DrawLayout(&text, "a.svg", l), DrawLayout(&picture, "a.png", l)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), test.says) || strings.Contains(text.String(), "Around the picked") != test.zoomed {
			t.Errorf("%s: the SVG does not say %q, or has a panel too many", test.name, test.says)
		}
		if size, err := png.DecodeConfig(&picture); err != nil || size.Width != 1920 {
			t.Errorf("%s: %d pixels wide, error %v", test.name, size.Width, err)
		}
	}
	if err := DrawLayout(io.Discard, "a.gif", Layout{}); err == nil {
		t.Error("drew a .gif")
	}
}

func TestShareTicks(t *testing.T) {
	for _, test := range []struct {
		from, to float64
		want     string
	}{
		{0, 1, "0 %, 20 %, 40 %, 60 %, 80 %, 100 %"},
		{.9, 1, "90 %, 92 %, 94 %, 96 %, 98 %, 100 %"},
		{.7, .7005, "70.00 %, 70.01 %, 70.02 %, 70.03 %, 70.04 %, 70.05 %"},
	} {
		var labels []string
		for _, tick := range shareTicks(test.from, test.to) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, ", "); got != test.want {
			t.Errorf("%v to %v: %s, want %s", test.from, test.to, got, test.want)
		}
	}
}
