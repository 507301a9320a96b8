package maintenance

import (
	"math"

	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

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
		if m.unsynced { // on the measured server a flush that followed a compaction took twice as long as one that followed a flush
			ns += m.costs.FlushSync
		}
		m.unsynced = false
	case policies.FlushDeltaMemStores:
		best, _, _ := m.bestDMS(op.state, m.pressure())
		ns = m.costs.Nothing
		if best != nil { // another thread may have flushed the last one meanwhile
			ns = m.costs.DMSFixed
			op.rowsets = []*tablet.Rowset{best}
			op.frozen = op.state.FreezeDMS(op.rowsets)
			op.BytesWritten = op.frozen.Redo
			ns += float64(m.costs.DMSMiB * mib(op.BytesWritten))
		}
	case policies.MinorDeltaCompaction, policies.MajorDeltaCompaction:
		ns = m.performDelta(now, op)
	case policies.LogGC:
		ns = m.costs.LogGC
	case policies.UndoDeltaBlockGC:
		ns = m.performUndoGC(now, op)
	case policies.DeletedRowSetGC: // touches metadata only
		op.rowsets = op.state.Dead(now - m.cfg.HistoryMaxAge)
		op.state.Lock(op.rowsets)
		ns = m.costs.LogGC
	}
	factor := m.costs.Factor
	if op.Kind == policies.FlushMRS || op.Kind == policies.FlushDeltaMemStores {
		factor = m.costs.FlushFactor
	}
	cpu := engine.Time(ns * factor.Sample(&m.rand))
	op.job = m.srv.Begin(now, op.BytesRead+op.BytesWritten, cpu)
	op.Idle = op.idle()
	return m.watch.began(now, &op.Record)
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
		return m.costs.Nothing, nil
	}
	return m.costs.compact(s.weight, op.Inputs), nil
}

func (m *Manager) performDelta(now engine.Time, op *running) (ns float64) {
	op.state.Age(m.srv.Written(), m.srv.Memory.PageCache())
	rs, _ := op.state.WorstDeltas(op.Kind == policies.MajorDeltaCompaction, &m.cfg.Deltas, now-m.cfg.HistoryMaxAge)
	if rs == nil {
		return m.costs.Nothing
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

// performUndoGC opens deltas whose age is not known, as long as its budget lasts. If any are old it holds all available rowsets, whichever
// they belong to, and deletes those blocks, for which the tablet's metadata are written and synced; else it is done.
func (m *Manager) performUndoGC(now engine.Time, op *running) (ns float64) {
	most := math.MaxInt
	if m.costs.UndoOpen > 0 {
		most = int(float64(m.cfg.UndoGCBudget) / m.costs.UndoOpen)
	}
	opened, old := op.state.OpenUndo(now-m.cfg.HistoryMaxAge, most)
	ns = m.costs.UndoGC + float64(m.costs.UndoOpen*float64(opened))
	if old > 0 {
		op.rowsets = op.state.Available()
		op.state.Lock(op.rowsets)
		ns += m.costs.UndoFree + float64(m.costs.UndoFreeBlock*float64(old))
	}
	return ns
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
	m.srv.End(now, op.job)
	switch op.Kind {
	case policies.CompactRowSets:
		if op.Inputs == 0 {
			t.Finished.Compaction++
			break
		}
		var freed int64
		op.Outputs, op.BytesWritten, freed = t.EndCompaction(op.rowsets, op.frozen, now, m.srv.Written(), op.Chosen-m.cfg.HistoryMaxAge)
		m.unsynced = true
		m.srv.Memory.Add(-freed)
	case policies.FlushMRS:
		var freed int64
		op.Outputs, op.BytesWritten, freed = t.EndFlush(now, m.srv.Written())
		m.srv.Memory.Add(-freed)
		t.flushing, t.lastMRSFlush = false, now
	case policies.FlushDeltaMemStores:
		if len(op.rowsets) > 0 {
			m.srv.Memory.Add(-t.EndDMSFlush(op.rowsets[0], op.frozen, now))
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
		t.EndUndoGC(op.rowsets, op.Chosen-m.cfg.HistoryMaxAge)
		t.Unlock(op.rowsets)
	case policies.DeletedRowSetGC:
		_, freed := t.Drop(op.rowsets)
		m.srv.Memory.Add(-freed)
		t.deletedGC = false
	}
	m.srv.Write(op.BytesWritten)
	op.HeightAfter = m.height(t)
	m.rested(now, op)
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
