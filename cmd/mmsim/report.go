package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"mmsim/configs"
	"mmsim/results"
	"mmsim/results/compare"
	"mmsim/results/waits"
)

// warn says what the reader of runs should know first.
func warn(w io.Writer, runs []*results.Run) {
	for _, run := range runs {
		for i := range run.Warnings {
			fmt.Fprintf(w, "warning: %s: %s\n", run.Line, run.Warnings[i].Text)
		}
	}
}

// stuckLines is how many groups of compactions that can't run are shown at most.
const stuckLines = 8

// report prints how the policies compare, what maintenance did, what starved and where the results are: of the worst tables, if there are more.
func report(w io.Writer, r *results.Result, measured *configs.Measured, dir string, worst int) error {
	out := bufio.NewWriter(w)
	if r.Scale != 1 {
		fmt.Fprintf(out, "scale %v: times of maintenance are %v of those at full size\n\n", r.Scale, r.Scale)
	}
	comparison := compare.Latencies(r.Runs, measured)
	if err := latencies(out, r, comparison, worst); err != nil {
		return err
	}
	if comparison.Before >= 0 && comparison.After >= 0 {
		fmt.Fprintf(out, "\nchange from %s to %s, against the review's\n", comparison.Lines[comparison.Before], comparison.Lines[comparison.After])
		if err := comparison.WriteJudgement(out); err != nil {
			return err
		}
		if r.Scale < 1 {
			fmt.Fprintln(out, "one seed at a smaller scale: some rows move by chance there (docs/model.md, scale); judge by the full size")
		}
	}
	fmt.Fprintln(out)
	if err := compare.WriteTotals(out, r.Runs, worst); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nstarvation of flushes and compactions")
	for i := range r.Runs {
		starvation(out, r, i, worst)
	}
	heading := "\ngarbage collection, which clients don't feel\n"
	for i, run := range r.Runs {
		if text := waits.Collected(r.Verdicts[i]); text != "" {
			fmt.Fprintf(out, "%s%s: %s\n", heading, run.Line, text)
			heading = ""
		}
	}
	fmt.Fprintln(out, "\ncompactions that could not run at the end, of tablets above height 1")
	waits.WriteStuck(out, r, stuckLines)
	fmt.Fprintf(out, "\nresults   %s\n", dir)
	return out.Flush()
}

// latencies prints the rows of the worst tables of each phase.
func latencies(out *bufio.Writer, r *results.Result, c *compare.Comparison, worst int) error {
	shown := map[string]compare.Selection{}
	for _, row := range c.Rows {
		if _, seen := shown[row.Phase]; !seen {
			shown[row.Phase] = compare.WorstByChange(r.Runs, row.Phase, "", worst)
		}
	}
	position := map[string]int{}
	for i, t := range r.Runs[0].Tables {
		position[t.Name] = i
	}
	part := c.Only(func(row *compare.Row) bool {
		table, known := position[row.Table]
		return !known || shown[row.Phase].Has(table)
	})
	if err := part.WriteText(out); err != nil {
		return err
	}
	for _, s := range shown {
		if s.Left() > 0 {
			fmt.Fprintf(out, "\nshown are, in each phase, %s; all are in %s\n", s, results.ResultFile)
			break
		}
	}
	return nil
}

// starvation prints the verdicts on the worst tables of a run.
func starvation(out *bufio.Writer, r *results.Result, run, worst int) {
	line, shown := r.Runs[run].Line, compare.WorstVerdicts(r.Verdicts[run], worst)
	for _, table := range shown.Tables {
		fmt.Fprintf(out, "%s: %s\n", line, waits.Sentence(&r.Verdicts[run][table]))
	}
	if shown.Left() == 0 {
		return
	}
	count, order := map[results.Verdict]int{}, []results.Verdict{}
	for table, v := range r.Verdicts[run] {
		if !shown.Has(table) {
			if count[v.Verdict]++; count[v.Verdict] == 1 {
				order = append(order, v.Verdict)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b results.Verdict) int { return count[b] - count[a] })
	var parts []string
	for _, verdict := range order {
		parts = append(parts, fmt.Sprintf("%d %s", count[verdict], verdict))
	}
	fmt.Fprintf(out, "%s: %d more tables: %s; shown are those that starved, then those with the longest waits; all are in %s\n",
		line, shown.Left(), strings.Join(parts, ", "), results.ResultFile)
}
