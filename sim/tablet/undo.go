package tablet

import (
	"cmp"
	"math"
	"slices"
)

// undoBlock is one file of UNDO deltas of a rowset. How old it is, nobody knows before it has been opened: what is written is not.
type undoBlock struct {
	bytes  int64
	newest int64 // ns of its newest delta
	opened bool
}

// maxUndoBlocks bounds a rowset's list; beyond, the two oldest are kept as one.
const maxUndoBlocks = 8

// setUndo gives the rowset one block.
func (r *Rowset) setUndo(bytes, newest int64) {
	r.Undo, r.undo = bytes, nil
	if bytes > 0 {
		r.undo = []undoBlock{{bytes: bytes, newest: newest}}
	}
}

// addUndo adds the newest block.
func (r *Rowset) addUndo(bytes, newest int64) {
	if bytes == 0 {
		return
	}
	r.Undo += bytes
	r.undo = append(r.undo, undoBlock{bytes: bytes, newest: newest})
	if len(r.undo) > maxUndoBlocks {
		a, b := r.undo[0], r.undo[1]
		r.undo[1] = undoBlock{a.bytes + b.bytes, max(a.newest, b.newest), a.opened && b.opened}
		r.undo = slices.Delete(r.undo, 0, 1)
	}
}

// NewestUndo is the time of the newest UNDO delta.
func (r *Rowset) NewestUndo() int64 {
	newest := int64(math.MinInt64)
	for _, b := range r.undo {
		newest = max(newest, b.newest)
	}
	return newest
}

// UndoSince splits the rowset's UNDO at a mark of time: ancient is what is known to be older, unknown what was not opened yet, both up to the
// first block that is known to be younger (delta_tracker.cc).
func (r *Rowset) UndoSince(mark int64) (ancient, unknown int64) {
	for _, b := range r.undo {
		switch {
		case !b.opened:
			unknown += b.bytes
		case b.newest >= mark:
			return ancient, unknown
		default:
			ancient += b.bytes
		}
	}
	return ancient, unknown
}

// undoEstimate keeps what UNDO GC could free until that may change: with the rowsets, their locks or their UNDO.
type undoEstimate struct {
	known bool
	until int64 // mark from which more is old
	bytes int64
}

// AncientUndo is the bytes of UNDO deltas that are, or may be, older than a mark: what Kudu takes an UNDO GC to free, whether or not an op holds
// the rowset.
func (r *Replica) AncientUndo(mark int64) int64 {
	e := &r.undo
	if e.known && mark <= e.until {
		return e.bytes
	}
	*e = undoEstimate{known: true, until: math.MaxInt64}
	for _, rs := range r.Rowsets {
		ancient, unknown := rs.UndoSince(mark)
		e.bytes += ancient + unknown
		for _, b := range rs.undo {
			if b.opened && b.newest >= mark {
				e.until = min(e.until, b.newest)
			}
		}
	}
	return e.bytes
}

// OpenUndo opens blocks to learn their age, at most so many: those of the rowset that may free most first, and of
// each rowset the oldest first, up to one that is younger than the mark. It gives how many it opened, and how many blocks of available rowsets are old.
func (r *Replica) OpenUndo(mark int64, most int) (opened, old int) {
	type candidate struct {
		rs    *Rowset
		bytes int64
	}
	var all []candidate
	for _, rs := range r.Rowsets {
		if ancient, unknown := rs.UndoSince(mark); ancient+unknown > 0 {
			all = append(all, candidate{rs, ancient + unknown})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.bytes, a.bytes) })
	for _, c := range all {
		for i := range c.rs.undo {
			b := &c.rs.undo[i]
			if !b.opened {
				if opened == most {
					break
				}
				opened++
				b.opened = true
			}
			if b.newest >= mark {
				break
			}
		}
		if !c.rs.locked {
			old += c.rs.oldBlocks(mark)
		}
	}
	r.undo.known = false
	return opened, old
}

// oldBlocks counts the blocks that are known to be older than a mark.
func (r *Rowset) oldBlocks(mark int64) (n int) {
	for n < len(r.undo) && r.undo[n].opened && r.undo[n].newest < mark {
		n++
	}
	return n
}

// EndUndoGC deletes the rowsets' UNDO blocks that are known to be older than the mark, and gives their bytes. Without rowsets nothing was found.
func (r *Replica) EndUndoGC(rowsets []*Rowset, mark int64) (bytes int64) {
	r.Finished.UndoGC++
	for _, rs := range rowsets {
		for range rs.oldBlocks(mark) {
			bytes += rs.undo[0].bytes
			rs.undo = rs.undo[1:]
		}
		rs.Undo = 0
		for _, b := range rs.undo {
			rs.Undo += b.bytes
		}
	}
	if len(rowsets) > 0 {
		r.version++
		r.undo.known = false
	}
	return bytes
}
