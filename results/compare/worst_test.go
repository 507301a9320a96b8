package compare

import (
	"fmt"
	"slices"
	"testing"

	"mmsim/results"
	"mmsim/results/resultstest"
)

// times gives a latency of which so many operations take so long.
func times(phase, table, op string, us int64, n int) results.Latency {
	return resultstest.Latency(phase, table, op, slices.Repeat([]int64{us}, n)...)
}

func tables(names ...string) (all []results.Table) {
	for _, name := range names {
		all = append(all, results.Table{Name: name})
	}
	return all
}

func TestWorstByChange(t *testing.T) {
	names := tables("same", "half", "thrice", "few", "later")
	raw := &results.Run{Line: "raw", Tables: names, Latencies: []results.Latency{
		times("a", "same", "SCAN", 9000, 100), times("a", "half", "SCAN", 200, 100), times("a", "thrice", "INSERT", 10, 100),
		times("a", "few", "SCAN", 10, 19), times("b", "later", "SCAN", 10, 100)}}
	new := &results.Run{Line: "new", Tables: names, Latencies: []results.Latency{
		times("a", "same", "SCAN", 9000, 100), times("a", "half", "SCAN", 100, 100), times("a", "thrice", "INSERT", 30, 100),
		times("a", "few", "SCAN", 9000, 19), times("b", "later", "SCAN", 100, 100)}}
	for _, test := range []struct {
		runs      []*results.Run
		phase, op string
		n         int
		want      string
	}{
		// Thrice is more than half, whichever way it goes. 19 operations tell no p95. Of the rest, the slowest comes first.
		{[]*results.Run{raw, new}, "a", "", 2, "[2 1] the 2 of 5 tables with the largest change of p95 or p99 against raw; 3 left out"},
		{[]*results.Run{raw, new}, "a", "", 3, "[2 1 0] the 3 of 5 tables with the largest change of p95 or p99 against raw; 2 left out"},
		{[]*results.Run{raw, new}, "a", "SCAN", 1, "[1] the 1 of 5 tables with the largest change of SCAN p95 or p99 against raw; 4 left out"},
		{[]*results.Run{raw, new}, "", "", 1, "[4] the 1 of 5 tables with the largest change of p95 or p99 against raw; 4 left out"},
		{[]*results.Run{raw}, "a", "", 2, "[0 1] the 2 of 5 tables with the longest p95 or p99; 3 left out"},
		{[]*results.Run{raw, new}, "a", "", 5, "[0 1 2 3 4] "}, // all, in their order
		{[]*results.Run{raw, new}, "a", "", 9, "[0 1 2 3 4] "},
	} {
		s := WorstByChange(test.runs, test.phase, test.op, test.n)
		if got := fmt.Sprint(s.Tables, " ", s); got != test.want {
			t.Errorf("%q %q %d: %s, want %s", test.phase, test.op, test.n, got, test.want)
		}
	}
}

func TestWorstByWait(t *testing.T) {
	s := WorstByWait([]int64{5, 7, 0, 7}, 3)
	if got := fmt.Sprint(s.Tables, " ", s); got != "[1 3 0] the 3 of 4 tables with the longest waits; 1 left out" {
		t.Error(got)
	}
}

// Tables that starved come before those that waited longer for nobody's fault.
func TestWorstVerdicts(t *testing.T) {
	verdicts := []results.TableVerdict{{Verdict: results.NotStarved, Waits: results.WaitSummary{Max: 9}}, {Verdict: results.Idle}, {Verdict: results.Starved, Waits: results.WaitSummary{Max: 5}}}
	if got := WorstVerdicts(verdicts, 2).Tables; !slices.Equal(got, []int{2, 0}) {
		t.Error(got)
	}
}
