package main

import (
	"math"
	"slices"
	"time"

	"mmsim/configs"
	"mmsim/sim"
)

// What a simulated second of one maintenance thread takes at full size, in seconds of CPU, as measured on the default experiment; where simulated time was
// scaled down it has as many more ops. Under memory pressure, as where clients only load, no policy is asked; elsewhere compactions are valued. With what
// clients' operations cost (foretell.go) this matters until the work has been seen on this host, and then only as ratios.
const (
	secondsALoadThread = 0.03e-3
	secondsAThread     = 0.85e-3
)

// Latencies of clients until they have been seen, in s. They tell how long a phase lasts in simulated time.
const (
	loadLatency  = 28e-6 // an insert into full servers
	writeLatency = 4e-6
	readLatency  = 1.5e-3
)

// An estimator foretells when the simulations of all policy lines will have ended.
type estimator struct {
	phases []phaseWork
	lines  int // in all
	jobs   int // at a time
	runs   []*lineTime
	byLine map[string]*lineTime
}

// phaseWork is the work that a phase asks for.
type phaseWork struct {
	name     string
	ops      float64 // of clients
	clients  float64 // s for them, by the table
	threads  float64 // of maintenance, times the ops that they have in a simulated second
	loads    bool    // all clients only insert
	duration float64 // simulated s, if that is given
	longest  clientWork
}

// clientWork is one client's part in a phase.
type clientWork struct {
	ops, reads float64 // a thread, and the share of them that reads
	least      float64 // simulated s that its target makes of it
}

// lineTime is how far one policy line is.
type lineTime struct {
	phase int // that it is in
	took  []partTime
	done  bool
	begun partTime // where the phase began
	last  partTime
}

// partTime is what a part of a run took, or where it is.
type partTime struct {
	wall, simulated float64 // s
	ops             float64
}

func (p partTime) sub(q partTime) partTime {
	return partTime{p.wall - q.wall, p.simulated - q.simulated, p.ops - q.ops}
}

// newEstimator takes a scaled experiment.
func newEstimator(e *configs.Experiment, lines, jobs int) *estimator {
	s := &estimator{lines: lines, jobs: max(jobs, 1), byLine: map[string]*lineTime{}}
	for i := range e.Phases {
		s.phases = append(s.phases, workOf(e, &e.Phases[i]))
	}
	return s
}

func workOf(e *configs.Experiment, p *configs.Phase) phaseWork {
	w := phaseWork{name: p.Name, duration: time.Duration(p.Duration).Seconds(), loads: true,
		threads: float64(e.Cluster.Servers*e.Maintenance.Threads) * e.OpsPerSecond()}
	for i := range p.Clients {
		w.loads = w.loads && p.Clients[i].Workload.OnlyInserts()
	}
	for i := range p.Clients {
		c := &p.Clients[i]
		n, reads := float64(operations(p, c).n), c.Workload.Reads()
		write := secondsAWrite
		if w.loads {
			write = secondsALoaded
		}
		w.ops += n
		w.clients += n * (reads*secondsAScan + (1-reads)*write)
		part := clientWork{ops: n / float64(max(c.Threads, 1)), reads: reads}
		if c.Target > 0 {
			part.least = n / float64(c.Target)
		}
		if part.length(w.loads, readLatency) > w.longest.length(w.loads, readLatency) {
			w.longest = part
		}
	}
	return w
}

// length is how long a client takes in simulated s if its reads take so long.
func (c clientWork) length(loads bool, read float64) float64 {
	write := writeLatency
	if loads {
		write = loadLatency
	}
	return max(c.least, c.ops*(c.reads*read+(1-c.reads)*write))
}

// cost is what a part of the phase takes by the table, in s: a share of its operations, in so many simulated s.
func (w *phaseWork) cost(share, simulated float64) float64 {
	per := secondsAThread
	if w.loads {
		per = secondsALoadThread
	}
	return share*w.clients + simulated*w.threads*per
}

// share is how much of the phase a part of it is.
func (w *phaseWork) share(part partTime) float64 {
	switch {
	case w.duration > 0:
		return min(part.simulated/w.duration, 1)
	case w.ops > 0:
		return min(part.ops/w.ops, 1)
	default:
		return 1
	}
}

