package engine

// Pool is a pool of threads that share all its work as if it were a fluid: a job alone takes its own time on one
// thread, and a backlog drains at the speed of all threads together.
//
// This is an approximation of a first-come-first-served queue. It keeps the two limits, an idle pool and a saturated
// one, and is off in between: it lets a job finish in the time of one thread although fewer threads than
// jobs are free, and lets all threads share the last job of a backlog.
type Pool struct {
	cores int64
	busy  int64 // cores * the time at which the backlog is drained, kept as a product so that nothing is rounded away
}

// NewPool makes an idle pool of cores threads, 1 or more.
func NewPool(cores int) *Pool { return &Pool{cores: int64(cores)} }

// Arrive adds a job that comes at at, no earlier than the one before, and takes work ns of one thread. It finishes
// when its own work is done and the backlog, its share included, is drained.
func (p *Pool) Arrive(at, work Time) (finish Time) {
	p.busy = max(p.busy, at*p.cores) + work
	return max(at+work, (p.busy+p.cores-1)/p.cores)
}
