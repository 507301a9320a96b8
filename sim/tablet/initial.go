package tablet

// Stored is a disk rowset as it is found when a replica opens. It anchors no WAL.
type Stored struct {
	Lo, Hi   float64 // places of the smallest and the largest key
	Min, Max string  // the keys
	Rows     int64   // 0 = as many as Size holds
	Size     int64   // bytes of base data and REDO; 0 = what the rows take

	RedoFiles   int
	DeleteFiles int   // of these, of nothing but deletes
	RedoRows    int64 // updates in them
	RedoTime    int64 // ns of the newest; negative = before the start
	Undo        int64 // bytes; 0 = what a flush leaves
	UndoTime    int64 // ns of the newest UNDO delta; negative = before the start
	Deleted     int64 // rows that were deleted
}

// Store adds a rowset to those on disk and gives its size. written is the server's bytes written with it. Call Opened after the last one.
func (r *Replica) Store(f *Stored, written int64) (rs *Rowset, err error) {
	s := r.Sizes
	redo := f.RedoRows * s.RedoRow
	rows, base := f.Rows, f.Size-redo
	if rows == 0 {
		rows = max(1, int64(float64(base-s.RowsetFixed)/s.BaseRow))
	}
	rs = r.newRowset(f.Lo, f.Hi, rows, written)
	if rs.Span, err = NewSpan(f.Min, f.Max); err != nil {
		return nil, err
	}
	if f.Size > 0 {
		rs.Base = max(base, 0)
	}
	rs.RedoFiles, rs.DeleteFiles, rs.RedoRows, rs.RedoBytes, rs.RedoNewest = f.RedoFiles, f.DeleteFiles, f.RedoRows, redo, f.RedoTime
	rs.Deleted, rs.LastDelete = min(f.Deleted, rows), f.RedoTime
	if rs.RedoDeletes = min(rs.Deleted, f.RedoRows); rs.onlyDeletes() {
		rs.RedoDeletes = f.RedoRows
	}
	r.deletes = r.deletes || rs.Deleted > 0
	undo := f.Undo
	if undo == 0 {
		undo = int64(float64(rows) * s.UndoRow)
	}
	rs.setUndo(undo, f.UndoTime)
	r.Rowsets = append(r.Rowsets, rs)
	return rs, nil
}

// replayed is how many rows of a replayed WAL stand in one batch.
const replayed = 1000

// Replay fills the MemRowSet from the WAL, with rows at the place of the tablet's end if inserts come in key order, and gives the memory they take. What clients
// write is counted from then on.
func (r *Replica) Replay(rows int64, end float64) (memory int64) {
	for left := rows; left > 0; left -= replayed {
		m, _ := r.Insert(min(left, replayed), 0, end, end)
		memory += m
	}
	r.RowsWritten = 0
	return memory
}

// Opened ends the loading of rowsets.
func (r *Replica) Opened() { r.changed() }

// Clear empties a replica that was dropped.
func (r *Replica) Clear() {
	r.MRS, r.Flushing = emptyMRS(), emptyMRS()
	r.Rowsets, r.dms, r.largest, r.best, r.dmsSize = nil, nil, nil, nil, 0
	r.WAL = NewWAL(r.WAL.segmentSize)
	r.changed()
}
