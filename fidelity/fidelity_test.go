package fidelity

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/files"
)

// TestReport holds docs/fidelity.md against the simulator as it is: `mmsim fidelity` writes it anew. What does not match must have a cause that is known.
func TestReport(t *testing.T) {
	r, err := Run(context.Background(), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Sections {
		for _, c := range r.Sections[i].Checks {
			if !c.OK && c.Why == "" {
				t.Errorf("%s: measured %s, simulated %s, want %s", c.What, c.Measured, c.Simulated, c.Bound)
			}
		}
	}
	written, err := os.ReadFile("../docs/fidelity.md")
	if err != nil {
		t.Fatal(err)
	}
	if written, err = files.Unsealed(written); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), r.Markdown()); diff != "" {
		t.Errorf("docs/fidelity.md is out of date, run mmsim fidelity:\n%s", diff)
	}
}

// Real scan times have two levels; the fall is where they part best.
func TestFalls(t *testing.T) {
	windows := func(means ...float64) (out []scanWindow) {
		for i, m := range means {
			out = append(out, scanWindow{float64(5 * i), float64(5*i + 5), m})
		}
		return out
	}
	for _, c := range []struct {
		means []float64
		want  float64
	}{
		{[]float64{1042, 2167, 3136, 1892, 2475, 722, 706, 652}, 25},
		{[]float64{400, 410, 390, 200, 210, 190}, 15},
		{[]float64{400, 100}, 5},
	} {
		if got := falls(windows(c.means...)); got != c.want {
			t.Errorf("%v falls at %v, want %v", c.means, got, c.want)
		}
	}
}
