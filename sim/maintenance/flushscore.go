package maintenance

import "mmsim/sim/engine"

// FlushScore is the perf_improvement of a flush (tablet_replica_mm_ops.cc, SetPerfImprovementForFlush) of a store of
// ram bytes, elapsed ns after the event its kind counts from.
func (c *Config) FlushScore(ram int64, elapsed engine.Time) float64 {
	excess := float64(ram-c.FlushThreshold) / c.MiB
	timeScore := float64(elapsed) / float64(c.FlushUpper)
	if c.Rules.FlushAtThreshold {
		switch {
		case ram >= c.FlushThreshold:
			return max(1, excess)
		case elapsed > c.FlushAfter:
			return min(1, max(timeScore, float64(ram)/float64(c.FlushThreshold)))
		}
		return 0
	}
	switch {
	case ram > c.FlushThreshold:
		return excess
	case elapsed > c.FlushAfter:
		return min(1, timeScore)
	}
	return 0
}
