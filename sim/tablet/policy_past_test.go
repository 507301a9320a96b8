package tablet

import (
	"fmt"
	"testing"
)

// The qualities that Kudu's commit of the two-pass search prints for its YCSB tablet, before and after it: no value for small rowsets and 1.01 for the union, then
// searched exactly everywhere, or only where approximation promises 1.05 of the best. Of 6,815 knapsack problems none is left to solve.
func TestSearchesOf2016(t *testing.T) {
	rowsets := ycsbRowsets(t)
	for _, tt := range []struct {
		budget           int64
		exact, slackened float64
	}{{128, 0.118006, 0.117985}, {256, 0.254289, 0.252118}, {1024, 1.06674, 1.06674}} {
		cfg := kuduPolicy(tt.budget)
		cfg.WidthOnly = true
		if got := mustSelect(t, cfg, rowsets); !near(got.Quality, tt.slackened, 6e-6) || got.Knapsacks != 0 {
			t.Errorf("budget %d: quality %.6f by %d knapsacks after approximation, want %.6f by none", tt.budget, got.Quality, got.Knapsacks, tt.slackened)
		}
		cfg.ExactEverywhere = true
		if got := mustSelect(t, cfg, rowsets); !near(got.Quality, tt.exact, 6e-6) || got.Weight > tt.budget || got.Knapsacks != 6815 {
			t.Errorf("budget %d: quality %.6f with %d MB by %d knapsacks, searched exactly, want %.6f by 6815", tt.budget, got.Quality, got.Weight, got.Knapsacks, tt.exact)
		}
	}
}

// side lays rowsets of a weight and a full size in MiB side by side.
func side(t *testing.T, n int, weight, full int64) (rs []Sized) {
	for i := range n {
		r := sized(t, fmt.Sprintf("%010d", i), fmt.Sprintf("%010d", i+1), weight*mib)
		r.Full = full * mib
		rs = append(rs, r)
	}
	return rs
}

// What each rule of the past brought about: small rowsets that do not overlap were left alone (KUDU-1400); rowsets of the target size whose base data is half of it were
// merged for ever (KUDU-2701); rowsets above the target size were too dear to be merged (KUDU-2704).
func TestSmallRowsetsInThePast(t *testing.T) {
	twins := side(t, 100, 64, 64)
	for i := range twins { // apart from each other
		twins[i] = sized(t, fmt.Sprintf("%010d", 2*i), fmt.Sprintf("%010d", 2*i+1), 64*mib)
	}
	twins = append(twins, twins[0])
	for _, tt := range []struct {
		name           string
		rowsets        []Sized
		past           func(*PolicyConfig)
		picked, before int
	}{
		{"KUDU-1400", side(t, 40, 1, 1), func(c *PolicyConfig) { c.WidthOnly = true }, 40, 0},
		{"KUDU-2701", side(t, 8, 16, 32), func(c *PolicyConfig) { c.SmallByWeight = true }, 0, 8},
		{"KUDU-2704", twins, func(c *PolicyConfig) { c.SmallUnbounded = true }, 2, 0},
	} {
		cfg := kuduPolicy(128)
		now := mustSelect(t, cfg, tt.rowsets)
		tt.past(&cfg)
		before := mustSelect(t, cfg, tt.rowsets)
		if len(now.Picked) != tt.picked || len(before.Picked) != tt.before {
			t.Errorf("%s: picks %v now and %v before, want %d and %d", tt.name, now.Picked, before.Picked, tt.picked, tt.before)
		}
	}
}
