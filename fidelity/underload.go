package fidelity

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"mmsim/fidelity/calibrate"
)

// loaded is a recorded run of the small review under more load.
type loaded struct {
	run, what string
	end       float64 // s that were watched
	sets      []string
}

// The clients of load/b_raw began 12.3 s before compaction was switched on and those of load/c_raw 11.4 s, as their numbers of operations say.
var allLoaded = []loaded{
	{"load/b_raw", "500 operations a second, scans and updates", 60, []string{"phases[0].duration=74s", "phases[0].events[0].after=12.3s",
		"phases[0].clients[0].target=100 ops/s", "phases[0].clients[1].target=400 ops/s"}},
	{"load/c_raw", "2,750 operations a second, scans and inserts", 120, []string{"maintenance.flush_threshold=8MiB", "phases[0].duration=133s", "phases[0].events[0].after=11.4s",
		"phases[0].clients[0].target=250 ops/s", "phases[0].clients[1].target=2500 ops/s",
		"phases[0].clients[0].workload={scan: 0.2, insert: 0.8}", "phases[0].clients[1].workload={scan: 0.2, insert: 0.8}"}},
}

// fitted is a machine that one of allLoaded is simulated on.
type fitted struct {
	machine string
	basis   Basis
	of      string  // what it was fitted to
	percent float64 // how far off a number may be
}

// underLoad holds both runs on the machine that ships, which is fitted to both among others, and each on one that is fitted without it.
func underLoad(ctx context.Context, seed int, without map[string]string) (Section, error) {
	s := Section{Title: "The review in small under load",
		Text: "The same three tables with more clients, who share the server's two cores. The machine kudu-2core-vm is fitted to both runs and to all quieter ones; besides, each run is foretold on a machine that is fitted to the quiet runs and the other one. Both began with a cold page cache."}
	for i := range allLoaded {
		l := &allLoaded[i]
		real, err := measuredRun(l.run)
		if err != nil {
			return s, err
		}
		for _, on := range []fitted{{"kudu-2core-vm", Fit, "fitted", 20}, {without[l.run], Prediction, "fitted without it", 30}} {
			doc, run, err := simulate(ctx, seed, "real-small", "raw", append([]string{"server.page_cache=cold", "machine=" + on.machine}, l.sets...)...)
			if err != nil {
				return s, err
			}
			sim := simulatedRun(doc, run)
			s.Checks = append(s.Checks, l.checks(real, sim, on)...)
			if on.basis == Prediction {
				s.Notes = append(s.Notes, fmt.Sprintf("%s: a scan took the server %.0f us on average, and takes %.0f us here, on the machine fitted without it: nothing of that was fitted", l.what, meanOf(real.scans), meanOf(sim.like(real.scans))))
			}
		}
	}
	return s, nil
}

func (l *loaded) checks(real, sim *runOps, on fitted) (all []Check) {
	name := func(what string) string { return fmt.Sprintf("%s, %s: %s", l.what, on.of, what) }
	for _, t := range []string{"ta", "tc", "tb"} {
		for _, kind := range []string{"CompactRowSets", "FlushMRS"} {
			a, b := float64(real.count(kind, t, 0, l.end)), float64(sim.count(kind, t, 0, l.end))
			if a > 0 {
				all = append(all, nearOr(name(fmt.Sprintf("%s ops of %s in %.0f s", kind, t, l.end)), on, a, b, 1, "%.0f", ""))
			}
		}
		if a, b := real.reached(t, 3.0005), sim.reached(t, 3.0005); !math.IsNaN(a) {
			all = append(all, nearOr(name("every tablet of "+t+" at height 3"), on, a, b, 0, "%.1f", " s"))
		}
		for _, at := range []float64{10, 30, 60, 90} {
			if a := real.meanHeight(t, at); at <= l.end {
				all = append(all, nearOr(name(fmt.Sprintf("mean height of %s after %.0f s", t, at)), on, a, sim.meanHeight(t, at), 0.5, "%.2f", ""))
			}
		}
	}
	return all
}

// nearOr checks a number against a bound in percent of the measured one, or a least one.
func nearOr(what string, on fitted, measured, simulated, least float64, format, unit string) Check {
	c := near(what, on.basis, measured, simulated, on.percent, format, unit)
	if least > 0 {
		c.Bound += fmt.Sprintf(" or %v", least)
		c.OK = c.OK || math.Abs(simulated-measured) <= least
	}
	return c
}

// quiet are the runs beside which clients did little.
var quiet = []string{"schedule/lr_raw", "schedule/lr_raw2", "schedule/lr_bound1", "schedule/lr_b1h50", "schedule/lr_mt2", "starvation/raw", "starvation/bound1", "starvation/bound10"}

// besides is the table of what clients did in all runs.
const besides = "beside.tsv"

// calibrateTo names runs, and what clients did in them, as input of a calibration.
func calibrateTo(dir string, in *calibrate.Input, runs ...string) error {
	in.Load = filepath.Join(dir, besides)
	if err := unpack(besides, in.Load); err != nil {
		return err
	}
	for _, run := range runs {
		path := filepath.Join(dir, filepath.FromSlash(run), "ops.tsv")
		if err := unpack(run+"/ops.tsv", path); err != nil {
			return err
		}
		in.Ops = append(in.Ops, path)
	}
	return nil
}

// machinesWithout writes for each loaded run the machine that is fitted to the others, and gives their paths.
func machinesWithout(dir string) (map[string]string, error) {
	paths := map[string]string{}
	for i := range allLoaded {
		in := &calibrate.Input{Name: fmt.Sprintf("without-%d", i+1), Base: "kudu-2core-vm"}
		if err := calibrateTo(dir, in, append([]string{allLoaded[1-i].run}, quiet...)...); err != nil {
			return nil, err
		}
		path, _, err := calibrated(dir, in)
		if err != nil {
			return nil, fmt.Errorf("without %s: %w", allLoaded[i].run, err)
		}
		paths[allLoaded[i].run] = path
	}
	return paths, nil
}
