package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"

	"mmsim/configs"
	"mmsim/results"
)

// report prints how the policies compare, what starved and where the results are.
func report(w io.Writer, r *results.Result, measured *configs.Measured, dir string, plotted bool) error {
	out := bufio.NewWriter(w)
	if r.Scale != 1 {
		fmt.Fprintf(out, "scale %v: times of maintenance are %v of those at full size\n\n", r.Scale, r.Scale)
	}
	comparison := results.Compare(r.Runs, measured)
	if err := comparison.WriteText(out); err != nil {
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
	fmt.Fprintln(out, "\nstarvation")
	for i, run := range r.Runs {
		for _, verdict := range r.Verdicts[i] {
			fmt.Fprintf(out, "%s: %s\n", run.Line, verdict)
		}
	}
	fmt.Fprintf(out, "\nresults   %s\n", dir)
	if plotted {
		fmt.Fprintf(out, "plots     %s\n", filepath.Join(dir, results.PlotsFolder))
	}
	return out.Flush()
}
