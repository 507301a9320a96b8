package tablet

import (
	"slices"
	"testing"
)

// undoRowsets lays three rowsets: blocks of ages 10 and 20, one of age 10, one of age 30.
func undoRowsets(r *Replica) []*Rowset {
	rowsets := layRowsets(r, piece{0, 1, 100}, piece{0, 1, 100}, piece{0, 1, 100})
	rowsets[0].setUndo(100, 10)
	rowsets[0].addUndo(50, 20)
	rowsets[1].setUndo(400, 10)
	rowsets[2].setUndo(30, 30)
	r.changed()
	return rowsets
}

// What was never opened counts as old; a block known to be young ends the count of its rowset.
func TestAncientUndoIsAnEstimate(t *testing.T) {
	r := testReplica(false)
	rowsets := undoRowsets(r)
	if got := r.AncientUndo(15); got != 580 {
		t.Errorf("%d bytes may be old before anything was opened, want all 580", got)
	}
	if opened, old := r.OpenUndo(15, 2); opened != 2 || old != 2 { // the rowset that may free most first, then one block of the next
		t.Errorf("%d blocks opened, %d old, want 2, 2: of 400 and 100 bytes", opened, old)
	}
	if got := r.AncientUndo(15); got != 580 {
		t.Errorf("%d bytes may be old, want 580: two blocks are not opened", got)
	}
	if opened, old := r.OpenUndo(15, 10); opened != 2 || old != 2 {
		t.Errorf("%d blocks opened, %d old, want 2 more and the same 2", opened, old)
	}
	if got := r.AncientUndo(15); got != 500 {
		t.Errorf("%d bytes may be old, want 500", got)
	}
	if got := r.AncientUndo(25); got != 550 {
		t.Errorf("%d bytes may be old at the later mark, want 550", got)
	}
	r.Lock(rowsets[1:2])
	if got := r.AncientUndo(25); got != 550 {
		t.Errorf("%d bytes may be old while an op holds a rowset, want 550 still", got)
	}
	if opened, old := r.OpenUndo(25, 0); opened != 0 || old != 2 {
		t.Errorf("%d blocks opened, %d can be deleted while an op holds a rowset, want 0, 2", opened, old)
	}
}

// A GC deletes what is known to be old and leaves the rest.
func TestUndoGC(t *testing.T) {
	r := testReplica(false)
	rowsets := undoRowsets(r)
	r.OpenUndo(15, 10)
	version := r.Version()
	if freed := r.EndUndoGC(nil, 15); freed != 0 || r.Version() != version || r.Finished.UndoGC != 1 {
		t.Errorf("a GC that found nothing freed %d bytes", freed)
	}
	available := r.Available()
	if !slices.Equal(available, rowsets) {
		t.Fatalf("%d rowsets are available, want 3", len(available))
	}
	if freed := r.EndUndoGC(available, 15); freed != 500 || r.AncientUndo(15) != 0 {
		t.Errorf("the GC freed %d bytes, %d are left; want 500, 0", freed, r.AncientUndo(15))
	}
	if rowsets[0].Undo != 50 || rowsets[1].Undo != 0 || rowsets[2].Undo != 30 {
		t.Errorf("%d, %d, %d bytes are left, want 50, 0, 30", rowsets[0].Undo, rowsets[1].Undo, rowsets[2].Undo)
	}
}

// A long list keeps its bytes: the two oldest become one.
func TestManyUndoBlocks(t *testing.T) {
	var rs Rowset
	for i := range int64(20) {
		rs.addUndo(10, i)
	}
	if len(rs.undo) != maxUndoBlocks || rs.Undo != 200 || rs.undo[0].bytes != 130 || rs.undo[0].newest != 12 || rs.NewestUndo() != 19 {
		t.Errorf("%d blocks of %d bytes, the oldest %+v; want 8 of 200, 130 up to 12", len(rs.undo), rs.Undo, rs.undo[0])
	}
}

// A compaction leaves one block a rowset, as old as the newest delta that went into it.
func TestCompactionMergesUndo(t *testing.T) {
	r := testReplica(false)
	rowsets := undoRowsets(r)
	rowsets[1].RedoFiles, rowsets[1].RedoRows, rowsets[1].RedoBytes, rowsets[1].RedoNewest = 1, 2, 300, 25
	rowsets[1].Deleted = 60
	r.Lock(rowsets[:2])
	r.EndCompaction(rowsets[:2], DeltaMemStore{Anchor: NoAnchor}, 99, 0, 0)
	for _, out := range r.Rowsets[1:] {
		if len(r.Rowsets) != 3 || out.Undo != 425 || len(out.undo) != 1 || out.NewestUndo() != 25 || out.undo[0].opened || out.Deleted != 30 {
			t.Errorf("an output has %d bytes of UNDO %+v and %d deleted rows; want 425 in one unopened block of age 25, 30", out.Undo, out.undo, out.Deleted)
		}
	}
}

// A rowset is dead when all its rows are deleted, in files, long enough ago, and no op holds it.
func TestDead(t *testing.T) {
	r := testReplica(false)
	rowsets := layRowsets(r, piece{0, 1, 100}, piece{0, 1, 100}, piece{0, 1, 100}, piece{0, 1, 100})
	for i, rs := range rowsets {
		rs.Deleted, rs.RedoFiles, rs.DeleteFiles, rs.LastDelete = 100, 1, 1, 10
		switch i {
		case 1:
			rs.Deleted = 99
		case 2:
			rs.LastDelete = 20
		case 3:
			rs.RedoFiles, rs.DeleteFiles = 0, 0
		}
	}
	if len(r.Dead(15)) != 0 {
		t.Error("a replica that saw no delete has dead rowsets")
	}
	r.deletes = true
	if got := r.Dead(15); !slices.Equal(got, rowsets[:1]) {
		t.Errorf("%d rowsets are dead, want the first", len(got))
	}
	full := rowsets[0].Full()
	if bytes, _ := r.Drop(rowsets[:1]); bytes != full || len(r.Rowsets) != 3 || r.Height() != 3 {
		t.Errorf("dropping freed %d bytes and left height %v; want %d, 3", bytes, r.Height(), full)
	}
}
