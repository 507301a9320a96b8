package tablet

import "math"

// stretches is the number of parts of the axis in which a promising start is looked for.
const stretches = 4

// approximate is the first pass. It tries the most promising a beforehand for a good floor: the score is one that the pass
// will reach, so leaving out what must score less does not change which pair is the first to score best. What is ruled out has
// no upper bound, and needs none: the second pass could not find more there.
func (s *search) approximate() {
	s.floor = s.least / 2
	s.best, s.exact, s.a, s.b = 0, false, 0, 0
	for _, a := range s.promising() {
		s.approximateFrom(int(a), 0)
	}
	s.ruleOut()
	s.best, s.a, s.b = 0, 0, 0
	s.highest = 0
	first := 0
	for a, at := range s.byMin {
		for s.to[first] < s.from[at] {
			first++
		}
		if !s.bases.open[a] {
			s.upper[a] = 0
			continue
		}
		s.upper[a] = s.approximateFrom(a, first)
		s.highest = larger(s.highest, s.upper[a])
	}
}

// approximateFrom tries all b of one a, of which none is before place first, and returns the best upper bound.
func (s *search) approximateFrom(a, first int) (best float64) {
	at := s.byMin[a]
	from, to := s.from[at], s.to[at]
	widest, useless := s.widest(a)
	if to-from > widest {
		return 0
	}
	inner := s.candidates(from, from+widest, first)
	if s.most(inner)-float64(s.adjust*(to-from)) <= useless {
		return 0
	}
	s.fill.reset(s.budget)
	for i, b := range inner {
		s.fill.add(&s.items[b], b)
		to = larger(to, s.to[b])
		width := to - from
		if width > widest {
			break
		}
		upper := s.fill.upper()
		if upper-float64(s.adjust*width) <= useless {
			continue
		}
		best = larger(best, s.score(upper, width))
		if score := s.score(s.fill.lower(), width); score > s.best {
			s.best, s.a, s.b = score, a, i+1
			s.floor = larger(s.floor, score)
			widest, useless = s.widest(a)
		}
	}
	return best
}

// most returns what no selection of the candidates is worth more than: all of them, or a budget full of the densest.
func (s *search) most(inner []int32) float64 {
	all, densest := 0.0, 0.0
	for _, b := range inner {
		all += s.items[b].value
		densest = larger(densest, s.items[b].density)
	}
	return min(all, float64(s.budget)*densest)
}

// larger is max for numbers that are.
func larger(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}

// promising guesses, for each of a few stretches of the axis, from which a the rowsets that start next score best.
func (s *search) promising() []int32 {
	s.found = s.found[:0]
	n := len(s.byMin)
	best, stretch := 0.0, -1
	weight, value, end := int64(0), 0.0, 0
	for a, at := range s.byMin {
		for ; end < n && (end == a || weight+s.items[s.byMin[end]].weight <= s.budget); end++ {
			weight += s.items[s.byMin[end]].weight
			value += s.items[s.byMin[end]].value
		}
		guess := value - value/float64(end-a) - (s.from[s.byMin[end-1]] - s.from[at])
		if next := a * stretches / n; next > stretch {
			stretch, best = next, math.Inf(-1)
			s.found = append(s.found, int32(a))
		}
		if guess > best {
			best = guess
			s.found[len(s.found)-1] = int32(a)
		}
		weight -= s.items[at].weight
		value -= s.items[at].value
	}
	return s.found
}
