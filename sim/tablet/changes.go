package tablet

// Changes counts what one batch changes of rows that were inserted before.
type Changes struct {
	Updates, Upserts, Deletes int64
	Misses                    int64 // of rows that are not there
}

// LogChanges appends one batch of changes to the log and gives its index and size. What finds no row is logged, but not written.
func (r *Replica) LogChanges(c Changes) (index, wal int64) {
	s := r.Sizes
	wal = s.WALBatch + (c.Updates+c.Misses)*s.WALUpdate + c.Upserts*s.WALRow + c.Deletes*s.WALDelete
	r.RowsWritten += c.Updates + c.Upserts + c.Deletes
	return r.WAL.Append(wal), wal
}

// Update adds one update of the row at a place to the store that holds the row, and gives the memory it takes. pick in
// [0,1) decides among the stores whose range holds the place, by their density of rows there; a row keeps its pick.
func (r *Replica) Update(now int64, index int64, place, pick float64) (memory int64) {
	return r.change(now, index, r.Holder(place, pick), r.Sizes.DMSRow, r.Sizes.RedoRow)
}

// Upsert is Update with all columns of the row.
func (r *Replica) Upsert(now int64, index int64, place, pick float64) (memory int64) {
	return r.change(now, index, r.Holder(place, pick), r.Sizes.DMSUpsert, r.Sizes.RedoUpsert)
}

// Delete deletes the row at a place, and gives the memory that the delete takes: as a delta of the rowset that holds the row, or on its row in a MemRowSet.
func (r *Replica) Delete(now int64, index int64, place, pick float64) (memory int64) {
	r.deletes = true
	rs, m := r.victim(place, pick)
	switch {
	case rs >= 0:
		memory = r.change(now, index, rs, r.Sizes.DMSDelete, r.Sizes.RedoDelete)
		rowset := r.Rowsets[rs]
		rowset.DMS.Deletes++
		rowset.Deleted++
		rowset.LastDelete = now
	case m != nil:
		memory = m.put(r.Sizes.DMSDelete, r.Sizes)
		m.Deleted++
		m.LastDelete = now
	}
	return memory
}

// victim is the rowset or MemRowSet of which one more row can be deleted for the row at a place: the one that holds it. Places of rows within a store are
// known roughly only, so a store may have no row left for a delete that belongs to it, or miss one at its edge. Then the first store from the left that
// has rows left takes it, so that as many rows are deleted as should be, and those first that should have been. -1, nil = there is no row at all.
func (r *Replica) victim(place, pick float64) (rowset int32, m *MemRowset) {
	rowset = r.Holder(place, pick)
	if rowset >= 0 && r.Rowsets[rowset].live() {
		return rowset, nil
	}
	if rowset < 0 {
		for _, m := range [2]*MemRowset{&r.MRS, &r.Flushing} {
			if m.holds(place, r.ordered) {
				return -1, m
			}
		}
	}
	rowset = -1
	for i, rs := range r.Rowsets {
		if rs.live() && (rowset < 0 || rs.Lo < r.Rowsets[rowset].Lo) {
			rowset = int32(i)
		}
	}
	if rowset >= 0 {
		return rowset, nil
	}
	for _, m := range [2]*MemRowset{&r.Flushing, &r.MRS} {
		if m.holds(place, false) {
			return -1, m
		}
	}
	return -1, nil
}

// change adds one change of a row to the DeltaMemStore of the rowset that holds it (below 0: to a MemRowSet), and gives the memory it takes. redo is what it will take in a REDO file.
func (r *Replica) change(now, index int64, holder int32, memory, redo int64) int64 {
	if holder < 0 {
		return r.changeInMemory(memory)
	}
	rs := r.Rowsets[holder]
	if rs.DMS.Rows == 0 {
		rs.DMS.Since, rs.DMS.Anchor = now, index
		r.addDMS(rs)
	}
	rs.DMS.Rows++
	rs.DMS.Bytes += memory
	rs.DMS.Redo += redo
	if r.largest != nil && rs.DMS.Bytes > r.largest.DMS.Bytes {
		r.largest = rs
	}
	r.dmsSize += memory
	if b := r.best; b != nil && rs.DMS.Bytes > b.DMS.Bytes && r.WAL.Retained(rs.DMS.Anchor) == r.WAL.Retained(b.DMS.Anchor) {
		r.best = rs
	}
	return memory
}

// changeInMemory hangs a change on its row in a MemRowSet. A row that does not exist takes none.
func (r *Replica) changeInMemory(memory int64) int64 {
	m := &r.MRS
	if m.Rows == 0 {
		m = &r.Flushing
	}
	if m.Rows == 0 {
		return 0
	}
	return m.put(memory, r.Sizes)
}
