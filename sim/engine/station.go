package engine

// Station is a queue served first come, first served by several equal servers, with a bounded waiting room. As the
// order is known on arrival, so are start and finish: a customer costs no event of its own.
type Station struct {
	free   []Time // when each server is free of all it has accepted
	starts []Time // ring: when the waiting customers will start, oldest first
	head   int
	count  int
}

// NewStation makes an idle station of servers (1 or more) where at most queue customers (0 or more) wait.
func NewStation(servers, queue int) *Station {
	return &Station{free: make([]Time, servers), starts: make([]Time, queue)}
}

// Arrive serves a customer who comes at at, no earlier than the one before, and needs service ns. It starts when the
// first server is free. If the waiting room is full, ok is false and nothing has changed. Who starts at the
// very moment of an arrival no longer waits.
func (s *Station) Arrive(at, service Time) (start, finish Time, ok bool) {
	server := s.earliest()
	start = max(at, s.free[server])
	if start > at && !s.wait(at, start) {
		return 0, 0, false
	}
	finish = start + service
	s.free[server] = finish
	return start, finish, true
}

func (s *Station) earliest() int {
	server, free := 0, s.free[0]
	for i, f := range s.free {
		if f < free {
			server, free = i, f
		}
	}
	return server
}

// wait lets out of the waiting room who has started by now and, if there is room, lets in one who will start at
// start. Starts never go back, as first come is first served.
func (s *Station) wait(now, start Time) bool {
	for s.count > 0 && s.starts[s.head] <= now {
		s.count--
		if s.head++; s.head == len(s.starts) {
			s.head = 0
		}
	}
	if s.count == len(s.starts) {
		return false
	}
	tail := s.head + s.count
	if tail >= len(s.starts) {
		tail -= len(s.starts)
	}
	s.starts[tail] = start
	s.count++
	return true
}
