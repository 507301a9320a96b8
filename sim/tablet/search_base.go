package tablet

import "slices"

// bases rules out most a before any knapsack is looked at.
//
// Call the widest rowset of a selection its base, m. The others are no wider, and the union of a pair that holds the
// selection is at least as wide as m and what any of the others, or a, overhangs it left and right. So the selection scores
// at most
//
//	value(m) + worth of a pile of the others - adjust*(width(m) + overhang)
//
// and if that is at or below the floor for all selections with that base, no pair needs to be looked at for them. The
// pile shrinks while it rules out rowsets: one that with m, the best of the pile and its own overhang does not get above the
// floor is in no selection that does.
//
// An a is open if, for some base m, the pile of what starts at a or later gets above the floor, held against the union
// from a on. All other a are ruled out: whatever they would score, exactly or approximately, is at or below the floor,
// which the first pass reaches.
type bases struct {
	light  []int32 // places of light rowsets
	bonus  float64 // what a heavy rowset is worth beyond its width, at most
	atMin  []int32 // by place in the order of largest keys: that in the order of smallest keys
	open   []bool  // by place in the order of smallest keys
	held   []bool  // by place in the order of largest keys: in inner
	inner  []int32 // places of the rowsets that may be in a selection with base m
	likely []int32 // places of bases of which the first look did not rule out all
	pile   pile
	start  pile // of the rowsets that start at a or later

	alone  int64                  // weight of m for which lights holds
	lights [mostHeavy + 1]float64 // worth of the light rowsets beside m and so many heavy ones
}

const (
	tries      = 8  // likely bases from which the first look searches for a higher floor
	mostLikely = 64 // bases from which on too many a would stay open
)

// ruleOut finds out which a are open, and may raise the floor.
func (s *search) ruleOut() {
	k := &s.bases
	n := len(s.byMin)
	k.open = slices.Grow(k.open[:0], n)[:n]
	for i := range k.open {
		k.open[i] = true
	}
	// With a floor above the minimum improvement, the first pass finds a score and a bound above it among the open.
	if s.floor <= s.alone || s.floor <= s.least+float64(rounding*s.least) || !s.splitByWeight() {
		return
	}
	k.atMin = slices.Grow(k.atMin[:0], n)[:n]
	for i, at := range s.byMin {
		k.atMin[at] = int32(i)
	}
	k.held = slices.Grow(k.held[:0], n)[:n]
	clear(k.held)

	k.likely = k.likely[:0]
	for m := range s.to {
		a := s.look(m, false)
		if a < 0 {
			continue
		}
		if len(k.likely) == mostLikely {
			return
		}
		if k.likely = append(k.likely, int32(m)); len(k.likely) <= tries {
			s.approximateFrom(a, 0)
		}
	}
	clear(k.open)
	for _, m := range k.likely {
		s.look(int(m), true)
	}
}

// splitByWeight makes as many rowsets light as a pile can hold, and tells whether it can hold as many heavy ones as fit.
func (s *search) splitByWeight() bool {
	k := &s.bases
	var least [mostLight + 1]int64 // weights
	n := 0
	for i := range s.items {
		w := s.items[i].weight
		if n > mostLight {
			if w >= least[mostLight] {
				continue
			}
			n--
		}
		j := n
		for ; j > 0 && least[j-1] > w; j-- {
			least[j] = least[j-1]
		}
		least[j] = w
		n++
	}
	heavy := least[n-1]
	if s.budget/heavy > mostHeavy {
		return false
	}
	k.pile.least, k.pile.fit = heavy, int(s.budget/heavy)
	k.start.least, k.start.fit = k.pile.least, k.pile.fit
	k.bonus, k.light, k.alone = 0, k.light[:0], -1
	for i := range s.items {
		if s.items[i].weight < heavy {
			k.light = append(k.light, int32(i))
		} else {
			k.bonus = larger(k.bonus, s.items[i].value-(s.to[i]-s.from[i]))
		}
	}
	return true
}

// above is how far, at most, a selection of that value scores above the floor if its union is as wide or wider.
func (s *search) above(value, width float64) float64 {
	return value - float64(s.adjust*width) - s.floor + float64(rounding*(value+.001))
}

// look looks at the selections with base m. It returns the place in byMin of the first a found open, or -1; if all is set,
// it goes on and marks every one.
func (s *search) look(m int, all bool) int {
	k := &s.bases
	room := s.budget - s.items[m].weight
	slack := s.above(s.items[m].value+s.mostOn(m), s.to[m]-s.from[m]) / s.adjust
	if room < 0 || slack <= 0 || !s.gather(m, slack) || !s.shrink(m) {
		return -1
	}
	first := s.openFrom(m, all)
	for _, b := range k.inner {
		k.held[b] = false
	}
	return first
}

// mostOn returns what the others are worth at most if there are any number of heavy rowsets of the width of m.
func (s *search) mostOn(m int) float64 {
	k := &s.bases
	if w := s.items[m].weight; w != k.alone {
		k.alone = w
		k.pile.clear()
		for _, b := range k.light {
			k.pile.addLight(&s.items[b])
		}
		for i := range k.lights {
			k.lights[i] = k.pile.lightest(s.budget - w - int64(i)*k.pile.least)
		}
	}
	best := 0.0
	each := s.to[m] - s.from[m] + k.bonus
	for i, v := range k.lights {
		if s.budget-k.alone < int64(i)*k.pile.least {
			break
		}
		best = larger(best, v+float64(float64(i)*each))
	}
	return best
}

