package fidelity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// scanTimes holds the server's own time for scans against the simulated one.
func scanTimes(all []played) Section {
	factor := machineFactor(all)
	s := Section{Title: "The review in small: what a scan costs the server",
		Text: fmt.Sprintf("The real server shared its two cores with its clients and its own compactions, and served a hundred scans a second from caches gone cold; so its scans took longer than those in a row that the machine was fitted to. One factor for all runs and windows of 5 s, %.2f, is taken out. The fall is where two levels part the windows best. How clear it is says the share of shuffled series that part as well: only where that is small does a run tell when its scans got faster.", factor)}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range all {
		if mean := meanOf(all[i].real.scans); len(all[i].sets) == 0 {
			low, high = min(low, mean), max(high, mean)
		}
	}
	var real, simulated [][]scanWindow
	for i := range all {
		p := &all[i]
		sim := p.sim.like(p.real.scans)
		real, simulated = append(real, p.real.scans), append(simulated, sim)
		s.Checks = append(s.Checks, fallCheck(p.what, p.real.scans, sim))
		if len(p.sets) == 0 { // beside two threads the real server's scans took longer still
			s.Checks = append(s.Checks, between(p.what+": mean scan time, after the factor", Fit, fmt.Sprintf("%.0f us", meanOf(p.real.scans)), low*0.85, high*1.15, factor*meanOf(sim), "%.0f", " us"))
		}
		s.Notes = append(s.Notes, fmt.Sprintf("%s: %.1f %% of shuffled series part as well", p.what, 100*chance(p.real.scans)))
	}
	together := pooled(real)
	s.Checks = append(s.Checks, fallCheck("all runs together", together, pooled(simulated)))
	s.Notes = append(s.Notes, fmt.Sprintf("all runs together, window by window: %.1f %% of shuffled series part as well", 100*chance(together)))
	return s
}

// fallCheck holds the window in which scan time falls.
func fallCheck(what string, real, sim []scanWindow) Check {
	a, b := falls(real), falls(sim)
	return Check{What: what + ": scan time falls in the window from", Basis: Prediction, Measured: fmt.Sprintf("%.0f s", a), Simulated: fmt.Sprintf("%.0f s", b),
		Bound: "one window of 5 s apart", OK: math.Abs(a-b) <= 5.5, Off: math.Abs(a - b)}
}

// pooled is the geometric mean of the runs, window by window; the windows of runs begin within a few tenths of a second.
func pooled(runs [][]scanWindow) []scanWindow {
	var out []scanWindow
	for i := range runs[0] {
		w, sum, n := runs[0][i], 0.0, 0.0
		for _, run := range runs {
			if i < len(run) {
				sum, n = sum+math.Log(run[i].mean), n+1
			}
		}
		w.mean = math.Exp(sum / n)
		out = append(out, w)
	}
	return out
}

// chance is the share of random orders of the windows that two levels part as well as the measured order.
func chance(scans []scanWindow) float64 {
	const orders = 2000
	_, real := parted(scans)
	shuffled, as := slices.Clone(scans), 0
	r := rand.New(rand.NewPCG(1, 1))
	for range orders {
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if _, squares := parted(shuffled); squares <= real {
			as++
		}
	}
	return float64(as) / orders
}

// like gives the simulated scan times of the windows of a recorded run.
func (r *runOps) like(windows []scanWindow) (out []scanWindow) {
	for _, w := range windows {
		sum, n := 0.0, 0.0
		for _, s := range r.scans {
			if middle := (s.from + s.to) / 2; middle >= w.from && middle < w.to {
				sum, n = sum+s.mean, n+1
			}
		}
		if n > 0 {
			out = append(out, scanWindow{w.from, w.to, sum / n})
		}
	}
	return out
}

// machineFactor is measured over simulated scan time, the geometric mean over all windows.
func machineFactor(all []played) float64 {
	sum, n := 0.0, 0.0
	for i := range all {
		real := all[i].real.scans
		for j, w := range all[i].sim.like(real) {
			sum, n = sum+math.Log(real[j].mean/w.mean), n+1
		}
	}
	return math.Exp(sum / n)
}

func meanOf(scans []scanWindow) float64 {
	sum := 0.0
	for _, w := range scans {
		sum += w.mean
	}
	return sum / float64(len(scans))
}

// falls is the beginning of the window from which on a second, lower level describes the logarithms of scan time best (least squares); NaN if none is lower.
func falls(scans []scanWindow) float64 {
	if cut, _ := parted(scans); cut > 0 {
		return scans[cut].from
	}
	return math.NaN()
}

// parted is the first window of the lower level, 0 if there is none, and the sum of squares about the two levels.
func parted(scans []scanWindow) (at int, squares float64) {
	squares = math.Inf(1)
	for cut := 1; cut < len(scans); cut++ {
		before, a := level(scans[:cut])
		after, b := level(scans[cut:])
		if after < before && a+b < squares {
			at, squares = cut, a+b
		}
	}
	return at, squares
}

// level is the mean logarithm of scan time, and the sum of squares about it.
func level(scans []scanWindow) (mean, squares float64) {
	for _, w := range scans {
		mean += math.Log(w.mean) / float64(len(scans))
	}
	for _, w := range scans {
		d := math.Log(w.mean) - mean
		squares += d * d
	}
	return mean, squares
}
