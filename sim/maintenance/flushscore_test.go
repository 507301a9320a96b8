package maintenance

import (
	"math"
	"testing"

	"mmsim/sim/engine"
)

const (
	mebibyte = 1 << 20
	ms       = engine.Time(1e6)
	second   = 1000 * ms
)

// Cases of Kudu's tablet_replica-test and what its formula gives besides, before and after the flush score took size into account.
func TestFlushScore(t *testing.T) {
	for _, c := range []struct {
		name          string
		threshold     int64 // MiB
		ram           float64
		elapsed       engine.Time
		before, after float64
	}{
		{"L1: at the threshold", 64, 64, 1 * ms, 0, 1},
		{"L2: small and old", 64, 2, 180_000 * ms, .05, .05},
		{"L3: above the threshold", 64, 128, 1 * ms, 64, 64},
		{"L5: nearly full and old", 64, 63, 180_000 * ms, .05, .984375},
		{"L6: half a MiB above", 1024, 1024.5, 0, .5, 1},
		{"L8: at the time", 1024, 512, 120_000 * ms, 0, 0},
		{"L8: a ms later", 1024, 512, 120_001 * ms, .0333336, .5},
		{"L9: older than the upper bound", 1024, 1, 7_200_000 * ms, 1, 1},
		{"young and empty", 1024, 0, 1000 * ms, 0, 0},
	} {
		cfg := Config{MiB: mebibyte, FlushThreshold: c.threshold * mebibyte, FlushAfter: 120 * second, FlushUpper: 3600 * second}
		ram := int64(c.ram * mebibyte)
		if got := cfg.FlushScore(ram, c.elapsed); math.Abs(got-c.before) > 1e-7 {
			t.Errorf("%s: %v, want %v", c.name, got, c.before)
		}
		cfg.Rules.FlushAtThreshold = true
		if got := cfg.FlushScore(ram, c.elapsed); math.Abs(got-c.after) > 1e-7 {
			t.Errorf("%s, with size: %v, want %v", c.name, got, c.after)
		}
	}
}
