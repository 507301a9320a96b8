package maintenance

import (
	"fmt"
	"math"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// Rule is the rule under which an op was chosen.
type Rule uint8

// Kudu's rules in the order they are tried (maintenance_manager.cc, FindBestOp).
const (
	None Rule = iota
	LogGC
	MemoryPressure
	LogRetention
	DataGC
	PerfScore
)

// Choice is the outcome of one decision.
type Choice struct {
	Row      int // of the candidates; -1 = nothing to do
	Rule     Rule
	Score    float64
	RunnerUp int // row of the op with the next best score above 0; -1 = none, or no scores were asked for
}

// Memory is what the rules ask of the server's memory, all in percent of its hard limit.
type Memory struct {
	UsedPercent, PressurePercent, SoftPercent float64
}

// Uniform draws the random numbers of the rules, uniform in [0, 1).
type Uniform interface{ Float64() float64 }

// Decide takes one decision about candidates of a single server. ranksAll says that the policy ranks everything. The scores are nil if a
// rule before the scores decided.
func Decide(cfg *Config, policy policies.Policy, ranksAll bool, now engine.Time, c *policies.Candidates, m Memory, rand Uniform) (Choice, []float64, error) {
	d := decider{cfg: cfg, policy: policy, ranks: ranksAll, rand: rand}
	choice, err := d.choose(now, 0, c, m)
	return choice, d.scores, err
}

// decider holds what a decision needs beside the candidates.
type decider struct {
	cfg    *Config
	policy policies.Policy
	ranks  bool // the policy ranks everything: Kudu's rules before the scores are skipped
	rand   Uniform
	scores []float64
}

// choose applies Kudu's rules to the candidates, which are runnable, in Kudu's order. A best is replaced only by a
// strictly better one, so the first of equals wins.
func (d *decider) choose(now engine.Time, server int, c *policies.Candidates, m Memory) (Choice, error) {
	if d.ranks {
		return d.best(now, server, c)
	}
	b := bests(c)
	switch {
	case b.lowIO >= 0: // R1: has no threshold and comes before memory pressure
		return Choice{b.lowIO, LogGC, 0, -1}, nil
	case m.UsedPercent >= m.PressurePercent && d.flushFirst(m) && b.logRAM >= 0: // R2: may draw before it looks for an op
		return Choice{b.logRAM, MemoryPressure, 0, -1}, nil
	case b.logRAM >= 0 && c.WAL[b.logRAM] >= d.cfg.LogTarget: // R3
		return Choice{b.logRAM, LogRetention, 0, -1}, nil
	}
	perf, err := d.best(now, server, c)
	if err != nil {
		return Choice{Row: -1}, err
	}
	if b.data >= 0 && c.Data[b.data] > d.cfg.DataGCMin &&
		(perf.Row < 0 || d.rand.Float64() <= d.cfg.DataGCProbability) { // R4: draws only if there is something else to do
		return Choice{b.data, DataGC, 0, perf.Row}, nil
	}
	return perf, nil
}

// flushFirst draws whether memory pressure forces a flush (KUDU-3407): always at the soft limit, and below it unless
// run_non_memory_ops_prob lets another op run.
func (d *decider) flushFirst(m Memory) bool {
	room, left := m.SoftPercent-m.PressurePercent, m.SoftPercent-m.UsedPercent
	if room <= 0 || left <= 0 || d.cfg.SkipProbability == 0 {
		return true
	}
	return float64(d.rand.Float64()*room) >= float64(d.cfg.SkipProbability*left)
}

// best asks the policy and takes the highest score above 0 (R5).
func (d *decider) best(now engine.Time, server int, c *policies.Candidates) (Choice, error) {
	n := c.Len()
	if cap(d.scores) < n {
		d.scores = make([]float64, n, 2*n)
	}
	d.scores = d.scores[:n]
	clear(d.scores)
	if n == 0 {
		return Choice{Row: -1, RunnerUp: -1}, nil
	}
	if err := d.policy.Score(now, server, c, d.scores); err != nil {
		return Choice{Row: -1}, fmt.Errorf("policy at %.3f s on server %d: %w", float64(now)/1e9, server, err)
	}
	out := Choice{Row: -1, RunnerUp: -1}
	second := 0.0
	for i, s := range d.scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return Choice{Row: -1}, fmt.Errorf("policy at %.3f s on server %d: score %v for %s of tablet %d", float64(now)/1e9, server, s, c.Kind[i], c.Tablet[i])
		}
		switch {
		case s > out.Score:
			out.RunnerUp, second = out.Row, out.Score
			out.Row, out.Score = i, s
		case s > second:
			out.RunnerUp, second = i, s
		}
	}
	if out.Row >= 0 {
		out.Rule = PerfScore
	}
	return out, nil
}

// candidateBests are the rows that lead by what R1 to R4 look at; -1 = none.
type candidateBests struct{ lowIO, logRAM, data int }

func bests(c *policies.Candidates) candidateBests {
	b := candidateBests{-1, -1, -1}
	var io, log, ram, data int64
	for i, k := range c.Kind {
		if k == policies.LogGC && c.WAL[i] > io { // the only op of low I/O
			b.lowIO, io = i, c.WAL[i]
		}
		if c.WAL[i] > log || (c.WAL[i] == log && c.RAM[i] > ram) {
			b.logRAM, log, ram = i, c.WAL[i], c.RAM[i]
		}
		if c.Data[i] > data {
			b.data, data = i, c.Data[i]
		}
	}
	return b
}

// ruleBefore is the first of the rules before the scores that could take a candidate; None if only its score can.
func (c *Config) ruleBefore(ops *policies.Candidates, row int, m Memory) Rule {
	anchored := ops.WAL[row] > 0 || ops.RAM[row] > 0
	switch {
	case ops.Kind[row] == policies.LogGC && ops.WAL[row] > 0:
		return LogGC
	case anchored && m.UsedPercent >= m.PressurePercent:
		return MemoryPressure
	case anchored && ops.WAL[row] >= c.LogTarget:
		return LogRetention
	case ops.Data[row] > c.DataGCMin:
		return DataGC
	}
	return None
}

// Standing is the first rule that could take a candidate with some score; None if it could not win any decision.
func (c *Config) Standing(ops *policies.Candidates, row int, m Memory, ranksAll bool, score float64) Rule {
	if !ranksAll {
		if rule := c.ruleBefore(ops, row, m); rule != None {
			return rule
		}
	}
	if score > 0 {
		return PerfScore
	}
	return None
}
