package oplog

import (
	"math"

	"mmsim/results"
)

// order compares order and scores of the kind asked for.
func (c *Comparison) order(a, b opSet) {
	opsA, opsB := a.busy(c.Kind), b.busy(c.Kind)
	by := identity(opsA, opsB)
	c.Order = Order{By: by, Real: len(opsA), Sim: len(opsB), Tau: results.Missing}
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
func (c *Comparison) without(a, b int) string {
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
func parting(a, b []namedOp, prefix int) *Difference {
	d := &Difference{At: prefix + 1}
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

// kendallTau is 1 - 2 * discordant / all pairs of ops (Kendall 1938): 1 = the same order, -1 = the reverse one. Pairs come in the order of
// the real side, in which no two have the same place, so there are no ties. Pairs of ops of one table, where tables are
// all that both sides name, are in the same order only because they were numbered so: they say nothing, and are left out.
func kendallTau(pairs []opPair, by By) results.Number {
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
		return results.Missing
	}
	return results.Number(1 - 2*float64(inversions(places, make([]int, n)))/float64(all))
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
func (c *Comparison) scores(pairs []opPair) {
	farther := func(worst *ScoreDistance, p opPair) *ScoreDistance {
		d := results.Number(p.sim.Score - p.real.Score)
		if worst != nil && math.Abs(float64(d)) <= math.Abs(float64(worst.Difference)) {
			return worst
		}
		percent := results.Missing
		if p.real.Score != 0 {
			percent = 100 * d / results.Number(math.Abs(p.real.Score))
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
