package main

import (
	"fmt"
	"io"
	"time"

	"mmsim/configs"
)

// advise says what of a lineup's scores for a small fixed set of ops would make a server do what nobody wants. It asks instances of its own, so that none
// that has decisions to take meets what does not belong to them.
func (l *lineup) advise(w io.Writer) {
	for i, spec := range l.specs {
		policy, err := spec.New(l.values[i])
		var advice []string
		if err == nil {
			advice, err = spec.Try(policy)
		}
		if err != nil {
			advice = []string{fmt.Sprintf("policy %s could not score a test: %v", spec.Name, err)}
		}
		for _, text := range advice {
			fmt.Fprintf(w, "warning: %s: %s\n", l.lines[i].Name, text)
		}
	}
}

// What an operation takes at most on a server that is not in trouble: the length of a run can be told before it only roughly.
const (
	slowWrite = 200 * time.Microsecond
	slowRead  = 20 * time.Millisecond
)

// warnTooShort says that a run will not last long enough for starvation to be told.
func warnTooShort(w io.Writer, e *configs.Experiment) {
	after := time.Duration(e.Starvation.After)
	if lasts, known := longest(e); known && lasts <= after {
		fmt.Fprintf(w, "warning: the run is over after %s or less: a wait above starvation.after (%s) can't occur, so no verdict will tell whether ops starve\n",
			configs.Duration(lasts.Round(time.Millisecond)), e.Starvation.After)
	}
}

// longest is how long the phases of an experiment last, by their durations, or else at most, by what clients have to do; known is false if clients go on
// without end.
func longest(e *configs.Experiment) (lasts time.Duration, known bool) {
	for i := range e.Phases {
		p := &e.Phases[i]
		lasts += time.Duration(p.PauseBefore)
		if p.Duration > 0 {
			lasts += time.Duration(p.Duration)
			continue
		}
		var slowest time.Duration
		for j := range p.Clients {
			busy, bounded := busyFor(p, &p.Clients[j])
			if !bounded {
				return 0, false
			}
			slowest = max(slowest, busy)
		}
		lasts += slowest
	}
	return lasts, true
}

// busyFor is how long a client is busy at most.
func busyFor(p *configs.Phase, c *configs.Client) (time.Duration, bool) {
	all := operations(p, c)
	if all.limit != exactly {
		return 0, false
	}
	reads := all.share(c.Workload.Reads()).n
	if c.Workload.OnlyInserts() {
		reads = 0
	}
	seconds := (float64(reads)*slowRead.Seconds() + float64(all.n-reads)*slowWrite.Seconds()) / float64(max(c.Threads, 1))
	if c.Target > 0 {
		seconds = max(seconds, float64(all.n)/float64(c.Target))
	}
	const century = 100 * 365 * 24 * 3600
	return time.Duration(min(seconds, century) * 1e9), seconds < century
}
