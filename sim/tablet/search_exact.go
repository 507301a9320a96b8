package tablet

// refine is the second pass.
func (s *search) refine() {
	for a := range s.byMin {
		if s.upper[a] > s.best*s.ratio {
			s.solve(a)
		}
	}
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
