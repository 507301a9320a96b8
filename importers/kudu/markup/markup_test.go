package markup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRead: whatever a page lacks, and however its elements are left open, what is there is found.
func TestRead(t *testing.T) {
	const id, other = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	d := Read([]byte("<h1>Tablet " + id + " (RUNNING)</h1><table><tr><th> Count </th><td>3</td></tr><tr><td>a<b>b</b></td><td>never closed</tr></table>" +
		`<svg><rect x="1" fill="#fff"/></svg><pre>kudu 1.18.1` + "\nserver uuid u</pre><pre>open"))
	want := [][]string{{"Count", "3"}, {"ab"}}
	if diff := cmp.Diff(want, d.Rows); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]map[string]string{{"x": "1", "fill": "#fff"}}, d.Rects); diff != "" {
		t.Error(diff)
	}
	if cell, ok := d.Cell("Count"); !ok || cell != "3" {
		t.Errorf("cell %q", cell)
	}
	if _, ok := d.Cell("Min"); ok {
		t.Error("a cell that is not there")
	}
	if block, ok := d.PreWith("server uuid"); !ok || block != "kudu 1.18.1\nserver uuid u" {
		t.Errorf("block %q", block)
	}
	for asked, named := range map[string]string{id: "", other: id, "": ""} {
		if got := d.OtherTablet(asked); got != named {
			t.Errorf("asked for %q: the page is of %q, want %q", asked, got, named)
		}
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"265B": 265, "16.3K": 16691, "1.50M": 1572864, "18.83G": 20218558546, "0B": 0} {
		if got, ok := Size(text); !ok || got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	for _, text := range []string{"", "B", "7", "-1B", "NaNB", "1e30T", "7X"} {
		if got, ok := Size(text); ok {
			t.Errorf("%q: %d", text, got)
		}
	}
}
