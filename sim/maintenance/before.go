package maintenance

import (
	"math"

	"mmsim/policies"
)

// oldSegment is log_segment_size_mb of the time when retention went by segments.
const oldSegment = 64 << 20

// beforeScores applies rules R1 to R3. decided is false if the scores are to be asked.
func (d *decider) beforeScores(b candidateBests, c *policies.Candidates, m Memory) (choice Choice, decided bool) {
	if b.lowIO >= 0 { // R1: has no threshold and comes before memory pressure
		return Choice{b.lowIO, LogGC, 0, -1}, true
	}
	if d.flushFirst(m) { // R2: may draw before it looks for an op
		op := b.logRAM
		if !d.cfg.Rules.PressureByWAL {
			op = b.ram
		}
		if op >= 0 {
			return Choice{op, MemoryPressure, 0, -1}, true
		}
		if !d.cfg.Rules.PressureFallsThrough {
			return Choice{Row: -1, RunnerUp: -1}, true
		}
	}
	if b.logRAM >= 0 && c.WAL[b.logRAM] >= d.cfg.retentionLimit() { // R3
		return Choice{b.logRAM, LogRetention, 0, -1}, true
	}
	return Choice{}, false
}

// flushFirst tells whether memory pressure forces a flush. From the soft limit on it always does, and below it unless run_non_memory_ops_prob lets
// another op run (KUDU-3407). Before KUDU-1949 it did as likely as a write was rejected.
func (d *decider) flushFirst(m Memory) bool {
	if !d.cfg.underPressure(m) {
		return false
	}
	if !d.cfg.Rules.EarlyPressure {
		return m.UsedPercent >= 100 || m.UsedPercent+float64(d.rand.Float64()*(100-m.SoftPercent)) > 100
	}
	room, left := m.SoftPercent-m.PressurePercent, m.SoftPercent-m.UsedPercent
	if !d.cfg.Rules.PressureSkip || room <= 0 || left <= 0 || d.cfg.SkipProbability == 0 {
		return true
	}
	return float64(d.rand.Float64()*room) >= float64(d.cfg.SkipProbability*left)
}

// underPressure tells whether memory may come before the scores.
func (c *Config) underPressure(m Memory) bool {
	if c.Rules.EarlyPressure {
		return m.UsedPercent >= m.PressurePercent
	}
	return m.UsedPercent >= m.SoftPercent
}

// retentionLimit is the WAL that an op must retain to come before the scores: log_target_replay_size, and before KUDU-1567 two segments.
func (c *Config) retentionLimit() int64 {
	switch {
	case c.Rules.LogRetentionBySize:
		return c.LogTarget
	case c.WALSegment > 0:
		return 2 * c.WALSegment
	}
	return 2 * oldSegment
}

// candidateBests are the rows that lead by what R1 to R4 look at; -1 = none. A best is replaced only by a strictly better one.
type candidateBests struct{ lowIO, logRAM, ram, data int }

func bests(c *policies.Candidates) candidateBests {
	b := candidateBests{-1, -1, -1, -1}
	var io, log, ram, most, data int64
	for i, k := range c.Kind {
		w, r := c.WAL[i], c.RAM[i]
		if k == policies.LogGC && w > io { // the only op of low I/O
			b.lowIO, io = i, w
		}
		if w > log || (w == log && r > ram) {
			b.logRAM, log, ram = i, w, r
		}
		if r > most {
			b.ram, most = i, r
		}
		if d := c.Data[i]; d > data {
			b.data, data = i, d
		}
	}
	return b
}

// urgency is what the rules before the scores make of a server's state.
type urgency struct {
	pressure, byWAL bool
	retained        int64 // WAL to retain for rule R3
	data            int64 // data GC must free more
}

func (c *Config) urgency(m Memory) urgency {
	u := urgency{pressure: c.underPressure(m), byWAL: c.Rules.PressureByWAL, retained: c.retentionLimit(), data: c.DataGCMin}
	if !c.Rules.DataGC {
		u.data = math.MaxInt64
	}
	return u
}

// rule is the first of the rules before the scores that could take a candidate; None if only its score can.
func (u *urgency) rule(ops *policies.Candidates, row int) Rule {
	wal, ram := ops.WAL[row], ops.RAM[row]
	switch {
	case ops.Kind[row] == policies.LogGC && wal > 0:
		return LogGC
	case u.pressure && (ram > 0 || (wal > 0 && u.byWAL)):
		return MemoryPressure
	case (wal > 0 || ram > 0) && wal >= u.retained:
		return LogRetention
	case ops.Data[row] > u.data:
		return DataGC
	}
	return None
}

// Standing is the first rule that could take a candidate with some score; None if it could not win any decision.
func (c *Config) Standing(ops *policies.Candidates, row int, m Memory, ranksAll bool, score float64) Rule {
	if !ranksAll {
		u := c.urgency(m)
		if rule := u.rule(ops, row); rule != None {
			return rule
		}
	}
	if score > 0 {
		return PerfScore
	}
	return None
}
