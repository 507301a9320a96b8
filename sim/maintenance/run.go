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

// perform begins the op's work on its thread: it picks and locks what it works on and starts to use the disk and a core.
func (m *Manager) perform(now engine.Time, op *running) (err error) {
	var ns float64
	switch op.Kind {
	case policies.CompactRowSets:
		if ns, err = m.performCompaction(op); err != nil {
			return err
		}
	case policies.FlushMRS:
		op.state.BeginFlush()
		op.BytesWritten = op.state.Sizes.Flushed(op.state.Flushing.Rows)
		ns = m.costs.FlushFixed + float64(m.costs.FlushMiB*mib(op.BytesWritten))
	case policies.FlushDeltaMemStores:
		best, _, _ := op.state.BestDMS(m.pressure())
		ns = m.costs.DMSFixed
		if best != nil { // another thread may have flushed the last one meanwhile
			op.rowsets = []*tablet.Rowset{best}
			op.frozen = op.state.FreezeDMS(op.rowsets)
			op.BytesWritten = op.frozen.Rows * op.state.Sizes.RedoRow
			ns += float64(m.costs.DMSMiB * mib(op.BytesWritten))
		}
	case policies.MinorDeltaCompaction, policies.MajorDeltaCompaction:
		ns = m.performDelta(op)
	case policies.LogGC:
		ns = m.costs.LogGC
	case policies.UndoDeltaBlockGC:
		op.rowsets = op.state.Available() // holds them all, whichever have old UNDO
		op.state.Lock(op.rowsets)
		ns = m.costs.UndoGC
	}
	cpu := engine.Time(ns * m.costs.Factor.Sample(&m.rand))
	op.job = m.srv.Disk.Start(now, op.BytesRead+op.BytesWritten, cpu)
	return nil
}

// pressure is the memory used in percent if the server is under memory pressure, else 0.
func (m *Manager) pressure() float64 {
	if m.srv.Memory.UnderPressure() {
		return m.srv.Memory.UsedPercent()
	}
	return 0
}

// performCompaction runs the policy again and locks its pick. Inputs that have left the page cache are read from disk.
func (m *Manager) performCompaction(op *running) (ns float64, err error) {
	t := op.state
	t.Age(m.srv.Written(), m.srv.Memory.PageCache())
	if err := m.selectRowsets(t); err != nil {
		return 0, err
	}
	s := &t.compaction.selection
	op.rowsets = append([]*tablet.Rowset(nil), s.picked...)
	op.Inputs = len(op.rowsets)
	for _, rs := range op.rowsets {
		if rs.Evicted {
			op.BytesRead += rs.Full()
		}
		op.BytesWritten += rs.Full()
	}
	t.Lock(op.rowsets)
	op.frozen = t.FreezeDMS(op.rowsets)
	if op.Inputs == 0 { // another thread took them: it ends at once
		return m.costs.LogGC, nil
	}
	return m.costs.compact(s.weight, op.Inputs), nil
}

func (m *Manager) performDelta(op *running) (ns float64) {
	op.state.Age(m.srv.Written(), m.srv.Memory.PageCache())
	rs, _ := op.state.WorstDeltas(op.Kind == policies.MajorDeltaCompaction, m.cfg.MinorMax, m.cfg.MajorRatio)
	if rs == nil {
		return m.costs.LogGC
	}
	op.rowsets = []*tablet.Rowset{rs}
	op.state.Lock(op.rowsets)
	op.Inputs, op.Outputs = rs.RedoFiles, 1
	op.BytesWritten = op.state.DeltaBytes(rs, op.Kind == policies.MajorDeltaCompaction)
	if rs.Evicted {
		op.BytesRead = op.BytesWritten
	}
	return m.costs.delta(rs.RedoRows)
}

// delta is what a minor or major delta compaction of rows updates takes.
func (c *OpCosts) delta(rows int64) float64 {
	return c.DeltaFixed + float64(c.DeltaRow*float64(rows))
}

// compact is what merging inputs rowsets of weight bytes takes: the merge looks at every input for each row.
func (c *OpCosts) compact(weight int64, inputs int) float64 {
	if inputs == 0 {
		return 0
	}
	return c.CompactFixed + mib(weight)*(c.CompactMiB+float64(c.CompactInput*float64(inputs)))
}

// finish puts the op's effect in place and reports it.
func (m *Manager) finish(now engine.Time, op *running) {
	t := op.state
	m.srv.Disk.End(now, op.job)
	switch op.Kind {
	case policies.CompactRowSets:
		if op.Inputs == 0 {
			t.Finished.Compaction++
			break
		}
		var freed int64
		op.Outputs, op.BytesWritten, freed = t.EndCompaction(op.rowsets, op.frozen, now, m.srv.Written())
		m.srv.Memory.Add(-freed)
	case policies.FlushMRS:
		var freed int64
		op.Outputs, op.BytesWritten, freed = t.EndFlush(now, m.srv.Written())
		m.srv.Memory.Add(-freed)
		t.flushing, t.lastMRSFlush = false, now
	case policies.FlushDeltaMemStores:
		if len(op.rowsets) > 0 {
			m.srv.Memory.Add(-t.EndDMSFlush(op.rowsets[0], op.frozen))
			op.Outputs = 1
		}
		t.lastDMSFlush = now
	case policies.MinorDeltaCompaction, policies.MajorDeltaCompaction:
		m.finishDelta(now, op)
	case policies.LogGC:
		segments, bytes := t.CollectableWAL(m.cfg.WALMinSegs)
		t.WAL.Collect(segments)
		op.WAL = bytes
		t.logGC = false
	case policies.UndoDeltaBlockGC:
		op.Data = t.EndUndoGC(op.rowsets, op.Chosen-m.cfg.HistoryMaxAge)
		t.Unlock(op.rowsets)
	}
	m.srv.Write(op.BytesWritten)
	op.End, op.HeightAfter = now, t.Height()
	m.observe.OpDone(&op.Record)
}

func (m *Manager) finishDelta(now engine.Time, op *running) {
	if len(op.rowsets) == 0 {
		return
	}
	if op.Kind == policies.MajorDeltaCompaction {
		op.state.EndMajor(op.rowsets[0], now)
	} else {
		op.state.EndMinor(op.rowsets[0])
	}
	op.state.Unlock(op.rowsets)
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
