package oplog

import (
	"fmt"

	"mmsim/results"
)

// Comparison holds the maintenance ops of a real server against simulated ones. Times are seconds from the zero of each side.
type Comparison struct {
	Kind        string         `json:"kind"` // whose order and scores are compared
	Zero        string         `json:"zero"` // what time 0 is, in words
	Real        Side           `json:"real"`
	Sim         Side           `json:"sim"`
	Order       Order          `json:"order"`
	Scores      Scores         `json:"scores"`
	Durations   []Durations    `json:"durations"` // by kind
	Window      results.Number `json:"window_s"`  // both sides reach from 0 to here; ops are counted that were chosen in it
	Counts      []Count        `json:"counts"`    // by kind and table
	Reached     []TableReach   `json:"height_2"`  // by table
	NotCompared []string       `json:"not_compared"`
}

// Side says what a side is.
type Side struct {
	Label string         `json:"label"` // what messages and figures call it
	Name  string         `json:"name"`
	Ops   int            `json:"ops"`   // from time 0 on
	Idle  int            `json:"idle"`  // of them rowset compactions that found nothing to do, which take part in the counts alone
	End   results.Number `json:"end_s"` // up to when it reaches
}

func secondsOf(ns int64) results.Number { return results.Number(float64(ns) / 1e9) }

// By says what two ops must share to be the same op: kind, and how many of that kind ran before on their tablet or table.
type By string

// What makes ops the same. Tables are the last resort, where the sides name their tablets differently.
const (
	ByTablet By = "tablet"
	ByTable  By = "table"
	ByNone   By = "none" // nothing that both sides name is the same
)

// Order compares the order in which ops of one kind were chosen.
type Order struct {
	By     By             `json:"by"`
	Real   int            `json:"real"`   // ops
	Sim    int            `json:"sim"`    //
	Prefix int            `json:"prefix"` // ops from the first on that are of the same tablets
	Common int            `json:"common"` // ops that both sides have: the n-th of a tablet is the same as the other side's n-th
	Tau    results.Number `json:"kendall_tau"`
	First  *Difference    `json:"first_difference"` // nil = none
}

// Difference is where two orders part.
type Difference struct {
	At   int  `json:"at"`   // from 1
	Real *Ref `json:"real"` // nil = there are no more
	Sim  *Ref `json:"sim"`
}

// Ref names one op.
type Ref struct {
	Tablet string         `json:"tablet"` // or table
	Nth    int            `json:"nth"`    // of its kind on the tablet, from 1
	Chosen results.Number `json:"chosen_s"`
	Score  results.Number `json:"score"`
}

// Scores compares the scores of the ops that both sides have.
type Scores struct {
	Compared int            `json:"compared"`
	Prefix   *ScoreDistance `json:"largest_in_prefix"` // among the ops whose order is the same
	All      *ScoreDistance `json:"largest"`           //
}

// ScoreDistance is how far two scores of an op lie apart.
type ScoreDistance struct {
	Real       Ref            `json:"real"`
	Sim        Ref            `json:"sim"`
	Difference results.Number `json:"difference"` // simulated - real
	Percent    results.Number `json:"percent"`    // of the real one
}

// Durations compares how long the ops of a kind took.
type Durations struct {
	Kind       string         `json:"kind"`
	Real       int            `json:"real"` // ops that ended
	Sim        int            `json:"sim"`
	RealMedian results.Number `json:"real_median_s"`
	SimMedian  results.Number `json:"sim_median_s"`
	Pairs      int            `json:"pairs"`        // ops that both sides have and that took time
	Ratio      results.Number `json:"median_ratio"` // simulated / real, over the pairs
	Low        results.Number `json:"ratio_p10"`
	High       results.Number `json:"ratio_p90"`
}

// Count is how many ops of a kind ran on a table.
type Count struct {
	Kind  string `json:"kind"`
	Table string `json:"table"` // "" = not known
	Real  int    `json:"real"`
	Sim   int    `json:"sim"`
}

// Compare compares two logs from time 0 on, which zero names: the order and scores of one kind, and of all kinds the durations and counts.
func Compare(real, sim *Log, kind, zero string) *Comparison {
	a, b := newOpSet(real), newOpSet(sim)
	c := &Comparison{Kind: kind, Zero: zero, Real: a.side("real"), Sim: b.side("simulated"), NotCompared: []string{}}
	c.order(a, b)
	c.durations(a, b)
	c.counts(a, b)
	c.reached(a, b)
	return c
}

func (c *Comparison) leftOut(format string, args ...any) {
	c.NotCompared = append(c.NotCompared, fmt.Sprintf(format, args...))
}
