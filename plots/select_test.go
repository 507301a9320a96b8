package plots

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mmsim/results"
)

// Of five tables each figure shows the two worst, and says how many it leaves out. Table 4 changes most, table 3 waits longest.
func TestFiguresShowTheWorstTables(t *testing.T) {
	s := smallShape
	s.tables = nil
	for i := range 5 {
		s.tables = append(s.tables, fmt.Sprintf("table-%d", i))
	}
	in := made(s)
	in.Worst = 2
	for _, r := range in.Runs {
		for i := range r.Waits {
			r.Waits[i].Since = max(r.Waits[i].Since, r.Waits[i].Until-1e9)
			if w := &r.Waits[i]; w.Table == 3 {
				w.Until, w.Outcome = w.Since+1e12, results.Served
			}
		}
	}
	for i := range in.Runs[1].Latencies {
		if l := &in.Runs[1].Latencies[i]; l.Table == "table-4" {
			l.Hist.Reset()
			_ = l.Hist.RecordValues(3_000_000, l.Count)
		}
	}
	svgs := drawn(t, in)
	for _, test := range []struct{ figure, shows, by string }{
		{"latency-percentiles-b", "table-4", "the largest change of p95 or p99 against raw"},
		{"before-after-b", "table-4", "the largest change of p95 or p99 against raw"},
		{"waiting", "table-3", "the longest waits"},
		{"timeline-raw", "table-4", "the largest change of SCAN p95 or p99 against raw"},
	} {
		svg := svgs[test.figure]
		if want := "Shown are the 2 of 5 tables with " + test.by + "; 3 left out"; !strings.Contains(svg, want) {
			t.Errorf("%s doesn't say %q", test.figure, want)
		}
		named := slices.DeleteFunc(slices.Clone(s.tables), func(name string) bool { return !strings.Contains(svg, name) })
		if len(named) != 2 || !slices.Contains(named, test.shows) {
			t.Errorf("%s shows %v, want %s and another one", test.figure, named, test.shows)
		}
	}
}

// A percentile of too few operations is told by none of the figures.
func TestTooFewOperations(t *testing.T) {
	in := made(smallShape)
	for _, r := range in.Runs {
		for i := range r.Latencies {
			l := &r.Latencies[i]
			l.Hist.Reset()
			_ = l.Hist.RecordValues(50, 37)
			l.Count = 37
		}
		for i := range r.Samples {
			r.Samples[i].Scans = min(r.Samples[i].Scans, 19)
		}
	}
	svgs := drawn(t, in)
	for figure, want := range map[string]string{
		"before-after-b": "- (37)",
		"before-after-a": "- (n): a p99 needs 100 inserts",
		"timeline-raw":   "- (at most 19 scans an interval; a p95 needs 20)",
	} {
		if !strings.Contains(svgs[figure], want) {
			t.Errorf("%s doesn't say %q", figure, want)
		}
	}
}