// update takes news of a line at a time, in s since the start.
func (s *estimator) update(news sim.Progress, at float64) {
	now := partTime{at, float64(news.Now) / 1e9, float64(news.Done)}
	l := s.byLine[news.Line]
	if l == nil {
		l = &lineTime{begun: partTime{wall: at}}
		s.byLine[news.Line] = l
		s.runs = append(s.runs, l)
	}
	phase := slices.IndexFunc(s.phases, func(w phaseWork) bool { return w.name == news.Phase })
	if news.Finished {
		phase, l.done = len(s.phases), true
	}
	for l.phase < phase {
		l.took = append(l.took, now.sub(l.begun))
		l.begun = now
		l.phase++
	}
	l.last = now
}

// eta is how long it will be from a time on until all lines have ended, in s.
func (s *estimator) eta(at float64) float64 {
	slots := []float64{}
	for _, l := range s.runs {
		if !l.done {
			slots = append(slots, max(s.left(l)-(at-l.last.wall), 0))
		}
	}
	for len(slots) < min(s.jobs, s.lines) {
		slots = append(slots, 0)
	}
	whole := 0.0
	for i := range s.phases {
		whole += s.phase(i)
	}
	for range s.lines - len(s.runs) {
		slices.Sort(slots)
		slots[0] += whole
	}
	return slices.Max(append(slots, 0))
}

// known is the share of a phase from which on what is left of it follows from what has passed, more than from the table.
const known = 0.1

// left is what a running line still takes, in s.
func (s *estimator) left(l *lineTime) float64 {
	left := 0.0
	for i := l.phase; i < len(s.phases); i++ {
		if i > l.phase {
			left += s.phase(i)
			continue
		}
		passed := l.last.sub(l.begun)
		share := s.phases[i].share(passed)
		weight := share / (share + known)
		whole := (1 - weight) * s.phase(i)
		if share > 0 {
			whole += weight * passed.wall / share
		}
		left += (1 - share) * whole
	}
	return left
}

// phase is what a whole phase takes, in s: what it took other lines or else what it takes by the table, corrected by what has been measured so far.
func (s *estimator) phase(i int) float64 {
	sum, n := 0.0, 0.0
	for _, l := range s.runs {
		if len(l.took) > i {
			sum, n = sum+l.took[i].wall, n+1
		}
	}
	if n > 0 {
		return sum / n
	}
	w := &s.phases[i]
	length := w.duration
	if length == 0 {
		length = w.longest.length(w.loads, s.readLatency())
	}
	return w.cost(1, length) * s.slowness()
}

// parts calls each with all parts of phases of which enough has passed to tell something.
func (s *estimator) parts(each func(w *phaseWork, part partTime)) {
	for _, l := range s.runs {
		passed := l.took
		if l.phase < len(s.phases) {
			passed = append(slices.Clone(passed), l.last.sub(l.begun))
		}
		for i, part := range passed {
			if w := &s.phases[i]; part.wall > leastWall && w.share(part) > 0 {
				each(w, part)
			}
		}
	}
}

// leastWall is the shortest time, in s, whose speed says something.
const leastWall = 0.05

// slowness is how much longer work takes here than by the table: the geometric mean of the phases seen, since phases differ by factors.
func (s *estimator) slowness() float64 {
	logs, n := 0.0, 0.0
	s.parts(func(w *phaseWork, part partTime) {
		if cost := w.cost(w.share(part), part.simulated); cost > 0 {
			logs, n = logs+math.Log(part.wall/cost), n+1
		}
	})
	return math.Exp(logs / max(n, 1))
}

// readLatency is how long reads take in simulated s: halfway, by factors, between the table's and the longest phase's that has been seen.
func (s *estimator) readLatency() float64 {
	seen, most := readLatency, known
	s.parts(func(w *phaseWork, part partTime) {
		c, share := w.longest, w.share(part)
		if share < most || c.reads == 0 || c.ops == 0 || c.least > 0 || w.duration > 0 {
			return // a target or the duration tells how long such a phase lasts
		}
		if l := (part.simulated/share/c.ops - (1-c.reads)*writeLatency) / c.reads; l > 0 {
			seen, most = l, share
		}
	})
	return math.Sqrt(readLatency * seen)
}
