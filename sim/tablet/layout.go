package tablet

import (
	"math"
	"slices"
)

// BeginFlush swaps in a new MemRowSet; the old one is in Flushing until EndFlush.
func (r *Replica) BeginFlush() {
	r.Flushing, r.MRS = r.MRS, emptyMRS()
}

// EndFlush turns the MemRowSet being flushed into disk rowsets that do not overlap each other and together span its
// key range (tablet.cc, RollingDiskRowSetWriter). It gives the number of rowsets, their bytes and the memory freed.
func (r *Replica) EndFlush(now, written int64) (outputs int, bytes, memory int64) {
	m := r.Flushing
	r.Flushing = emptyMRS()
	lo, hi := m.Lo, m.Hi
	if !r.ordered {
		lo, hi = r.waveEnds(m.Rows)
	}
	if m.Rows == 1 {
		hi = lo
	}
	r.Finished.MRSFlush++
	if m.Rows == 0 {
		return 0, 0, m.Bytes
	}
	outputs, bytes = r.write([]piece{{lo, hi, float64(m.Rows)}}, m.Rows, written, nil, now)
	r.changed()
	return outputs, bytes, m.Bytes
}

// Lock takes the rowsets' locks for a maintenance op.
func (r *Replica) Lock(rowsets []*Rowset) {
	for _, rs := range rowsets {
		rs.locked = true
	}
	r.relocked(len(rowsets))
}

// Unlock gives them back.
func (r *Replica) Unlock(rowsets []*Rowset) {
	for _, rs := range rowsets {
		rs.locked = false
	}
	r.relocked(len(rowsets))
}

func (r *Replica) relocked(rowsets int) {
	if rowsets > 0 {
		r.version++
		r.undo.known = false
	}
}

// Held says whether an op holds any rowset.
func (r *Replica) Held() bool {
	for _, rs := range r.Rowsets {
		if rs.locked {
			return true
		}
	}
	return false
}

// EndCompaction replaces the locked inputs by rowsets with their rows, rolled at the target size. REDO deltas and the DeltaMemStores
// frozen at the start are applied and become UNDO; updates that came since go to the output that holds their key range's middle.
func (r *Replica) EndCompaction(inputs []*Rowset, frozen DeltaMemStore, now, written int64) (outputs int, bytes, memory int64) {
	h := history{newest: math.MinInt64}
	var rows int64
	pieces := make([]piece, 0, len(inputs))
	for _, rs := range inputs {
		rs.gone = true
		rows += rs.Rows
		h.add(rs)
		pieces = append(pieces, rs.stretches()...)
	}
	r.Rowsets = slices.DeleteFunc(r.Rowsets, func(rs *Rowset) bool { return rs.gone })
	r.dms = slices.DeleteFunc(r.dms, func(rs *Rowset) bool { return rs.gone })
	r.largest, r.best = nil, nil
	first := len(r.Rowsets)
	if frozen.Rows > 0 {
		h.undo, h.newest = h.undo+frozen.Rows*r.Sizes.RedoRow, now
	}
	outputs, bytes = r.write(pieces, rows, written, &h, now)
	r.moveUpdates(inputs, r.Rowsets[first:])
	r.Finished.Compaction++
	r.changed()
	return outputs, bytes, r.thaw(frozen)
}

// moveUpdates hands the inputs' DeltaMemStores to the outputs.
func (r *Replica) moveUpdates(inputs, outputs []*Rowset) {
	for _, in := range inputs {
		if in.DMS.Rows == 0 {
			continue
		}
		middle := (in.Lo + in.Hi) / 2
		i := 0
		for i < len(outputs)-1 && outputs[i].Hi < middle {
			i++
		}
		d := &outputs[i].DMS
		if d.Rows == 0 {
			*d = in.DMS
			continue
		}
		d.Rows += in.DMS.Rows
		d.Bytes += in.DMS.Bytes
		d.Since, d.Anchor = min(d.Since, in.DMS.Since), min(d.Anchor, in.DMS.Anchor)
	}
	for _, out := range outputs {
		if out.DMS.Rows > 0 {
			r.addDMS(out)
		}
	}
}

// history is what a compaction carries over from its inputs: their UNDO and what becomes of their REDO, and their deleted rows.
type history struct{ undo, newest, deleted int64 }

func (h *history) add(rs *Rowset) {
	h.undo += rs.Undo + rs.RedoBytes
	h.deleted += rs.Deleted
	h.newest = max(h.newest, rs.NewestUndo())
	if rs.RedoFiles > 0 {
		h.newest = max(h.newest, rs.RedoNewest)
	}
}

// write adds rowsets holding the pieces' rows in key order, each full but the last. A compaction's history is shared out by rows, into
// one block of UNDO each; nil means that a flush writes it anew. The bytes are those that Kudu's metric bytes_written counts: a flush's with UNDO, a
// compaction's without.
func (r *Replica) write(pieces []piece, rows int64, written int64, h *history, now int64) (outputs int, bytes int64) {
	held := filled(rows, r.rolls(h != nil))
	for i, part := range parted(overlay(pieces), r.ranks(held, float64(rows))) {
		rs := r.newRowset(part[0].lo, part[len(part)-1].hi, int64(held[i]), written)
		rs.uneven = joined(part, held[i])
		if h == nil {
			rs.setUndo(int64(held[i]*r.Sizes.UndoRow), now)
		} else {
			rs.setUndo(int64(float64(h.undo)*held[i]/float64(rows)), h.newest)
			rs.Deleted = min(rs.Rows, int64(math.Round(float64(h.deleted)*held[i]/float64(rows))))
		}
		r.Rowsets = append(r.Rowsets, rs)
		outputs++
		bytes += rs.Full()
		if h != nil {
			bytes -= rs.Undo
		}
	}
	return outputs, bytes
}

// Drop removes rowsets of which nothing is left.
func (r *Replica) Drop(rowsets []*Rowset) (bytes int64) {
	for _, rs := range rowsets {
		rs.gone = true
		bytes += rs.Full()
	}
	r.Rowsets = slices.DeleteFunc(r.Rowsets, func(rs *Rowset) bool { return rs.gone })
	r.dms = slices.DeleteFunc(r.dms, func(rs *Rowset) bool { return rs.gone })
	r.largest, r.best = nil, nil
	if len(rowsets) > 0 {
		r.changed()
	}
	return bytes
}

// Dead lists the available rowsets whose rows are all deleted, the last of them before the mark of old history (diskrowset.cc).
func (r *Replica) Dead(mark int64) (out []*Rowset) {
	if !r.deletes {
		return nil
	}
	for _, rs := range r.Rowsets {
		newest := rs.RedoNewest
		if rs.DMS.Rows > 0 || rs.RedoFiles == 0 { // the age of updates in memory is that of the newest
			continue
		}
		if !rs.locked && rs.Rows > 0 && rs.Deleted == rs.Rows && newest < mark {
			out = append(out, rs)
		}
	}
	return out
}
