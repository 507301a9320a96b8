package maintenance

import "mmsim/sim/engine"

// wrapped is what a store above the threshold scored before KUDU-2017 (Kudu's e1104e4b8), whatever its size. Kudu subtracted whole MiB the
// wrong way round, threshold - ram, of unsigned numbers: 2^64 less the excess, which as a double is one number for all stores up to 1 GiB above.
const wrapped = 1 << 64

// FlushScore is the perf_improvement of a flush (tablet_replica_mm_ops.cc, SetPerfImprovementForFlush) of a store of
// ram bytes, elapsed ns after the event its kind counts from.
func (c *Config) FlushScore(ram int64, elapsed engine.Time) float64 {
	switch {
	case ram > c.FlushThreshold || ram == c.FlushThreshold && c.Rules.FlushAtThreshold:
		return c.excessScore(ram)
	case elapsed <= c.FlushAfter:
		return 0
	case c.Rules.FlushAtThreshold:
		return min(1, max(c.timeScore(elapsed), float64(ram)/float64(c.FlushThreshold)))
	}
	return min(1, c.timeScore(elapsed))
}

// excessScore is that of a store at or above the threshold: MiB above it.
func (c *Config) excessScore(ram int64) float64 {
	if !c.Rules.FlushByExcess {
		return wrapped
	}
	excess := float64(ram-c.FlushThreshold) / c.MiB
	if c.Rules.FlushAtThreshold {
		return max(1, excess)
	}
	return excess
}

// timeScore is that of an old store: its age in FlushUpper, an hour. Before KUDU-1156 (Kudu's 152695ecf) it was min(600000/(E - 60000), 0.05) at
// an age of E ms, that is 0.05 for 3 h and 21 min and less and less then; its times are given here as parts of the hour.
func (c *Config) timeScore(elapsed engine.Time) float64 {
	if c.Rules.FlushByTime {
		return float64(elapsed) / float64(c.FlushUpper)
	}
	hour := float64(c.FlushUpper)
	if counted := float64(elapsed) - hour/60; counted > 0 {
		return min(0.05, hour/6/counted)
	}
	return 0.05
}
