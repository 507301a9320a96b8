package maintenance

import (
	"fmt"
	"slices"

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
	asked  bool // the last decision took the scores
	moved  bool // it gave some score above 0 once
	worth  bool // until then, it was asked about an op with perf above 0
}

// choose applies Kudu's rules to the candidates, which are runnable, in Kudu's order. A best is replaced only by a
// strictly better one, so the first of equals wins.
func (d *decider) choose(now engine.Time, server int, c *policies.Candidates, m Memory) (Choice, error) {
	d.asked = false
	if d.ranks {
		return d.best(now, server, c)
	}
	b := bests(c)
	if choice, decided := d.beforeScores(b, c, m); decided {
		return choice, nil
	}
	perf, err := d.best(now, server, c)
	if err != nil {
		return Choice{Row: -1}, err
	}
	if d.cfg.Rules.DataGC && b.data >= 0 && c.Data[b.data] > d.cfg.DataGCMin &&
		(perf.Row < 0 || d.rand.Float64() <= d.cfg.DataGCProbability) { // R4: draws only if there is something else to do
		return Choice{b.data, DataGC, 0, perf.Row}, nil
	}
	return perf, nil
}

// best asks the policy and takes the highest score above 0 (R5).
func (d *decider) best(now engine.Time, server int, c *policies.Candidates) (Choice, error) {
	d.asked = true
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
		if s-s != 0 { // neither NaN nor infinite minus itself is 0
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
		out.Rule, d.moved = PerfScore, true
	}
	if !d.moved && !d.worth {
		d.worth = slices.ContainsFunc(c.Perf, func(perf float64) bool { return perf > 0 })
	}
	return out, nil
}
