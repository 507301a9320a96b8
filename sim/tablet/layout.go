package tablet

import (
	"cmp"
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
	}
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
		pieces = append(pieces, piece{rs.Lo, rs.Hi, float64(rs.Rows)})
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

// piece is a run of rows spread evenly between two places.
type piece struct{ lo, hi, rows float64 }

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
	for _, cut := range cuts(pieces, rows, r.Sizes.rowsPerRoll()) {
		rs := r.newRowset(cut.lo, cut.hi, int64(cut.rows), written)
		if h == nil {
			rs.setUndo(int64(cut.rows*r.Sizes.UndoRow), now)
		} else {
			rs.setUndo(int64(float64(h.undo)*cut.rows/float64(rows)), h.newest)
			rs.Deleted = min(rs.Rows, int64(math.Round(float64(h.deleted)*cut.rows/float64(rows))))
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

// cuts merges the pieces in key order and cuts the result after every roll rows. Each cut begins one row's breadth
// after the one before ends.
func cuts(pieces []piece, rows, roll int64) []piece {
	type edge struct{ at, density, jump float64 } // density starts (or ends, if negative) here; jump rows lie at this very place
	edges := make([]edge, 0, 2*len(pieces))
	for _, p := range pieces {
		if p.hi <= p.lo {
			edges = append(edges, edge{p.lo, 0, p.rows})
			continue
		}
		d := p.rows / (p.hi - p.lo)
		edges = append(edges, edge{p.lo, d, 0}, edge{p.hi, -d, 0})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	var out []piece
	begin, density, held := edges[0].at, 0.0, 0.0
	left := float64(rows)
	full := float64(roll)
	for i, e := range edges {
		if i > 0 {
			from := edges[i-1].at
			span := float64(density * (e.at - from))
			for density > 0 && left > full && held+span >= full {
				from = min(from+max(full-held, 0)/density, e.at)
				span = float64(density * (e.at - from))
				out = append(out, piece{begin, max(begin, from), full})
				begin = min(from+1/density, e.at)
				held, left = max(held-full, 0), left-full // single rows may have held more than a rowset's
			}
			held += max(span, 0)
		}
		density += e.density
		held += e.jump
	}
	return append(out, piece{begin, edges[len(edges)-1].at, left})
}
