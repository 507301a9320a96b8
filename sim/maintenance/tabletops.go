package maintenance

import (
	"slices"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// tabletOps are the ops of a manager's tablets.
type tabletOps struct{ *Manager }

// Collect refreshes the stats of the ops of all tablets.
func (o tabletOps) Collect(now engine.Time) (Look, error) {
	o.recomputed = 0
	c, err := o.collect(now)
	if err != nil {
		return Look{}, err
	}
	mem := &o.srv.Memory
	return Look{Candidates: c, Memory: Memory{mem.UsedPercent(), mem.PressurePercent, mem.SoftPercent},
		Ops: len(o.tablets) * int(policies.NumKinds), Rowsets: o.recomputed}, nil
}

// Decided notes who waits.
func (o tabletOps) Decided(now engine.Time, d *Decision) { o.noteWaits(now, d) }

// Prepare takes the op's semaphore, if it has one, and drops the cached stats.
func (o tabletOps) Prepare(now engine.Time, d *Decision) (Op, bool) {
	t, kind := o.owner[d.Row], d.Candidates.Kind[d.Row]
	if !t.prepare(kind) {
		return nil, false
	}
	op := o.newRunning(now, d)
	o.watch.chose(now, &op.Record, d)
	t.wait(op.Since, kind)
	o.endWait(now, t, kind, true)
	return op, true
}

// Cancel takes ops of a tablet away, and with the last of them the tablet. They wait no more.
func (o tabletOps) Cancel(now engine.Time, tablet int32, kinds Kinds) {
	t := o.find(tablet)
	if t == nil {
		return
	}
	o.endWaits(now, t, kinds)
	t.gone |= kinds
	t.off |= kinds
	if t.gone == AllKinds {
		o.tablets = slices.DeleteFunc(o.tablets, func(x *replicaState) bool { return x == t })
	}
}

// prepare is what Kudu does on the scheduler's thread before an op runs.
func (t *replicaState) prepare(kind policies.Kind) bool {
	switch kind {
	case policies.FlushMRS:
		return take(&t.flushing)
	case policies.LogGC:
		return take(&t.logGC)
	case policies.DeletedRowSetGC:
		return take(&t.deletedGC)
	case policies.CompactRowSets:
		t.compaction.valid = false
	case policies.MinorDeltaCompaction:
		t.minor.valid = false
	case policies.MajorDeltaCompaction:
		t.major.valid = false
	}
	return true
}

// take takes a semaphore if it is free.
func take(held *bool) bool {
	if *held {
		return false
	}
	*held = true
	return true
}
