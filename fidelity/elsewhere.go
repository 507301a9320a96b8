package fidelity

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mmsim/fidelity/calibrate"
)

// again is runs of the experiment of hotAndCold that were made later, on a machine twice as fast.
type again struct {
	name, line string
	rate       int // inserts a second
	runs       []string
	basis      Basis // of what is simulated on a machine fitted to the first
}

var allAgain = []again{
	{"14,000 inserts a second, bound 1", "bound-1", 14_000, []string{"r14-1", "r14-2", "r14-3", "r14-4", "r14-5", "r14-6"}, Fit},
	{"28,000 inserts a second, bound 1", "bound-1", 28_000, []string{"r28-1", "r28-2", "r28-3"}, Prediction},
	{"28,000 inserts a second, raw", "raw", 28_000, []string{"r28-raw"}, Prediction},
	{"28,000 inserts a second, bound 10", "bound-10", 28_000, []string{"r28-bound10"}, Prediction},
}

// elsewhere fits a machine to the first runs and predicts the others with it.
func elsewhere(ctx context.Context, seed int, machine string) (Section, error) {
	s := Section{Title: "The same on another machine: fitted at one load, predicted at another",
		Text: "The experiment above was repeated later on a machine that is about twice as fast: six times with bound 1, and at twice the inserts a second three times more and with other policies. `mmsim calibrate` fits op costs to the six runs at 14,000 inserts a second, and mmsim predicts the rest with them, on a machine that is as many times as fast as the first in all else as in merging. One hot tablet begins with three waves of 20,000 rows, and the disks had nothing left to write.\n\nWhether a bound of 1 starves a cold table is decided by little: at 28,000 inserts a second two real runs compact all six cold tablets within 10 s, and a third, whose compactions took 5 to 10 % longer, leaves three of them for 37, 50 and 114 s, and a fourth is not compacted in the 120 s that were watched."}
	for _, a := range allAgain {
		checks, err := a.checks(ctx, seed, machine)
		if err != nil {
			return s, fmt.Errorf("%s: %w", a.name, err)
		}
		s.Checks = append(s.Checks, checks...)
	}
	return s, nil
}

func (a *again) checks(ctx context.Context, seed int, machine string) ([]Check, error) {
	var last, flushes, compactions []float64
	var served []int
	for _, name := range a.runs {
		r, err := measuredOps("faster/" + name)
		if err != nil {
			return nil, err
		}
		at, n := coldCompacted(r)
		served, last = append(served, n), append(last, at)
		flushes = append(flushes, float64(r.count("FlushMRS", "hot", 0, 120)))
		compactions = append(compactions, float64(r.count("CompactRowSets", "hot", 0, 120)))
	}
	doc, run, err := simulate(ctx, seed, "real-starvation", a.line, a.setting(machine)...)
	if err != nil {
		return nil, err
	}
	sim := simulatedRun(doc, run)
	checks := []Check{a.cold(served, last, sim)}
	for i, counts := range [][]float64{flushes, compactions} {
		kind := []string{"FlushMRS", "CompactRowSets"}[i]
		low, high := slices.Min(counts), slices.Max(counts)
		c := between(fmt.Sprintf("%s: %s ops of the hot table in 120 s", a.name, kind), a.basis, spread(low, high, "%.0f"), low*0.8, high*1.2, float64(sim.count(kind, "hot", 0, 120)), "%.0f", "")
		checks = append(checks, c)
	}
	return checks, nil
}

// setting is how these runs differ from the experiment.
func (a *again) setting(machine string) []string {
	sets := []string{"machine=" + machine, "server.unsynced=0B", fmt.Sprintf("phases[0].clients[0].target=%d ops/s", a.rate)}
	for i := range 3 {
		sets = append(sets, fmt.Sprintf("initial[1].rowsets[%d].rows=20000", i))
	}
	return sets
}

// cold says when the last cold tablet was compacted.
func (a *again) cold(served []int, last []float64, sim *runOps) Check {
	at, n := coldCompacted(sim)
	c := Check{What: a.name + coldCheck, Basis: a.basis, Simulated: showCold(at, n)}
	if slices.Max(served) == 0 {
		c.Measured, c.Bound, c.OK = "none in 120 s", "none", n == 0
		return c
	}
	var runs []string
	for i := range served {
		runs = append(runs, showCold(last[i], served[i]))
	}
	low, high := 0.85*slices.Min(last), 1.15*slices.Max(last)
	c.Measured = strings.Join(runs, "; ")
	c.Bound = fmt.Sprintf("as many as in one of them, the last at %.1f to %.1f s", low, high)
	c.Off = max(0, low-at, at-high)
	c.OK = n >= slices.Min(served) && c.Off == 0
	return c
}

func spread(low, high float64, format string) string {
	if low == high {
		return fmt.Sprintf(format, low)
	}
	return fmt.Sprintf(format+" to "+format, low, high)
}

// fasterMachine writes the machine that calibrate fits to the first runs, and gives its path. What these don't tell, such as what clients compute, is taken to be as
// many times as fast as on kudu-2core-vm as merging is.
func fasterMachine(dir string) (string, error) {
	var runs []string
	for _, run := range allAgain[0].runs {
		runs = append(runs, "faster/"+run)
	}
	base, factor := "kudu-2core-vm", 1.0
	for { // how fast clients are says how much they slowed the ops, and so how fast merging is
		in := &calibrate.Input{Name: "faster", Base: base, Keep: calibrate.ShareNames}
		if err := calibrateTo(dir, in, runs...); err != nil {
			return "", err
		}
		path, result, err := calibrated(dir, in)
		if err != nil {
			return "", err
		}
		more := 1.0
		for _, f := range result.Fits {
			for _, p := range f.Parameters {
				if p.Name == "op.compact_mib" {
					more = p.Base / p.Value
				}
			}
		}
		if math.Abs(more-1) < 0.02 {
			return path, nil
		}
		factor *= more
		base = filepath.Join(dir, "faster-base.yaml")
		if err := os.WriteFile(base, fmt.Appendf(nil, "name: faster-base\nbase: kudu-2core-vm\nfactor: %.3f\n", factor), 0o600); err != nil {
			return "", err
		}
	}
}

// calibrated fits a machine and writes it.
func calibrated(dir string, in *calibrate.Input) (path string, result *calibrate.Result, err error) {
	if result, err = calibrate.Run(in); err != nil {
		return "", nil, err
	}
	machine, err := result.YAML()
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, in.Name+".yaml")
	return path, result, os.WriteFile(path, machine, 0o600)
}
