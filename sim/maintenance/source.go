package maintenance

import (
	"mmsim/policies"
	"mmsim/sim/engine"
)

// Source is where a loop's ops come from: the tablets of a server, or whatever a test makes up.
type Source interface {
	// Collect refreshes the stats of all ops. An error ends the run.
	Collect(now engine.Time) (Look, error)
	// Decided tells what was decided on the last look, before any of it is carried out.
	Decided(now engine.Time, d *Decision)
	// Prepare claims what the chosen op needs to begin, if that is free.
	Prepare(now engine.Time, d *Decision) (op Op, ok bool)
	// Cancel says that ops of some kinds of a tablet are not to be offered any more.
	Cancel(now engine.Time, tablet int32, kinds Kinds)
}

// Op is an op that was prepared.
type Op interface {
	// Perform begins the op's work. An error ends the run.
	Perform(now engine.Time) error
	// Due is the earliest time at which the work can end if nothing else happens; now if it has.
	Due(now engine.Time) engine.Time
	// Finish puts in place what the work brought about.
	Finish(now engine.Time)
	// Report takes note of the end: later than Finish if the scheduler kept the thread from telling.
	Report(now engine.Time)
}

// Look is what a pass over all ops found.
type Look struct {
	Candidates *policies.Candidates // those that can run, by name; valid until the next pass
	Memory     Memory
	Ops        int // looked at, whether they can run or not
	Rowsets    int // of the replicas whose compaction was valued anew
}

// Decision is what was decided on a look.
type Decision struct {
	Choice
	Candidates *policies.Candidates
	Scores     []float64 // of the candidates; nil if a rule before the scores decided
	Memory     Memory
}
