package tablet

import (
	"math"
	"slices"
)

// search looks for the best selection of a tablet, as Kudu's policy does: for each rowset a in the order of smallest keys,
// over the rowsets b that start no earlier than a, in the order of largest keys. The union of a and the rowsets up to b has
// a width W; the best of them within the budget is a knapsack problem. A first pass bounds its value, a second solves
// those whose bound is well above the best value known.
//
// Kudu looks at all pairs. Here a pair is left out when no selection of it can win, by this bound: let V be the value of
// the fractional knapsack over all rowsets that start no earlier than a. Any selection of the pair is worth at most V, and
// scores at most V - adjust*W, or at most 0 if its rowsets are no wider than their union. W only grows along b. So once
// V - adjust*W is at or below a floor >= 0, all b that follow have bounds at or below it. Such pairs change nothing, given
// that the floor is at most half the minimum improvement or a score that the first pass reaches:
//   - the best score is replaced only by a larger one, so the first pair to reach the largest score wins in any case;
//   - the second pass looks at an a only if its upper bound is above the best score, and then only for more;
//   - nothing is selected if the best score of the first pass is at most half the minimum improvement;
//   - or if no upper bound is above the minimum improvement. One of them is as soon as the best score is above it, and else
//     the bounds left out are below it too.
//
// One score may exceed V - adjust*W: that of a rowset alone heavier than the budget, which Kudu's lower bound admits. It is
// at most what the rowset is worth for being small; while the floor is not above that, no pair is left out.
type search struct {
	budget int64
	least  float64 // minimum improvement
	ratio  float64
	adjust float64
	every  bool // search every a exactly

	// by place in the order of largest keys
	rowset   []int32
	from, to []float64
	items    []item

	byMin   []int32   // places above in the order of smallest keys
	bound   []float64 // by place in byMin: V, with room for rounding
	upper   []float64 // by place in byMin: best upper bound seen by the first pass
	highest float64   // of upper
	alone   float64   // what the most valuable rowset heavier than the budget is worth for being small; below 0 if there is none
	fill    filling
	sack    knapsack
	bases   bases   // which a are worth a look
	inner   []int32 // candidates b of one a

	floor float64 // what scores at or below it is of no use
	best  float64
	exact bool // found by the second pass
	a, b  int  // where: place in byMin, number of candidates
	found []int32
}

// rounding is more than what the order of additions may make of a value: a share of it, and as much of 1/1000.
const rounding = 1e-9

// load prepares the search of rowsets placed by c.
func (s *search) load(cfg *PolicyConfig, rowsets []Sized, c *cdf) {
	n := len(rowsets)
	s.budget = cfg.Budget / cfg.WeightUnit
	s.least = float64(float32(cfg.MinimumImprovement))
	s.ratio = float64(float32(cfg.ApproximationRatio))
	s.adjust = cfg.adjust()
	s.every = cfg.ExactEverywhere
	s.alone = -1
	if cfg.SmallUnbounded { // the bound does not hold for values below 0: nothing is left out
		s.alone = math.Inf(1)
	}

	s.rowset = slices.Grow(s.rowset[:0], n)[:n]
	s.from = slices.Grow(s.from[:0], n)[:n]
	s.to = slices.Grow(s.to[:0], n)[:n]
	s.items = slices.Grow(s.items[:0], n)[:n]
	s.byMin = slices.Grow(s.byMin[:0], n)[:n]
	s.bound = slices.Grow(s.bound[:0], n)[:n]
	s.upper = slices.Grow(s.upper[:0], n)[:n]
	s.inner = slices.Grow(s.inner[:0], n)[:n]

	place := s.inner // of each rowset in the order of largest keys
	for i, at := range c.byMax {
		r := &rowsets[at]
		place[at] = int32(i)
		s.rowset[i] = at
		s.from[i], s.to[i] = c.from[at], c.to[at]
		small := cfg.smallness(r)
		weight := max(1, r.Weight/cfg.WeightUnit)
		value := s.to[i] - s.from[i] + small
		s.items[i] = item{value: value, density: value / float64(weight), weight: weight}
		if weight > s.budget {
			s.alone = max(s.alone, small)
		}
	}
	for i, at := range c.byMin {
		s.byMin[i] = place[at]
	}
	s.boundAll()
}

// boundAll computes V of every a. Rowsets are added from the last in the order of smallest keys, and those that start where a
// does count for it wherever they are in that order.
func (s *search) boundAll() {
	s.fill.reset(s.budget)
	for i := len(s.byMin) - 1; i >= 0; i-- {
		at := s.byMin[i]
		s.fill.add(&s.items[at], at)
		upper := s.fill.upper()
		s.bound[i] = upper + float64(rounding*(upper+.001))
	}
	for i := 1; i < len(s.byMin); i++ {
		if s.from[s.byMin[i]] == s.from[s.byMin[i-1]] {
			s.bound[i] = s.bound[i-1]
		}
	}
}

// run searches and returns the best quality, 0 if it is not above the minimum improvement, and from how many a the exact search starts.
func (s *search) run() (quality float64, knapsacks int) {
	s.approximate()
	switch {
	case s.every:
		knapsacks = s.solveAll()
	case 2*s.best <= s.least || s.highest <= s.least:
		return 0, 0
	default:
		knapsacks = s.refine()
	}
	if s.best <= s.least {
		return 0, knapsacks
	}
	return s.best, knapsacks
}

// widest returns the width of the widest union of a that can score above the floor, and what bounds are at or below it
// whatever rounding does.
func (s *search) widest(a int) (width, useless float64) {
	if s.floor <= s.alone {
		return math.Inf(1), math.Inf(-1)
	}
	return (s.bound[a] - s.floor) / s.adjust, s.floor - float64(rounding*s.bound[a])
}

// candidates lists the rowsets that start at from or later and end at limit or earlier, in the order of largest keys,
// none of which is before place first.
func (s *search) candidates(from, limit float64, first int) []int32 {
	n := 0
	for b := first; b < len(s.to) && s.to[b] <= limit; b++ {
		s.inner[n] = int32(b)
		if s.from[b] >= from {
			n++
		}
	}
	return s.inner[:n]
}

// score is the fall in height when rowsets of that value become a sequence of rowsets of that width. Overlapping rowsets
// are held against their union a little more, so that none is added that brings nothing.
func (s *search) score(value, width float64) float64 {
	if value <= width {
		return value - width
	}
	return value - float64(s.adjust*width)
}

// picked returns the places of the best selection, which is not kept while better ones may follow, but made once more.
func (s *search) picked() []int32 {
	inner := s.candidates(s.from[s.byMin[s.a]], math.Inf(1), 0)[:s.b]
	if s.exact {
		s.found = s.sack.trace(s.budget, s.items, inner, s.found[:0])
		return s.found
	}
	s.fill.reset(s.budget)
	for _, b := range inner {
		s.fill.add(&s.items[b], b)
	}
	s.found = s.fill.choice(s.found[:0])
	return s.found
}
