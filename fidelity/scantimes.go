package fidelity

import (
	"fmt"
	"math"
)

// scanTimes holds the server's own time for scans against the simulated one.
func scanTimes(all []played) Section {
	factor := machineFactor(all)
	s := Section{Title: "The review in small: what a scan costs the server",
		Text: fmt.Sprintf("The real server shared its two cores with its clients and its own compactions, and served a hundred scans a second from caches gone cold; so its scans took longer than those in a row that the machine was fitted to. One factor for all runs and windows of 5 s, %.2f, is taken out. The fall is where two levels part the windows best.", factor)}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range all {
		if mean := meanOf(all[i].real.scans); len(all[i].sets) == 0 {
			low, high = min(low, mean), max(high, mean)
		}
	}
	for i := range all {
		p := &all[i]
		sim := p.sim.like(p.real.scans)
		a, b := falls(p.real.scans), falls(sim)
		s.Checks = append(s.Checks, Check{What: p.what + ": scan time falls in the window from", Basis: Prediction, Measured: fmt.Sprintf("%.0f s", a),
			Simulated: fmt.Sprintf("%.0f s", b), Bound: "one window of 5 s apart", OK: math.Abs(a-b) <= 5.5, Off: math.Abs(a - b)})
		if len(p.sets) == 0 { // beside two threads the real server's scans took longer still
			s.Checks = append(s.Checks, between(p.what+": mean scan time, after the factor", Fit, fmt.Sprintf("%.0f us", meanOf(p.real.scans)), low*0.85, high*1.15, factor*meanOf(sim), "%.0f", " us"))
		}
	}
	return s
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
	best, at := math.Inf(1), math.NaN()
	for cut := 1; cut < len(scans); cut++ {
		before, a := level(scans[:cut])
		after, b := level(scans[cut:])
		if after < before && a+b < best {
			best, at = a+b, scans[cut].from
		}
	}
	return at
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
