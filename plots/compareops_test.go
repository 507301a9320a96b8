package plots

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/results/oplog"

	"gonum.org/v1/plot/plotter"
)

// opLog makes a log of kind, tablet, start and seconds; no seconds = unfinished.
func opLog(t *testing.T, name string, lines ...string) *oplog.Log {
	t.Helper()
	text := "op\ttablet\tchosen_s\tran_s\n"
	for _, line := range lines {
		text += strings.ReplaceAll(line, " ", "\t") + "\n"
	}
	l, err := oplog.Read(name, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func bothSides(t *testing.T) (real, sim *oplog.Log) {
	real = opLog(t, "some/where/real/ops.tsv", "FlushMRS hot/0 0 1", "CompactRowSets hot/1 1 2", "CompactRowSets cold/0 3 1", "LogGC hot/0 4 0.001", "CompactRowSets hot/0 5 ")
	sim = opLog(t, "result (raw)", "CompactRowSets hot/1 0 2", "CompactRowSets hot/0 2 1", "CompactRowSets 1e2876 8 1")
	if err := real.ReadHeights("h", strings.NewReader("t_s\thot/0\thot/1\tcold/0\n0\t3\t3\t2\n2\t3\t1\t2\n6\t1\t1\t1\n")); err != nil {
		t.Fatal(err)
	}
	return real, sim
}

func TestDrawOps(t *testing.T) {
	real, sim := bothSides(t)
	c := oplog.Compare(real, sim, "CompactRowSetsOp", "the first op of each side")
	var drawn [][]byte
	for _, name := range []string{"a.svg", "b.svg", "c.png"} {
		var b bytes.Buffer
		if err := DrawOps(&b, name, real, sim, c); err != nil {
			t.Fatal(err)
		}
		drawn = append(drawn, b.Bytes())
	}
	if !bytes.Equal(drawn[0], drawn[1]) {
		t.Error("the same input gives other bytes")
	}
	for _, want := range []string{">real/ops.tsv<", ">result (raw)<", ">hot<", ">cold<", ">table unknown<", ">CompactRowSets<", ">FlushMRS<", ">order parts here<",
		">time since the first op of each side<", ">CompactRowSets: 3 real, 3 simulated, the first 1 in the same order, Kendall tau 1.000 over 2<", ">2 tablets<", ">mean over the tablets of each table; the simulated side tells none<"} {
		if !strings.Contains(string(drawn[0]), want) {
			t.Errorf("no %s", want)
		}
	}
	if err := DrawOps(io.Discard, "x.gif", real, sim, c); err == nil {
		t.Error("a .gif was drawn")
	}
}

func TestOpLanes(t *testing.T) {
	real, sim := bothSides(t)
	want := opLanes{tables: []string{"", "cold", "hot"}, first: []int{0, 1, 2}, lane: map[string]int{"1e2876": 0, "cold/0": 1, "hot/0": 2, "hot/1": 3}, n: 4}
	if diff := cmp.Diff(want, lanesOf(real, sim), cmp.AllowUnexported(opLanes{})); diff != "" {
		t.Error(diff)
	}
	a, b := opLog(t, "a", "CompactRowSets t/x 0 1", "CompactRowSets t/y 1 1"), opLog(t, "b", "CompactRowSets t/0 0 1")
	if lanes := lanesOf(a, b); lanes.n != 2 || lanes.lane["t/x"] != 0 || lanes.lane["t/y"] != 1 || lanes.lane["t/0"] != 0 {
		t.Errorf("no name is on both sides: %+v", lanes)
	}
	var lines []string
	for i := range mostLanes + 1 {
		lines = append(lines, "CompactRowSets t"+strconv.Itoa(i%2)+"/"+strconv.Itoa(i)+" 0 1")
	}
	if lanes := lanesOf(opLog(t, "many", lines...)); lanes.n != 2 || lanes.lane["t1/3"] != 1 {
		t.Errorf("%+v", lanes)
	}
}

func TestHeightSteps(t *testing.T) {
	real, _ := bothSides(t)
	want := plotter.XYs{{X: 0, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 2}, {X: 6, Y: 2}, {X: 6, Y: 1}, {X: 6, Y: 1}}
	if diff := cmp.Diff(want, heightSteps(real, "hot")); diff != "" {
		t.Error(diff)
	}
	if heightSteps(real, "none") != nil {
		t.Error("heights of no table")
	}
}

// TestManyTables: a figure grows rather than squeeze its panels.
func TestManyTables(t *testing.T) {
	var lines []string
	for i := range 20 {
		lines = append(lines, "CompactRowSets t"+strconv.Itoa(i)+"/0 0 1")
	}
	l := opLog(t, "many", lines...)
	f := comparedOps(l, l, oplog.Compare(l, l, "CompactRowSetsOp", ""))
	if f.height < slideHeight+5*leastPanel {
		t.Errorf("height %v", f.height)
	}
	few := opLog(t, "few", lines[0])
	if f := comparedOps(few, few, oplog.Compare(few, few, "CompactRowSetsOp", "")); f.height != slideHeight {
		t.Errorf("height %v, want a slide's", f.height)
	}
}
