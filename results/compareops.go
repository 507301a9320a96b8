package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// OpComparison holds the maintenance ops of a real server against simulated ones. Times are seconds from the zero of each side.
type OpComparison struct {
	Kind        string        `json:"kind"` // whose order and scores are compared
	Zero        string        `json:"zero"` // what time 0 is, in words
	Real        OpSide        `json:"real"`
	Sim         OpSide        `json:"sim"`
	Order       OpOrder       `json:"order"`
	Scores      OpScores      `json:"scores"`
	Durations   []OpDurations `json:"durations"` // by kind
	Window      Number        `json:"window_s"`  // both sides reach from 0 to here; ops are counted that were chosen in it
	Counts      []OpCount     `json:"counts"`    // by kind and table
	Reached     []TableReach  `json:"height_2"`  // by table
	NotCompared []string      `json:"not_compared"`
}

// OpSide says what a side is.
type OpSide struct {
	Label string `json:"label"` // what messages and figures call it
	Name  string `json:"name"`
	Ops   int    `json:"ops"`   // from time 0 on
	Idle  int    `json:"idle"`  // of them rowset compactions that found nothing to do, which take part in the counts alone
	End   Number `json:"end_s"` // up to when it reaches
}

// Number is a number that may be missing: NaN, which JSON writes as null.
type Number float64

// MarshalJSON writes null for a missing number.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// missing is a number that there isn't.
var missing = Number(math.NaN())

func (n Number) known() bool { return !math.IsNaN(float64(n)) }

func secondsOf(ns int64) Number { return Number(float64(ns) / 1e9) }

// By says what two ops must share to be the same op: kind, and how many of that kind ran before on their tablet or table.
type By string

// What makes ops the same. Tables are the last resort, where the sides name their tablets differently.
const (
	ByTablet By = "tablet"
	ByTable  By = "table"
	ByNone   By = "none" // nothing that both sides name is the same
)

// OpOrder compares the order in which ops of one kind were chosen.
type OpOrder struct {
	By     By            `json:"by"`
	Real   int           `json:"real"`   // ops
	Sim    int           `json:"sim"`    //
	Prefix int           `json:"prefix"` // ops from the first on that are of the same tablets
	Common int           `json:"common"` // ops that both sides have: the n-th of a tablet is the same as the other side's n-th
	Tau    Number        `json:"kendall_tau"`
	First  *OpDifference `json:"first_difference"` // nil = none
}

// OpDifference is where two orders part.
type OpDifference struct {
	At   int    `json:"at"`   // from 1
	Real *OpRef `json:"real"` // nil = there are no more
	Sim  *OpRef `json:"sim"`
}

// OpRef names one op.
type OpRef struct {
	Tablet string `json:"tablet"` // or table
	Nth    int    `json:"nth"`    // of its kind on the tablet, from 1
	Chosen Number `json:"chosen_s"`
	Score  Number `json:"score"`
}

// OpScores compares the scores of the ops that both sides have.
type OpScores struct {
	Compared int            `json:"compared"`
	Prefix   *ScoreDistance `json:"largest_in_prefix"` // among the ops whose order is the same
	All      *ScoreDistance `json:"largest"`           //
}

// ScoreDistance is how far two scores of an op lie apart.
type ScoreDistance struct {
	Real       OpRef  `json:"real"`
	Sim        OpRef  `json:"sim"`
	Difference Number `json:"difference"` // simulated - real
	Percent    Number `json:"percent"`    // of the real one
}

// OpDurations compares how long the ops of a kind took.
type OpDurations struct {
	Kind       string `json:"kind"`
	Real       int    `json:"real"` // ops that ended
	Sim        int    `json:"sim"`
	RealMedian Number `json:"real_median_s"`
	SimMedian  Number `json:"sim_median_s"`
	Pairs      int    `json:"pairs"`        // ops that both sides have and that took time
	Ratio      Number `json:"median_ratio"` // simulated / real, over the pairs
	Low        Number `json:"ratio_p10"`
	High       Number `json:"ratio_p90"`
}

// OpCount is how many ops of a kind ran on a table.
type OpCount struct {
	Kind  string `json:"kind"`
	Table string `json:"table"` // "" = not known
	Real  int    `json:"real"`
	Sim   int    `json:"sim"`
}

