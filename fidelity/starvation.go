package fidelity

import (
	"context"
	"fmt"
	"math"
	"strings"

	"mmsim/results/oplog"
)

// hotAndCold holds what happens to a cold table beside one under steady inserts.
func hotAndCold(ctx context.Context, seed int) (Section, error) {
	s := Section{Title: "A cold table beside a hot one",
		Text: "Four tablets take 14,000 inserts a second, six wait with three rowsets each; compaction is switched on and 120 s are watched, with one maintenance thread (configs/real-starvation.yaml). What ops take was fitted to the single ops of these runs; what is waited for, how often and how high the tablets get, follows."}
	for _, v := range []struct{ run, line string }{{"raw", "raw"}, {"bound1", "bound-1"}, {"bound10", "bound-10"}} {
		real, err := measuredRun("starvation/" + v.run)
		if err != nil {
			return s, err
		}
		doc, run, err := simulate(ctx, seed, "real-starvation", v.line)
		if err != nil {
			return s, err
		}
		sim := simulatedRun(doc, run)
		s.Checks = append(s.Checks, coldServed(v.line, real, sim))
		for _, kind := range []string{"FlushMRS", "CompactRowSets"} {
			s.Checks = append(s.Checks, near(fmt.Sprintf("%s: %s ops of the hot table in 120 s", v.line, kind), Fit,
				float64(real.count(kind, "hot", 0, 120)), float64(sim.count(kind, "hot", 0, 120)), 20, "%.0f", ""))
		}
		a, b := overTime(real, "hot"), overTime(sim, "hot")
		s.Checks = append(s.Checks, near(v.line+": height of the hot table, mean over 120 s", Fit, a, b, 25, "%.2f", ""))
	}
	return s, nil
}

// coldCheck is how the names of checks end that say when cold tablets were compacted.
const coldCheck = ": cold tablets compacted"

// outcomes are a note for a check that comes out differently with every seed.
func outcomes(c *Check) string {
	all := strings.Join(c.Seeds, "; ")
	if begin, _, ok := strings.Cut(all, lastAt); ok && strings.Count(all, begin+lastAt) == len(c.Seeds) {
		all = begin + lastAt + strings.ReplaceAll(strings.ReplaceAll(all, begin+lastAt, ""), " s; ", ", ")
	}
	return fmt.Sprintf("%s: with seeds 1 to %d %s", c.What, len(c.Seeds), all)
}

// coldServed says when the last cold tablet was compacted.
func coldServed(line string, real, sim *runOps) Check {
	realLast, realN := coldCompacted(real)
	simLast, simN := coldCompacted(sim)
	c := Check{What: line + coldCheck, Basis: Fit, Measured: showCold(realLast, realN), Simulated: showCold(simLast, simN)}
	if realN == 0 {
		c.Bound, c.OK = "none", simN == 0
	} else {
		c.Bound, c.OK = "as many, within 20 s", simN >= realN && simLast <= 20
	}
	return c
}

// coldCompacted is when the last compaction of the cold table in 120 s ended, and how many there were.
func coldCompacted(r *runOps) (last float64, n int) {
	for _, op := range r.compactions() {
		if oplog.TableOf(op.tablet) == "cold" && op.start < 120 {
			last, n = max(last, op.end), n+1
		}
	}
	return last, n
}

const lastAt = ", the last at "

func showCold(last float64, n int) string {
	if n == 0 {
		return "none in 120 s"
	}
	return fmt.Sprintf("%d tablets%s%.1f s", n, lastAt, last)
}

// overTime is a table's mean height from 5 s to 115 s, every 5 s.
func overTime(r *runOps, table string) float64 {
	sum, n := 0.0, 0.0
	for t := 5.0; t <= 115; t += 5 {
		if h := r.meanHeight(table, t); !math.IsNaN(h) {
			sum, n = sum+h, n+1
		}
	}
	return sum / n
}
