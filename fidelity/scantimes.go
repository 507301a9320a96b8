package fidelity

import (
	"fmt"
	"math"
)

// scanTimes holds the server's own time for scans against the simulated one.
func scanTimes(all []played) Section {
	s := Section{Title: "The review in small: what a scan costs the server",
		Text: "The real server's two cores were shared with its clients and with the maintenance thread, so its scans take longer than the quiet ones that the machine was fitted to. One factor, the same for all runs and windows, is taken out: the mean of measured over simulated in the quiet windows of the raw runs. What is left is whether scan time falls when it did, and how far."}
	factor := machineFactor(all)
	for i := range all {
		p := &all[i]
		a, okA := fallsAt(p.real.scans)
		b, okB := fallsAt(p.sim.scans)
		c := Check{What: p.what + ": scan time falls to half way in the window from", Basis: Prediction, Measured: fmt.Sprintf("%.0f s", a), Simulated: fmt.Sprintf("%.0f s", b), Bound: "one window of 5 s apart"}
		c.OK, c.Off = okA && okB && math.Abs(a-b) <= 5.5, math.Abs(a-b)
		s.Checks = append(s.Checks, c)
	}
	s.Notes = append(s.Notes, fmt.Sprintf("the machine factor is %.2f", factor))
	return s
}

// machineFactor is measured over simulated scan time.
func machineFactor(all []played) float64 {
	sum, n := 0.0, 0.0
	for i := range all {
		for _, w := range all[i].real.scans {
			if m := meanScan(all[i].sim.scans, w.from, w.to); !math.IsNaN(m) {
				sum, n = sum+w.mean/m, n+1
			}
		}
	}
	return sum / n
}

// meanScan is the mean scan time of the windows that lie within two times.
func meanScan(scans []scanWindow, from, to float64) float64 {
	sum, n := 0.0, 0.0
	for _, w := range scans {
		if middle := (w.from + w.to) / 2; middle >= from && middle < to {
			sum, n = sum+w.mean, n+1
		}
	}
	return sum / n
}

// fallsAt is the beginning of the first window from which on scan time stays nearer to that of the end than to that of the beginning.
func fallsAt(scans []scanWindow) (float64, bool) {
	if len(scans) < 4 {
		return math.NaN(), false
	}
	middle := (scans[0].mean + scans[len(scans)-1].mean) / 2
	for i := len(scans) - 1; i >= 0; i-- {
		if scans[i].mean > middle {
			return scans[min(i+1, len(scans)-1)].from, true
		}
	}
	return scans[0].from, true
}
