package oplog

import (
	"strings"
	"testing"

	"mmsim/results"

	"github.com/google/go-cmp/cmp"
)

func TestReached(t *testing.T) {
	real, sim := example(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(real.ReadHeights("h", strings.NewReader("t_s\tta/1\tta/0\ttb/0\n0.5\t3.000\t4.000\t3.000\n1.5\t2.000\t4.000\t3.000\n2.5\t2.000\t1.000\t2.500\n")))
	must(sim.ReadHeights("h", strings.NewReader("t_s\tta/0\tta/1\n0\t1.000\t1\n")))
	want := []TableReach{
		{"ta", Reach{2, 2, 1.5, 2.5}, Reach{2, 2, 0, 0}, []TabletReach{{"ta/0", 2.5, 0}, {"ta/1", 1.5, 0}}},
		{"tb", Reach{1, 0, results.Missing, results.Missing}, Reach{0, 0, results.Missing, results.Missing}, []TabletReach{{"tb/0", results.Missing, results.Missing}}},
	}
	if diff := cmp.Diff(want, Compare(real, sim, "CompactRowSetsOp", "").Reached, near); diff != "" {
		t.Error(diff)
	}
	means := []HeightLine{{"ta", []int64{5e8, 15e8, 25e8}, []float64{3.5, 3, 1.5}}, {"tb", []int64{5e8, 15e8, 25e8}, []float64{3, 3, 2.5}}}
	if diff := cmp.Diff(means, real.Tables); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"time\tta/0\n1\t2\n":   `h:2: the first column is "time", want t_s`,
		"t_s\tta/0\n1\thigh\n": `h:2: height of ta/0: "high" is not a number from 0 to 1e6`,
		"t_s\tta/0\n1\n":       "h:2: 1 columns, want 2: is the file cut off?",
	} {
		if err := real.ReadHeights("h", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
