package maintenance

import (
	"fmt"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// Missteps in a row, on one server: from the first number on they are worth a warning; at the second, or at the third over the whole run, they end the
// run, as nothing else would. On a server with Kudu's times 10,000 ops that find nothing to do are two minutes.
const (
	MisstepsToWarn = 100
	maxIdleInRow   = 10_000
	maxIdle        = 100_000
)

// Missteps are choices of a policy that helped nobody.
type Missteps struct {
	Server      int
	Kind        policies.Kind // of the op with which they were first worth a warning
	Tablet      int32
	Perf, Score float64
	At          engine.Time // when that was
	InRow       int64       // of the longest row
	Total       int64

	row int64 // under way
}

// Warn tells whether they are worth a warning.
func (s *Missteps) Warn() bool { return s.InRow >= MisstepsToWarn }

// note takes the policy's next choice into account.
func (s *Missteps) note(at engine.Time, op *Record, wrong bool) {
	if !wrong {
		s.row = 0
		return
	}
	s.row++
	s.Total++
	if s.row > s.InRow {
		if s.InRow = s.row; s.row == MisstepsToWarn {
			s.Server, s.Kind, s.Tablet, s.Perf, s.Score, s.At = op.Server, op.Kind, op.Replica.Tablet, op.Perf, op.Choice.Score, at
		}
	}
}

// watch is what a manager notes of its policy.
type watch struct {
	idle  Missteps // ops chosen by their score that found nothing to do
	greed Missteps // ops chosen beyond the soft limit of memory that free none, while others could have
}

// Idle are the ops that the policy chose and that found nothing to do, and Greed those that it chose beyond the memory's soft limit though they free none,
// when others would have.
func (m *Manager) Idle() Missteps  { return m.watch.idle }
func (m *Manager) Greed() Missteps { return m.watch.greed }

// Unmoved tells that the policy was asked about ops with perf above 0 and never gave any op a score above 0.
func (m *Manager) Unmoved() bool { return m.decider.worth && !m.decider.moved }

// chose notes a choice by score beyond the soft limit.
func (w *watch) chose(now engine.Time, op *Record, d *Decision) {
	if d.Rule != PerfScore || d.Memory.UsedPercent < d.Memory.SoftPercent {
		return
	}
	could := false
	for _, ram := range d.Candidates.RAM {
		could = could || ram > 0
	}
	w.greed.note(now, op, op.RAM == 0 && could)
}

// began notes whether an op found something to do.
func (w *watch) began(now engine.Time, op *Record) error {
	if op.Choice.Rule != PerfScore {
		return nil
	}
	w.idle.note(now, op, op.Idle)
	if w.idle.row >= maxIdleInRow || w.idle.Total >= maxIdle {
		last := w.idle
		last.Server, last.Kind, last.Tablet, last.Perf, last.Score, last.At = op.Server, op.Kind, op.Replica.Tablet, op.Perf, op.Choice.Score, now
		last.InRow = last.row
		return &IdleError{last}
	}
	return nil
}

// An IdleError ends a run whose policy chooses ops that find nothing to do, for ever.
type IdleError struct{ Missteps }

func (e *IdleError) Error() string {
	return fmt.Sprintf("at %.3f s on server %d the policy chose %v of tablet %d: op %d of a row that found nothing to do", float64(e.At)/1e9, e.Server, e.Kind, e.Tablet, e.InRow)
}

// idle tells whether an op that has just begun found nothing to do.
func (op *running) idle() bool {
	switch op.Kind {
	case policies.CompactRowSets, policies.MinorDeltaCompaction, policies.MajorDeltaCompaction:
		return op.Inputs == 0
	case policies.FlushDeltaMemStores, policies.DeletedRowSetGC:
		return len(op.rowsets) == 0
	case policies.FlushMRS:
		return op.state.Flushing.Rows == 0
	}
	return false // what a GC is offered for is there
}