// CompareOps compares two logs from time 0 on, which zero names: the order and scores of one kind, and of all kinds the durations and counts.
func CompareOps(real, sim *OpLog, kind, zero string) *OpComparison {
	a, b := newOpSet(real), newOpSet(sim)
	c := &OpComparison{Kind: kind, Zero: zero, Real: a.side("real"), Sim: b.side("simulated"), NotCompared: []string{}}
	c.order(a, b)
	c.durations(a, b)
	c.counts(a, b)
	c.reached(a, b)
	return c
}

func (c *OpComparison) leftOut(format string, args ...any) {
	c.NotCompared = append(c.NotCompared, fmt.Sprintf(format, args...))
}

// opSet is the part of a log that is compared.
type opSet struct {
	log *OpLog
	ops []*LoggedOp // from time 0 on
}

func newOpSet(l *OpLog) opSet {
	s := opSet{log: l}
	for i := range l.Ops {
		if l.Ops[i].Chosen >= 0 {
			s.ops = append(s.ops, &l.Ops[i])
		}
	}
	return s
}

func (s opSet) side(label string) OpSide {
	side := OpSide{Label: cmp.Or(s.log.Label, label), Name: s.log.Name, Ops: len(s.ops), End: secondsOf(s.log.End)}
	for _, o := range s.ops {
		if o.Idle() {
			side.Idle++
		}
	}
	return side
}

// busy gives the ops of a kind that had something to do.
func (s opSet) busy(kind string) (ops []*LoggedOp) {
	for _, o := range s.ops {
		if o.Kind == kind && !o.Idle() {
			ops = append(ops, o)
		}
	}
	return ops
}

// named gives the ops by what identifies them, in their order.
func (s opSet) named(ops []*LoggedOp, by By) []namedOp {
	seen := map[string]int{}
	out := make([]namedOp, len(ops))
	for i, o := range ops {
		name := o.Table()
		if by == ByTablet {
			name = o.Tablet
		}
		if s.log.Servers > 1 {
			name += "@" + strconv.Itoa(o.Server)
		}
		seen[name]++
		out[i] = namedOp{opID{name, seen[name]}, o}
	}
	return out
}

// opID identifies an op among those of its kind.
type opID struct {
	name string
	nth  int
}

type namedOp struct {
	opID
	*LoggedOp
}

func (o namedOp) ref() *OpRef { return &OpRef{o.name, o.nth, secondsOf(o.Chosen), Number(o.Score)} }

// identity finds what the ops of both sides can be told apart by.
func identity(a, b []*LoggedOp) By {
	tablets, tables := map[string]bool{}, map[string]bool{}
	for _, o := range a {
		tablets[o.Tablet], tables[o.Table()] = true, true
	}
	by := ByNone
	for _, o := range b {
		if tablets[o.Tablet] {
			return ByTablet
		}
		if table := o.Table(); table != "" && tables[table] {
			by = ByTable
		}
	}
	return by
}

// order compares order and scores of the kind asked for.
func (c *OpComparison) order(a, b opSet) {
	opsA, opsB := a.busy(c.Kind), b.busy(c.Kind)
	by := identity(opsA, opsB)
	c.Order = OpOrder{By: by, Real: len(opsA), Sim: len(opsB), Tau: missing}
	switch {
	case len(opsA) == 0 || len(opsB) == 0:
		c.leftOut("order and scores: %s", c.without(len(opsA), len(opsB)))
		return
	case by == ByNone:
		c.leftOut("order and scores: the sides have no tablet and no table of the same name (%s %s, %s %s); name them by --tables",
			c.Real.Label, opsA[0].Tablet, c.Sim.Label, opsB[0].Tablet)
		return
	case by == ByTable:
		c.leftOut("order by tablet: no tablet has the same name on both sides (%s %s, %s %s), so tables are compared; name tablets by --tables",
			c.Real.Label, opsA[0].Tablet, c.Sim.Label, opsB[0].Tablet)
	}
	namedA, namedB := a.named(opsA, by), b.named(opsB, by)
	o := &c.Order
	for o.Prefix < min(len(namedA), len(namedB)) && namedA[o.Prefix].name == namedB[o.Prefix].name {
		o.Prefix++
	}
	o.First = parting(namedA, namedB, o.Prefix)
	pairs := pairsOf(namedA, namedB)
	o.Common, o.Tau = len(pairs), kendallTau(pairs, by)
	if by == ByTable {
		c.leftOut("scores: the n-th op of a table may be of another tablet on the other side")
		return
	}
	c.scores(pairs)
}

