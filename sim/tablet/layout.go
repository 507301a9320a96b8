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
	r.Finished.MRSFlush++
	if m.Rows == 0 {
		return 0, 0, m.Bytes
	}
	h := history{deleted: m.Deleted, filed: m.Deleted, lastDelete: m.LastDelete}
	outputs, bytes = r.write(r.pieces(&m), m.Rows, written, &h, now)
	r.changed()
	return outputs, bytes, m.Bytes
}

// pieces are the rows of a MemRowSet: each run of keys that were appended, or all of them anywhere.
func (r *Replica) pieces(m *MemRowset) (out []piece) {
	if r.ordered {
		for _, run := range m.runs {
			out = append(out, run.piece)
		}
		return out
	}
	lo, hi := r.waveEnds(m.Rows)
	if m.Rows == 1 {
		hi = lo
	}
	return []piece{{lo, hi, float64(m.Rows)}}
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
// frozen at the start are applied and become UNDO; updates that came since go to the output that holds their key range's middle. Rows deleted before mark
// are left out with all their history; those deleted later stay, with their deletes in a REDO file (compaction.cc, ApplyMutationsAndGenerateUndos).
func (r *Replica) EndCompaction(inputs []*Rowset, frozen DeltaMemStore, now, written, mark int64) (outputs int, bytes, memory int64) {
	h := history{merged: true, newest: math.MinInt64}
	var rows int64
	pieces := make([]piece, 0, len(inputs))
	for _, rs := range inputs {
		rs.gone = true
		if left := h.add(r, rs, mark); left > 0 {
			rows += left
			pieces = append(pieces, rs.stretches(left)...)
		}
	}
	r.Rowsets = slices.DeleteFunc(r.Rowsets, func(rs *Rowset) bool { return rs.gone })
	r.dms = slices.DeleteFunc(r.dms, func(rs *Rowset) bool { return rs.gone })
	r.largest, r.best = nil, nil
	first := len(r.Rowsets)
	if frozen.Rows > 0 {
		h.undo, h.newest = h.undo+frozen.Redo-frozen.Deletes*r.Sizes.RedoDelete, now
	}
	outputs, bytes = r.write(pieces, rows, written, &h, now)
	memory = r.moveUpdates(inputs, r.Rowsets[first:])
	r.Finished.Compaction++
	r.changed()
	return outputs, bytes, memory + r.thaw(frozen)
}

// moveUpdates hands the inputs' DeltaMemStores to the outputs. Where no output is left, they are gone, and their memory is freed.
func (r *Replica) moveUpdates(inputs, outputs []*Rowset) (memory int64) {
	for _, in := range inputs {
		if in.DMS.Rows == 0 {
			continue
		}
		if len(outputs) == 0 {
			memory += in.DMS.Bytes
			r.dmsSize -= in.DMS.Bytes
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
		d.Redo += in.DMS.Redo
		d.Deletes += in.DMS.Deletes
		d.Since, d.Anchor = min(d.Since, in.DMS.Since), min(d.Anchor, in.DMS.Anchor)
	}
	for _, out := range outputs {
		if out.DMS.Rows > 0 {
			r.addDMS(out)
		}
	}
	return memory
}

// history is what a compaction carries over from its inputs: their UNDO and what becomes of their REDO, and their deleted rows. Of a flush it is the deletes only.
type history struct {
	merged       bool
	undo, newest int64
	deleted      int64 // rows
	filed        int64 // of these, those whose deletes are in REDO files, not in memory
	lastDelete   int64
}

// add takes over an input and gives how many of its rows are left.
func (h *history) add(r *Replica, rs *Rowset, mark int64) (left int64) {
	h.newest = max(h.newest, rs.NewestUndo())
	if rs.RedoFiles > 0 {
		h.newest = max(h.newest, rs.RedoNewest)
	}
	undo := rs.Undo + rs.RedoBytes - r.deleteBytes(rs)
	if rs.Deleted > 0 && rs.LastDelete < mark {
		left = rs.Rows - rs.Deleted
		h.undo += int64(float64(undo) * float64(left) / float64(rs.Rows))
		return left
	}
	h.undo += undo
	h.deleted += rs.Deleted
	h.filed += rs.Deleted - rs.DMS.Deletes
	h.lastDelete = max(h.lastDelete, rs.LastDelete)
	return rs.Rows
}

// write adds rowsets holding the pieces' rows in key order, each full but the last. A compaction's history is shared out by rows, into
// one block of UNDO each; a flush writes it anew. The bytes are those that Kudu's metric bytes_written counts: a flush's with UNDO, a
// compaction's without.
func (r *Replica) write(pieces []piece, rows int64, written int64, h *history, now int64) (outputs int, bytes int64) {
	if rows == 0 {
		return 0, 0
	}
	held := filled(rows, r.rolls(h.merged))
	before := 0.0
	for i, part := range parted(overlay(pieces), r.ranks(held, float64(rows))) {
		rs := r.newRowset(part[0].lo, part[len(part)-1].hi, int64(held[i]), written)
		rs.uneven = joined(part, held[i])
		if h.merged {
			rs.setUndo(int64(float64(h.undo)*held[i]/float64(rows)), h.newest)
		} else {
			rs.setUndo(int64(held[i]*r.Sizes.UndoRow), now)
		}
		if h.deleted > 0 {
			r.inherit(rs, h, before/float64(rows), (before+held[i])/float64(rows))
		}
		before += held[i]
		r.Rowsets = append(r.Rowsets, rs)
		outputs++
		bytes += rs.Full()
		if h.merged {
			bytes -= rs.Undo
		}
	}
	return outputs, bytes
}

// inherit gives a rowset the deletes that lie between two shares of the rows.
func (r *Replica) inherit(rs *Rowset, h *history, from, to float64) {
	part := func(n int64) int64 {
		return int64(math.Round(float64(n)*to)) - int64(math.Round(float64(n)*from))
	}
	rs.Deleted, rs.LastDelete = part(h.deleted), h.lastDelete
	filed := part(h.filed)
	rs.setDeletes(filed, filed*r.Sizes.RedoDelete)
	rs.RedoNewest = h.lastDelete
}

// Drop removes rowsets of which nothing is left, and gives their bytes and the memory freed.
func (r *Replica) Drop(rowsets []*Rowset) (bytes, memory int64) {
	for _, rs := range rowsets {
		rs.gone = true
		bytes += rs.Full()
		memory += rs.DMS.Bytes
	}
	r.Rowsets = slices.DeleteFunc(r.Rowsets, func(rs *Rowset) bool { return rs.gone })
	r.dms = slices.DeleteFunc(r.dms, func(rs *Rowset) bool { return rs.gone })
	r.dmsSize -= memory
	r.largest, r.best = nil, nil
	if len(rowsets) > 0 {
		r.changed()
	}
	return bytes, memory
}

// Dead lists the available rowsets whose rows are all deleted, the last of them before the mark of old history (diskrowset.cc).
func (r *Replica) Dead(mark int64) (out []*Rowset) {
	if !r.deletes {
		return nil
	}
	for _, rs := range r.Rowsets {
		known := rs.RedoFiles > 0 || rs.DMS.Rows > 0 // how old deletes are, Kudu knows by the deltas
		if !rs.locked && rs.Rows > 0 && !rs.live() && known && rs.LastDelete < mark {
			out = append(out, rs)
		}
	}
	return out
}
