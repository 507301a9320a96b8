package sim

import (
	"fmt"
	"time"

	"mmsim/sim/engine"
)

// stall notices a phase that can't end: its writes are rejected for good, as nothing frees the memory they need.
type stall struct {
	since    engine.Time // when an operation was last seen to have ended
	done     int64
	rejected int64
}

// patience is how long, in simulated time, no operation may end while writes are rejected.
const patience = engine.Time(24 * time.Hour)

// check is called every so many events of a phase in which no operator's act is to come.
func (s *stall) check(w *world, done int64) error {
	rejected := w.rejected()
	if done != s.done || rejected == s.rejected {
		s.since, s.done, s.rejected = w.now, done, rejected
		return nil
	}
	if w.now-s.since < max(patience, 2*ns(w.exp.Maintenance.PollingInterval)) { // a manager that looks rarely gets its look
		return nil
	}
	return fmt.Errorf("it can't end: for %.0f h of simulated time all writes were rejected, and no flush frees memory (%s)", time.Duration(w.now-s.since).Hours(), w.fullest())
}

func (w *world) rejected() (n int64) {
	for _, s := range w.cluster.Servers {
		n += s.Counts.RejectedMemory
	}
	return n
}

// fullest names the server that uses most of its memory.
func (w *world) fullest() string {
	most := w.cluster.Servers[0]
	for _, s := range w.cluster.Servers {
		if s.Memory.UsedPercent() > most.Memory.UsedPercent() {
			most = s
		}
	}
	return fmt.Sprintf("server %d uses %.1f %% of its limit", most.ID, most.Memory.UsedPercent())
}
