package tablet

import "math"

// refine is the second pass. It returns the number of a searched.
func (s *search) refine() (knapsacks int) {
	for a := range s.byMin {
		if s.upper[a] > s.best*s.ratio {
			s.solve(a)
			knapsacks++
		}
	}
	return knapsacks
}

// solveAll searches every a exactly, as was done before there was a first pass. Of that the bounds are of use: the score it found is reached here too,
// unless it is that of a rowset alone, and an a whose bound is below it is not the first to reach more. All count
// as searched, as they were.
func (s *search) solveAll() (knapsacks int) {
	reached := s.floor - float64(rounding*(s.floor+.001))
	if s.floor <= s.alone {
		reached = math.Inf(-1)
	}
	s.best, s.a, s.b = 0, 0, 0
	for a := range s.byMin {
		if s.upper[a] >= reached {
			s.solve(a)
		}
	}
	return len(s.byMin)
}

// solve tries all b of one a exactly.
func (s *search) solve(a int) {
	at := s.byMin[a]
	from, to := s.from[at], s.to[at]
	s.sack.reset(s.budget)
	widest, _ := s.widest(a)
	for i, b := range s.candidates(from, from+widest, 0) {
		s.sack.add(&s.items[b])
		to = larger(to, s.to[b])
		if score := s.score(s.sack.best(), to-from); score > s.best {
			s.best, s.exact, s.a, s.b = score, true, a, i+1
			s.floor = larger(s.floor, score)
		}
	}
}
