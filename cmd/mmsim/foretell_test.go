package main

import (
	"testing"
	"time"

	"mmsim/configs"
)

// What was foretold holds to a factor of two against what runs took: user CPU and bytes of the result folder without plots, of one policy (raw).
func TestForetell(t *testing.T) {
	for _, c := range []struct {
		name  string
		scale float64
		cpu   float64 // s, measured once
		bytes float64
	}{
		{"review-15995", 0.01, 1.9, 12.2e6},
		{"review-15995", 0.04, 2.35, 13.0e6},
		{"review-15995", 0.05, 13, 43.0e6},
		{"review-15995", 0.1, 12.4, 47.5e6},
		{"review-15995", 0.1, 16.9, 46.2e6}, // under a workload score
		{"review-15995", 1, 55, 0},
	} {
		doc, err := configs.LoadEmbedded(c.name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := doc.Experiment.Scaled(c.scale)
		if err != nil {
			t.Fatal(err)
		}
		f := foretell(e)
		if cpu := f.cpu.Seconds(); f.open || cpu < c.cpu/2 || cpu > 2*c.cpu {
			t.Errorf("%s at %v: %.2f s foretold, %v s measured", c.name, c.scale, cpu, c.cpu)
		}
		if c.bytes > 0 && (f.bytes < c.bytes/2 || f.bytes > 2*c.bytes) {
			t.Errorf("%s at %v: %.3g bytes foretold, %.3g measured", c.name, c.scale, f.bytes, c.bytes)
		}
	}
}

func TestForecastInWords(t *testing.T) {
	for want, f := range map[string]forecast{
		"foretold, to a factor of two or so: 1.8 s of CPU and 12 MB of results a policy, plots aside":                  {cpu: 1800 * time.Millisecond, bytes: 12.2e6},
		"foretold, to a factor of two or so: 50 s of CPU and less than 1 MB of results a policy, plots aside":          {cpu: 50 * time.Second, bytes: 1e5},
		"foretold, to a factor of two or so: 2h3m0s of CPU and 1000 MB of results a policy, plots aside":               {cpu: 2*time.Hour + 3*time.Minute, bytes: 1e9},
		"CPU time and size of the results can't be foretold: clients without a target do as much as there is time for": {open: true},
		"foretold, to a factor of two or so: less than 1 s of CPU and 2 MB of results a policy, plots aside":           {cpu: time.Millisecond, bytes: 2e6},
	} {
		if got := f.String(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
