package tablet

import (
	"cmp"
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
	outputs, bytes = r.write([]piece{{lo, hi, float64(m.Rows)}}, m.Rows, now, written, nil)
	r.Finished.MRSFlush++
	r.changed()
	return outputs, bytes, m.Bytes
}

// Lock takes the rowsets' locks for a maintenance op.
func (r *Replica) Lock(rowsets []*Rowset) {
	for _, rs := range rowsets {
		rs.locked = true
	}
	r.version++
}

// Unlock gives them back.
func (r *Replica) Unlock(rowsets []*Rowset) {
	for _, rs := range rowsets {
		rs.locked = false
	}
	r.version++
}

// EndCompaction replaces the locked inputs by rowsets with their rows, rolled at the target size. REDO deltas and the DeltaMemStores
// frozen at the start are applied and become UNDO; updates that came since go to the output that holds their key range's middle.
func (r *Replica) EndCompaction(inputs []*Rowset, frozen DeltaMemStore, now, written int64) (outputs int, bytes, memory int64) {
	var rows, undo int64
	pieces := make([]piece, 0, len(inputs))
	for _, rs := range inputs {
		rs.gone = true
		rows += rs.Rows
		undo += rs.Undo + rs.RedoBytes
		pieces = append(pieces, piece{rs.Lo, rs.Hi, float64(rs.Rows)})
	}
	r.Rowsets = slices.DeleteFunc(r.Rowsets, func(rs *Rowset) bool { return rs.gone })
	r.dms = slices.DeleteFunc(r.dms, func(rs *Rowset) bool { return rs.gone })
	r.largest, r.best = nil, nil
	first := len(r.Rowsets)
	undo += frozen.Rows * r.Sizes.RedoRow
	outputs, bytes = r.write(pieces, rows, now, written, &undo)
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

// write adds rowsets holding the pieces' rows in key order, each full but the last. undo is shared out by rows; nil
// means that a flush writes it anew.
func (r *Replica) write(pieces []piece, rows int64, now, written int64, undo *int64) (outputs int, bytes int64) {
	for _, cut := range cuts(pieces, rows, r.Sizes.rowsPerRoll()) {
		rs := r.newRowset(cut.lo, cut.hi, int64(cut.rows), now, written)
		if undo == nil {
			rs.Undo = int64(cut.rows * r.Sizes.UndoRow)
		} else {
			rs.Undo = int64(float64(*undo) * cut.rows / float64(rows))
		}
		r.Rowsets = append(r.Rowsets, rs)
		outputs++
		bytes += rs.Full()
	}
	return outputs, bytes
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
