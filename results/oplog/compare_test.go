package oplog

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/results"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// compactions makes a log in the form that scripts make of a server's: time, tablet, score, seconds.
func compactions(t *testing.T, name string, lines ...string) *Log {
	t.Helper()
	text := "start_s\top\ttablet\treason\tseconds\tbytes_written\tinput_rowsets\toutput_rowsets\n"
	for _, line := range lines {
		f := strings.Fields(line)
		inputs := "3"
		if len(f) > 4 {
			inputs = f[4]
		}
		text += f[0] + "\tCompactRowSets\t" + f[1] + "\tperf score=" + f[2] + "\t" + f[3] + "\t\t" + inputs + "\t\n"
	}
	l, err := Read(name, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The sides of the example. Simulated, ta/0's second op comes before tb/0, and tb/0 before ta/0 at the beginning; ta/9 is new.
func example(t *testing.T) (real, sim *Log) {
	return compactions(t, "real", "-5 tz/0 9 1", "0 ta/0 5.5 2", "1.5 ta/0 5.5 0.01 0", "2 tb/0 4 1", "3 tc/0 3 2", "5 ta/0 2 1"),
		compactions(t, "sim", "0 tb/0 4.5 1", "1 ta/0 5.25 1", "2 ta/0 2 3", "5 tc/0 3 1", "6 ta/9 1 unfinished")
}

func TestCompare(t *testing.T) {
	real, sim := example(t)
	c := Compare(real, sim, "CompactRowSetsOp", "their own")
	if o := c.Order; o.By != ByTablet || o.Real != 4 || o.Sim != 5 || o.Prefix != 0 || o.Common != 4 {
		t.Errorf("%+v", o)
	}
	// The real order is ta/0, tb/0, tc/0, ta/0 again; these are simulated as numbers 2, 1, 4 and 3. Of 6 pairs 2 are the wrong way round.
	if want := 1 - 2*2.0/6; math.Abs(float64(c.Order.Tau)-want) > 1e-15 {
		t.Errorf("tau %v, want %v", c.Order.Tau, want)
	}
	first := &Difference{At: 1, Real: &Ref{"ta/0", 1, 0, 5.5}, Sim: &Ref{"tb/0", 1, 0, 4.5}}
	if diff := cmp.Diff(first, c.Order.First); diff != "" {
		t.Error(diff)
	}
	worst := &ScoreDistance{Ref{"tb/0", 1, 2, 4}, Ref{"tb/0", 1, 0, 4.5}, 0.5, 12.5}
	if diff := cmp.Diff(worst, c.Scores.All); diff != "" || c.Scores.Prefix != nil || c.Scores.Compared != 4 {
		t.Error(diff, c.Scores)
	}
	// Ratios 1/2, 1/1, 1/2 and 3/1: too few for a range from 10 to 90 %.
	d := []Durations{{Kind: "CompactRowSetsOp", Real: 4, Sim: 4, RealMedian: 1.5, SimMedian: 1, Pairs: 4, Ratio: 0.75, Low: results.Missing, High: results.Missing}}
	if diff := cmp.Diff(d, c.Durations, near); diff != "" {
		t.Error(diff)
	}
	n := []Count{{"CompactRowSetsOp", "ta", 3, 3}, {"CompactRowSetsOp", "tb", 1, 1}, {"CompactRowSetsOp", "tc", 1, 1}}
	if diff := cmp.Diff(n, c.Counts); diff != "" || c.Window != 6 || c.Real.Idle != 1 {
		t.Error(diff, c.Window, c.Real)
	}
	if want := "time to height 2: the real side tells no heights of tablets"; len(c.NotCompared) != 2 || c.NotCompared[0] != want {
		t.Errorf("not compared: %q", c.NotCompared)
	}
}

var near = cmp.Comparer(func(a, b results.Number) bool {
	return math.Abs(float64(a-b)) < 1e-12 || math.IsNaN(float64(a)) && math.IsNaN(float64(b))
})

func TestSameOrder(t *testing.T) {
	real, _ := example(t)
	c := Compare(real, real, "CompactRowSetsOp", "")
	if o := c.Order; o.Prefix != 4 || o.First != nil || o.Tau != 1 || c.Scores.Prefix.Difference != 0 || c.Durations[0].Ratio != 1 {
		t.Errorf("%+v %+v", o, c.Scores)
	}
	longer := compactions(t, "more", "0 ta/0 5.5 2", "2 tb/0 4 1", "3 tc/0 3 2", "5 ta/0 2 1", "7 ta/1 1 1")
	if d := Compare(real, longer, "CompactRowSetsOp", "").Order.First; d == nil || d.At != 5 || d.Real != nil || d.Sim.Tablet != "ta/1" {
		t.Errorf("%+v", d)
	}
}

// TestNamesDiffer: without tablets of the same name tables are compared, and without those nothing but counts and medians.
func TestNamesDiffer(t *testing.T) {
	real := compactions(t, "real", "0 hot/id-1 5 1", "1 cold/id-2 4 1", "2 hot/id-3 3 1")
	sim := compactions(t, "sim", "0 hot/0 5 2", "1 hot/1 4 2", "2 cold/0 3 2")
	c := Compare(real, sim, "CompactRowSetsOp", "")
	if o := c.Order; o.By != ByTable || o.Prefix != 1 || o.Common != 3 || o.Tau != 0 { // of the two pairs of an op of hot and one of cold one is in the same order
		t.Errorf("%+v", o)
	}
	if c.Scores.All != nil || !slices.ContainsFunc(c.NotCompared, func(s string) bool { return strings.HasPrefix(s, "scores: ") }) {
		t.Errorf("scores %+v, not compared %q", c.Scores, c.NotCompared)
	}
	if c.Durations[0].Pairs != 3 || c.Durations[0].Ratio != 2 {
		t.Errorf("%+v", c.Durations)
	}
	ids := compactions(t, "ids", "0 1e2876 5 1", "1 446d85 4 1")
	c = Compare(ids, sim, "CompactRowSetsOp", "")
	if o := c.Order; o.By != ByNone || o.Tau.Known() || o.First != nil || c.Durations[0].RealMedian != 1 || c.Durations[0].Ratio.Known() {
		t.Errorf("%+v", c)
	}
	if !strings.HasPrefix(c.NotCompared[0], "order and scores: the sides have no tablet and no table of the same name (real 1e2876, simulated hot/0)") {
		t.Errorf("%q", c.NotCompared)
	}
	c = Compare(real, sim, "FlushMRSOp", "")
	if want := "order and scores: neither side has a FlushMRSOp that had something to do"; c.NotCompared[0] != want {
		t.Errorf("%q", c.NotCompared)
	}
}

func TestCompareJSON(t *testing.T) {
	real, sim := example(t)
	for _, c := range []*Comparison{Compare(real, sim, "CompactRowSetsOp", ""), Compare(real, sim, "FlushMRSOp", "")} {
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(data, []byte(`"kendall_tau":`)) || bytes.Contains(data, []byte("NaN")) {
			t.Errorf("%s", data)
		}
	}
}

// TestKendallTau compares with the definition, and with its ends: the same and the reverse order.
func TestKendallTau(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}[:rapid.IntRange(2, 9).Draw(t, "n")]).Draw(t, "places")
		pairs, reverse := make([]opPair, len(places)), make([]opPair, len(places))
		wrong, all := 0.0, 0.0
		for i := range places {
			pairs[i].inSim, reverse[i].inSim = places[i], -places[i]
			for k := range i {
				all++
				if places[k] > places[i] {
					wrong++
				}
			}
		}
		tau := kendallTau(pairs, ByTablet)
		if want := results.Number((all - wrong - wrong) / all); math.Abs(float64(tau-want)) > 1e-12 {
			t.Fatalf("tau %v, want %v", tau, want)
		}
		if back := kendallTau(reverse, ByTablet); math.Abs(float64(back+tau)) > 1e-12 {
			t.Fatalf("tau %v, of the reverse order %v", tau, back)
		}
	})
}
