package maintenance

import (
	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
)

// Record is what is known of an op once it ran.
type Record struct {
	Server  int
	Replica *tablet.Replica
	Kind    policies.Kind

	Since, Chosen, End engine.Time
	Choice             Choice
	Perf               float64
	ScansPerS          float64
	RowsPerS           float64
	RAM, WAL, Data     int64
	MemoryPercent      float64

	Candidates    int
	RunnerKind    policies.Kind
	RunnerTablet  int32 // -1 = none
	RunnerScore   float64
	LongestKind   policies.Kind
	LongestTablet int32 // -1 = nothing else waits
	LongestWait   engine.Time

	Idle                      bool // it found nothing to do
	Inputs, Outputs           int
	BytesRead, BytesWritten   int64
	HeightBefore, HeightAfter float64
}

// running is an op on a thread.
type running struct {
	Record
	manager *Manager
	state   *replicaState
	job     *server.Job
	rowsets []*tablet.Rowset     // what the op works on, locked but for a DMS flush
	frozen  tablet.DeltaMemStore // what it writes of their DeltaMemStores
	void    bool                 // its tablet was unregistered before it began: it finds nothing
}

// newRunning puts a choice on record.
func (m *Manager) newRunning(now engine.Time, d *Decision) *running {
	c, row := d.Candidates, d.Row
	t := m.owner[row]
	op := &running{manager: m, state: t}
	op.Record = Record{Server: m.srv.ID, Replica: t.Replica, Kind: c.Kind[row], Chosen: now, Choice: d.Choice, Perf: c.Perf[row],
		ScansPerS: c.ScansPerSec[row], RowsPerS: c.RowsPerSec[row], RAM: c.RAM[row], WAL: c.WAL[row], Data: c.Data[row], MemoryPercent: d.Memory.UsedPercent,
		Candidates: c.Len(), RunnerTablet: -1, LongestTablet: -1, HeightBefore: m.height(t)}
	if r := d.RunnerUp; r >= 0 {
		op.RunnerKind, op.RunnerTablet, op.RunnerScore = c.Kind[r], c.Tablet[r], d.Scores[r]
	}
	op.Since = t.waits[op.Kind]
	if op.Since < 0 {
		op.Since = now
	}
	longest := now + 1
	for i, k := range c.Kind {
		if w := m.owner[i].waits[k]; i != row && w >= 0 && w < longest {
			longest = w
			op.LongestKind, op.LongestTablet, op.LongestWait = k, c.Tablet[i], now-w
		}
	}
	return op
}

// Perform begins the op's work on its thread.
func (op *running) Perform(now engine.Time) error {
	m := op.manager
	if op.state.dropped {
		op.void = true
		op.job = m.srv.Begin(now, 0, 0)
		return nil
	}
	return m.perform(now, op)
}

// Due is when the op's disk and CPU time are over at the earliest.
func (op *running) Due(now engine.Time) engine.Time { return op.manager.srv.Due(now, op.job) }

// Finish puts the op's effect in place.
func (op *running) Finish(now engine.Time) {
	if op.void {
		op.manager.srv.End(now, op.job)
		return
	}
	op.manager.finish(now, op)
}

// Report takes note of the op's end.
func (op *running) Report(now engine.Time) {
	op.End = now
	op.manager.observe.OpDone(&op.Record)
}

// Unfinished reports the ops that still run.
func (m *Manager) Unfinished() {
	for i := range m.threads {
		if op, ok := m.threads[i].op.(*running); ok {
			op.Report(-1)
		}
	}
}
