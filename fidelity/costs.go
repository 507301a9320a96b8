package fidelity

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"mmsim/configs"
	"mmsim/fidelity/calibrate"
	"mmsim/files"
)

// costs fits the machine kudu-2core-vm anew to what was measured, and holds the machine that ships with mmsim against the fit.
func costs() (Section, error) {
	s := Section{Title: "What scans, inserts and ops cost",
		Text: "`mmsim calibrate` fits the machine kudu-2core-vm to these measurements: its values lie in the intervals (95 %) of a fit made now, and the median of its errors is held below 10 %."}
	dir, err := files.TempFolder(os.TempDir())
	if err != nil {
		return s, err
	}
	defer dir.Remove()
	in := &calibrate.Input{Name: "fitted", Base: "kudu-2core-vm"}
	for _, name := range []string{"scan-cost.tsv", "insert-cost.tsv"} {
		if err := unpack(name, filepath.Join(dir.Path, name)); err != nil {
			return s, err
		}
	}
	in.Scan, in.Insert = filepath.Join(dir.Path, "scan-cost.tsv"), filepath.Join(dir.Path, "insert-cost.tsv")
	runs := slices.Clone(quiet)
	for i := range allLoaded {
		runs = append(runs, allLoaded[i].run)
	}
	if err := calibrateTo(dir.Path, in, runs...); err != nil {
		return s, err
	}
	fitted, err := calibrate.Run(in)
	if err != nil {
		return s, err
	}
	for _, f := range fitted.Fits {
		if f.Count(calibrate.Fitted) < 20 {
			continue
		}
		c := Check{What: fmt.Sprintf("%s: median error of %d points", f.Name, f.Count(calibrate.Fitted)), Basis: Fit, Measured: "-", Simulated: fmt.Sprintf("%.1f %%", 100*f.MedianError), Bound: "at most 10 %", OK: f.MedianError <= 0.1, Off: 100 * f.MedianError}
		s.Checks = append(s.Checks, c)
		for _, p := range f.Parameters {
			s.Checks = append(s.Checks, Check{What: p.Name, Basis: Fit, Measured: duration(p.Value), Simulated: duration(p.Base),
				Bound: duration(p.Low) + " to " + duration(p.High), OK: p.Low <= p.Base && p.Base <= p.High})
		}
	}
	for _, p := range fitted.Shared {
		s.Checks = append(s.Checks, Check{What: p.Name, Basis: Fit, Measured: fmt.Sprintf("%.3g", p.Value), Simulated: fmt.Sprintf("%.3g", p.Base),
			Bound: fmt.Sprintf("%.3g to %.3g", p.Low, p.High), OK: p.Low <= p.Base && p.Base <= p.High})
	}
	return s, nil
}

// unpack writes a measured file where calibrate can read it.
func unpack(name, path string) error {
	r, err := open(name)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("measured data %s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// duration writes ns with three digits that count.
func duration(ns float64) string {
	if ns < 1 {
		return "0"
	}
	unit := math.Pow(10, math.Floor(math.Log10(ns))-2)
	return configs.Duration(max(1, math.Round(math.Round(ns/unit)*unit))).String()
}