// gather lists the rowsets that may be in a selection with base m, of which no union is wider than m by more than slack.
func (s *search) gather(m int, slack float64) bool {
	k := &s.bases
	from, to := s.from[m]-slack, s.to[m]+slack
	width := s.to[m] - s.from[m]
	room := s.budget - s.items[m].weight
	k.pile.clear()
	for _, b := range k.light {
		if s.from[b] >= from && s.to[b] <= to && s.to[b]-s.from[b] <= width && int(b) != m {
			k.pile.addLight(&s.items[b])
		}
	}
	for ; k.pile.nheavy < k.pile.fit; k.pile.nheavy++ {
		k.pile.heavy[k.pile.nheavy] = width + k.bonus
	}
	if s.above(s.items[m].value+k.pile.worth(room), width) <= 0 {
		return false
	}
	spare := s.above(s.items[m].value+k.pile.worth(room-k.pile.least), width)
	b := m
	for b > 0 && s.to[b-1] >= from {
		b--
	}
	k.inner = k.inner[:0]
	for ; b < len(s.to) && s.to[b] <= to; b++ {
		if s.from[b] >= from && s.to[b]-s.from[b] <= width && b != m && s.mayJoin(m, b, spare) {
			k.inner = append(k.inner, int32(b))
		}
	}
	return true
}

// mayJoin tells whether m, b and the best of the pile can score above the floor. spare is how far m, and what the pile is
// worth beside it and a heavy rowset, are above the floor already.
func (s *search) mayJoin(m, b int, spare float64) bool {
	it := &s.items[b]
	if it.weight < s.bases.pile.least {
		room := s.budget - s.items[m].weight - it.weight
		if room < 0 {
			return false
		}
		spare = s.above(s.items[m].value+s.bases.pile.worth(room), s.to[m]-s.from[m])
	}
	over := larger(0, s.from[m]-s.from[b]) + larger(0, s.to[b]-s.to[m])
	return spare+float64(it.value*(1+rounding))-float64(s.adjust*over) > 0
}

// shrink leaves those that may be in a selection above the floor, and tells whether there may be one.
func (s *search) shrink(m int) bool {
	k := &s.bases
	value, width := s.items[m].value, s.to[m]-s.from[m]
	room := s.budget - s.items[m].weight
	for {
		k.pile.clear()
		for _, b := range k.inner {
			k.pile.add(&s.items[b])
		}
		if s.above(value+k.pile.worth(room), width) <= 0 {
			return false
		}
		spare := s.above(value+k.pile.worth(room-k.pile.least), width)
		kept := k.inner[:0]
		for _, b := range k.inner {
			if s.mayJoin(m, int(b), spare) {
				kept = append(kept, b)
			}
		}
		if len(kept) == len(k.inner) {
			return true
		}
		k.inner = kept
	}
}

// openFrom looks for open a, from the last that starts no later than m backwards.
func (s *search) openFrom(m int, all bool) int {
	k := &s.bases
	from, to := s.from[m], s.to[m]
	room := s.budget - s.items[m].weight
	slack := s.above(s.items[m].value+k.pile.worth(room), to-from) / s.adjust
	i := int(k.atMin[m])
	for i+1 < len(s.byMin) && s.from[s.byMin[i+1]] == from {
		i++
	}
	k.pile.clear()
	for _, b := range k.inner {
		k.held[b] = true
		if s.from[b] >= from {
			k.pile.add(&s.items[b])
		}
	}
	first, above, last := -1, s.aboveFrom(int32(m), m), from
	for ; i >= 0; i-- {
		a := s.byMin[i]
		at := s.from[a]
		if from-at > slack {
			break
		}
		above -= float64(s.adjust * (last - at)) // selections without a: their union is wider
		if k.held[a] && at < from {
			it := &s.items[a]
			if s.above(s.items[m].value+it.value+k.pile.worth(room-it.weight), to-at) > max(0, above) {
				above = larger(above, s.aboveFrom(a, m))
			}
			k.pile.add(it)
		}
		last = at
		if above > 0 {
			first = i
			if !all {
				break
			}
			k.open[i] = true
		}
	}
	return first
}

// aboveFrom returns how far above the floor a selection of m, a and what starts no earlier than a may score.
func (s *search) aboveFrom(a int32, m int) float64 {
	k := &s.bases
	from := s.from[a]
	value := s.items[m].value
	room := s.budget - s.items[m].weight
	if int(a) != m {
		value += s.items[a].value
		room -= s.items[a].weight
	}
	k.start.clear()
	i := 0
	for ; i < len(k.inner) && int(k.inner[i]) < m; i++ {
		if b := k.inner[i]; s.from[b] >= from && b != a {
			k.start.add(&s.items[b])
		}
	}
	best := s.above(value+k.start.worth(room), s.to[m]-from)
	for ; i < len(k.inner); i++ {
		if b := k.inner[i]; s.from[b] >= from && b != a {
			k.start.add(&s.items[b])
			best = larger(best, s.above(value+k.start.worth(room), s.to[b]-from))
		}
	}
	return best
}
