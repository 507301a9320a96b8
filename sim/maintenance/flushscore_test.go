package maintenance

import (
	"math"
	"testing"

	"mmsim/rules"
	"mmsim/sim/engine"
)

const (
	mebibyte = 1 << 20
	ms       = engine.Time(1e6)
	second   = 1000 * ms
)

// scoreRules are today's rules of flush scores but the one for size.
var scoreRules = rules.Set{FlushByTime: true, FlushByExcess: true}

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
		cfg := Config{MiB: mebibyte, FlushThreshold: c.threshold * mebibyte, FlushAfter: 120 * second, FlushUpper: 3600 * second, Rules: scoreRules}
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

// Before KUDU-1156 age earned at most 0.05; before KUDU-2017 all stores above the threshold scored the same.
func TestFlushScoreOfThePast(t *testing.T) {
	cfg := Config{MiB: mebibyte, FlushThreshold: 64 * mebibyte, FlushAfter: 120 * second, FlushUpper: 3600 * second, Rules: scoreRules}
	score := func(mib float64, elapsed engine.Time) float64 { return cfg.FlushScore(int64(mib*mebibyte), elapsed) }
	if a, b := score(65, ms), score(100, ms); a != 1 || b != 36 {
		t.Errorf("1 and 36 MiB above the threshold score %v and %v", a, b)
	}
	cfg.Rules.FlushByExcess = false
	if a, b := score(65, ms), score(100, ms); a != b || a < 1e9 {
		t.Errorf("before KUDU-2017, stores above the threshold score %v and %v, want the same huge number", a, b)
	}
	cfg.Rules.FlushByTime = false
	for _, c := range []struct {
		elapsed engine.Time
		want    float64
	}{{120 * second, 0}, {121 * second, .05}, {1080 * second, .05}, {12_060 * second, .05}, {24_060 * second, .025}} { // 600 s over the age less 60 s
		if got := score(10, c.elapsed); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("before KUDU-1156, 10 MiB score %v after %d s, want %v", got, c.elapsed/second, c.want)
		}
	}
}
