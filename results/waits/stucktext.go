package waits

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"mmsim/results"
	"mmsim/results/short"
)

// WriteStuck prints, for each policy line, table and reason, the compactions that could not run at the end: those of the highest tablets, at most so many lines.
func WriteStuck(w io.Writer, r *results.Result, most int) {
	type line struct {
		run *results.Run
		results.StuckGroup
	}
	var all []line
	for i, run := range r.Runs {
		for _, g := range r.Stuck[i] {
			all = append(all, line{run, g})
		}
	}
	if len(all) == 0 {
		fmt.Fprintln(w, "none: every tablet is as low as it can be, or its compaction waits or runs")
		return
	}
	byHeight := slices.Clone(all)
	slices.SortStableFunc(byHeight, func(a, b line) int { return cmp.Compare(b.Height, a.Height) })
	least := byHeight[min(most, len(all))-1].Height
	left := most
	for _, l := range all {
		if l.Height < least || left == 0 {
			continue
		}
		left--
		fmt.Fprintf(w, "%s: %s: %s: %s, %s: %s; highest %s at height %.2f on server %d, for %s\n", l.run.Line, l.Table, plural(l.Replicas, "replica"),
			l.State, l.Why, l.Why.Meaning(), l.Op, l.Height, l.Server, short.Duration(l.run.End-l.Since))
	}
	if hidden := len(all) - most; hidden > 0 {
		fmt.Fprintf(w, "%d more, of lower tablets, are in %s\n", hidden, results.ResultFile)
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