// without says which side has no op of the kind.
func (c *OpComparison) without(a, b int) string {
	switch {
	case a == 0 && b == 0:
		return "neither side has a " + c.Kind + " that had something to do"
	case a == 0:
		return "the " + c.Real.Label + " side has no " + c.Kind + " that had something to do"
	default:
		return "the " + c.Sim.Label + " side has no " + c.Kind + " that had something to do"
	}
}

// parting is where two orders that are the same up to a place differ.
func parting(a, b []namedOp, prefix int) *OpDifference {
	d := &OpDifference{At: prefix + 1}
	if prefix < len(a) {
		d.Real = a[prefix].ref()
	}
	if prefix < len(b) {
		d.Sim = b[prefix].ref()
	}
	if d.Real == nil && d.Sim == nil {
		return nil
	}
	return d
}

// opPair is an op that both sides have, with its place in the order of each.
type opPair struct {
	real, sim     namedOp
	inReal, inSim int
}

// pairsOf gives the ops that both have, in the order of the first.
func pairsOf(a, b []namedOp) (pairs []opPair) {
	place := map[opID]int{}
	for i, o := range b {
		place[o.opID] = i
	}
	for i, o := range a {
		if k, ok := place[o.opID]; ok {
			pairs = append(pairs, opPair{o, b[k], i, k})
		}
	}
	return pairs
}

// kendallTau is 1 - 2 * discordant / all pairs of ops (Kendall 1938): 1 = the same order, -1 = the reverse one. Pairs come in the order of
// the real side, in which no two have the same place, so there are no ties. Pairs of ops of one table, where tables are
// all that both sides name, are in the same order only because they were numbered so: they say nothing, and are left out.
func kendallTau(pairs []opPair, by By) Number {
	n := len(pairs)
	places, named := make([]int, n), map[string]int{}
	all := n * (n - 1) / 2
	for i, p := range pairs {
		places[i] = p.inSim
		if by == ByTable {
			all -= named[p.real.name]
			named[p.real.name]++
		}
	}
	if all == 0 {
		return missing
	}
	return Number(1 - 2*float64(inversions(places, make([]int, n)))/float64(all))
}

// inversions counts the pairs that stand in the wrong order, while merge sort puts them right.
func inversions(v, spare []int) (count int64) {
	if len(v) < 2 {
		return 0
	}
	half := len(v) / 2
	count = inversions(v[:half], spare[:half]) + inversions(v[half:], spare[half:])
	left, right := 0, half
	for i := range spare {
		if right == len(v) || left < half && v[left] <= v[right] {
			spare[i] = v[left]
			left++
		} else {
			spare[i] = v[right]
			right++
			count += int64(half - left)
		}
	}
	copy(v, spare)
	return count
}

// scores finds the largest differences.
func (c *OpComparison) scores(pairs []opPair) {
	farther := func(worst *ScoreDistance, p opPair) *ScoreDistance {
		d := Number(p.sim.Score - p.real.Score)
		if worst != nil && math.Abs(float64(d)) <= math.Abs(float64(worst.Difference)) {
			return worst
		}
		percent := missing
		if p.real.Score != 0 {
			percent = 100 * d / Number(math.Abs(p.real.Score))
		}
		return &ScoreDistance{*p.real.ref(), *p.sim.ref(), d, percent}
	}
	for _, p := range pairs {
		if math.IsNaN(p.sim.Score - p.real.Score) {
			continue
		}
		c.Scores.Compared++
		c.Scores.All = farther(c.Scores.All, p)
		if p.inReal == p.inSim && p.inReal < c.Order.Prefix {
			c.Scores.Prefix = farther(c.Scores.Prefix, p)
		}
	}
	if c.Scores.Compared == 0 {
		c.leftOut("scores: none of the %d ops that both sides have has a score on both", len(pairs))
	}
}

// opKinds names the kinds of both sides, sorted.
func opKinds(a, b opSet) (kinds []string) {
	for _, ops := range [][]*LoggedOp{a.ops, b.ops} {
		for _, o := range ops {
			kinds = appendNew(kinds, o.Kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}
