package compare

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"mmsim/configs"
	"mmsim/results"
	"mmsim/results/resultstest"
)

// TestLatencies runs testdata/compare. A line of input is a latency or a measured row:
//
//	LINE PHASE TABLE OP US[xCOUNT]...
//	measured PHASE TABLE OP STAT BEFORE AFTER
//
// The commands text and judge print the comparison; before= and after= name the lines that play these roles.
func TestLatencies(t *testing.T) {
	datadriven.RunTest(t, "testdata/compare", func(t *testing.T, d *datadriven.TestData) string {
		runs, measured := parseComparison(t, strings.Split(d.Input, "\n"))
		d.MaybeScanArgs(t, "before", &measured.Before)
		d.MaybeScanArgs(t, "after", &measured.After)
		c := Latencies(runs, measured)
		var b strings.Builder
		write := map[string]func(*strings.Builder) error{
			"text":  func(b *strings.Builder) error { return c.WriteText(b) },
			"judge": func(b *strings.Builder) error { return c.WriteJudgement(b) },
		}[d.Cmd]
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	})
}

func parseComparison(t *testing.T, lines []string) ([]*results.Run, *configs.Measured) {
	t.Helper()
	var runs []*results.Run
	measured := &configs.Measured{}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, line := range lines {
		w := strings.Fields(line)
		if w[0] == "measured" {
			measured.Rows = append(measured.Rows, configs.MeasuredRow{Phase: w[1], Table: w[2], Op: w[3], Stat: w[4], Before: number(w[5]), After: number(w[6])})
			continue
		}
		if len(runs) == 0 || runs[len(runs)-1].Line != w[0] {
			runs = append(runs, &results.Run{Line: w[0]})
		}
		run := runs[len(runs)-1]
		if n := len(run.Phases); n == 0 || run.Phases[n-1].Name != w[1] {
			run.Phases = append(run.Phases, results.Phase{Name: w[1]})
		}
		var us []int64
		for _, v := range w[4:] {
			v, times, _ := strings.Cut(v, "x")
			us = append(us, slices.Repeat([]int64{int64(number(v))}, int(number(cmp.Or(times, "1"))))...)
		}
		run.Latencies = append(run.Latencies, resultstest.Latency(w[1], w[2], w[3], us...))
	}
	return runs, measured
}

func TestWithoutMeasured(t *testing.T) {
	c := Latencies([]*results.Run{resultstest.Run("raw")}, nil)
	var b strings.Builder
	if err := c.WriteText(&b); err != nil || strings.Contains(b.String(), "review") || len(c.Judge()) != 0 {
		t.Error(b.String(), err)
	}
	if len(Latencies(nil, nil).Rows) != 0 {
		t.Error("rows of nothing")
	}
}

func TestAgreement(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		review, simulated float64
		want              Agreement
	}{
		{-39.5, -12, SameDirection}, {-39.5, -2, SameDirection}, {-39.5, -1.99, NoChange}, {-39.5, 2, Opposite}, {12.5, 30, SameDirection},
		{12.5, -3, Opposite}, {0, 0, BothStill}, {-1.6, 1.9, BothStill}, {-1.6, 2, OnlySimulated}, {-1.6, -5, OnlySimulated}, {-39.5, nan, NotSimulated},
	} {
		if got := agreement(test.review, test.simulated); got != test.want {
			t.Errorf("review %v, simulated %v: %q, want %q", test.review, test.simulated, got, test.want)
		}
	}
}
