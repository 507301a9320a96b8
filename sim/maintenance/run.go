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

	Inputs, Outputs           int
	BytesRead, BytesWritten   int64
	HeightBefore, HeightAfter float64
}

// running is an op on a thread.
type running struct {
	Record
	owner   int
	state   *replicaState
	job     *server.Job
	due     engine.Time
	rowsets []*tablet.Rowset     // what the op works on, locked but for a DMS flush
	frozen  tablet.DeltaMemStore // what it writes of their DeltaMemStores
}

// newRunning puts a choice on record.
func (m *Manager) newRunning(now engine.Time, choice Choice, c *policies.Candidates, state Memory) *running {
	row := choice.Row
	owner := m.owner[row]
	op := &running{owner: owner, state: m.tablets[owner]}
	op.Record = Record{Server: m.srv.ID, Replica: op.state.Replica, Kind: c.Kind[row], Chosen: now, Choice: choice, Perf: c.Perf[row],
		ScansPerS: c.ScansPerSec[row], RowsPerS: c.RowsPerSec[row], RAM: c.RAM[row], WAL: c.WAL[row], Data: c.Data[row], MemoryPercent: state.UsedPercent,
		Candidates: c.Len(), RunnerTablet: -1, LongestTablet: -1, HeightBefore: op.state.Height()}
	if r := choice.RunnerUp; r >= 0 {
		op.RunnerKind, op.RunnerTablet, op.RunnerScore = c.Kind[r], c.Tablet[r], m.decider.scores[r]
	}
	since := m.waits[owner][op.Kind]
	if since < 0 {
		since = now
	}
	op.Since = since
	longest := now + 1
	for i := range c.Kind {
		if w := m.waits[m.owner[i]][c.Kind[i]]; i != row && w >= 0 && w < longest {
			longest = w
			op.LongestKind, op.LongestTablet, op.LongestWait = c.Kind[i], c.Tablet[i], now-w
		}
	}
	return op
}

// prepare is what Kudu does on the scheduler's thread: take the semaphores and drop the cached stats.
func (m *Manager) prepare(now engine.Time, op *running) {
	m.waits[op.owner][op.Kind] = op.Since
	m.endWait(now, op.owner, op.Kind, true)
	switch t := op.state; op.Kind {
	case policies.FlushMRS:
		t.flushing = true
	case policies.LogGC:
		t.logGC = true
	case policies.CompactRowSets:
		t.compaction.valid = false
	case policies.MinorDeltaCompaction:
		t.minor.valid = false
	case policies.MajorDeltaCompaction:
		t.major.valid = false
	}
}

// Unfinished reports the ops that still run.
func (m *Manager) Unfinished() {
	for _, t := range m.threads {
		if t != nil {
			t.End = -1
			m.observe.OpDone(&t.Record)
		}
	}
}
