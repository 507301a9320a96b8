package tablet

import (
	"math"
	"slices"
	"testing"
)

// deleteRows deletes n rows at places from lo up, a step apart.
func deleteRows(r *Replica, now int64, n int, lo, step float64) (memory int64) {
	for i := range n {
		index, _ := r.LogChanges(Changes{Deletes: 1})
		memory += r.Delete(now, index, lo+float64(i)*step, .5)
	}
	return memory
}

// sizesOfChanges are those of testSizes with other sizes for each kind of change.
func sizesOfChanges() *Sizes {
	s := testSizes()
	s.DMSUpsert, s.RedoUpsert, s.DMSDelete, s.RedoDelete, s.WALDelete = 900, 800, 40, 30, 60
	return s
}

func TestChangesTakeTheirSizes(t *testing.T) {
	r := testReplica(false)
	r.Sizes = sizesOfChanges()
	rs := layRowsets(r, piece{0, 1, 100})[0]
	index, wal := r.LogChanges(Changes{Updates: 2, Upserts: 3, Deletes: 4, Misses: 5})
	if want := int64(50 + 7*100 + 3*1000 + 4*60); wal != want || r.RowsWritten != 9 {
		t.Errorf("the log takes %d bytes for %d rows written, want %d for 9", wal, r.RowsWritten, want)
	}
	memory := r.Update(1, index, .5, .5) + r.Upsert(2, index, .5, .5) + r.Delete(3, index, .5, .5)
	if d := rs.DMS; memory != 1140 || d.Bytes != 1140 || d.Rows != 3 || d.Deletes != 1 || d.Redo != 980 || rs.Deleted != 1 || rs.LastDelete != 3 {
		t.Errorf("%d bytes of memory, %+v, %d deleted", memory, d, rs.Deleted)
	}
	flushDMS(r, rs)
	if rs.RedoFiles != 1 || rs.DeleteFiles != 0 || rs.RedoRows != 3 || rs.RedoDeletes != 1 || rs.RedoBytes != 980 {
		t.Errorf("a file with other deltas beside a delete: %+v", rs)
	}
	deleteRows(r, 5, 2, .5, 0)
	flushDMS(r, rs)
	if rs.RedoFiles != 2 || rs.DeleteFiles != 1 || rs.RedoDeletes != 3 || rs.RedoBytes != 1040 {
		t.Errorf("a file of nothing but deletes: %+v", rs)
	}
	undo := rs.Undo
	r.EndMajor(rs, 6)
	if rs.RedoFiles != 1 || rs.DeleteFiles != 1 || rs.RedoRows != 3 || rs.RedoBytes != 90 || rs.Undo-undo != 950 {
		t.Errorf("after a major compaction only the deletes are left: %+v", rs)
	}
}

// Rows deleted in the MemRowSet are flushed with their deletes, shared out over the rowsets.
func TestFlushOfDeletedRows(t *testing.T) {
	r := testReplica(true)
	r.Sizes = sizesOfChanges()
	r.Insert(200, 0, 0, .8)
	if memory := deleteRows(r, 7, 50, .1, .01); memory != 50*40 || r.MRS.Deleted != 50 {
		t.Fatalf("%d bytes, %d deleted", memory, r.MRS.Deleted)
	}
	r.BeginFlush()
	r.EndFlush(9, 0)
	if len(r.Rowsets) != 2 {
		t.Fatalf("%d rowsets, want 2", len(r.Rowsets))
	}
	for _, rs := range r.Rowsets {
		if rs.Deleted != 25 || rs.RedoFiles != 1 || rs.DeleteFiles != 1 || rs.RedoRows != 25 || rs.RedoBytes != 750 || rs.LastDelete != 7 || rs.RedoNewest != 7 {
			t.Errorf("%+v", rs)
		}
	}
}

// A compaction keeps rows whose deletes are young, with their deletes, and drops those deleted before the mark with their history.
func TestCompactionOfDeletedRows(t *testing.T) {
	for _, c := range []struct {
		mark                    int64
		rows, deleted, redo     int64
		undo                    int64
		outputs, rowsets, files int
	}{
		{mark: 10, rows: 200, deleted: 60, redo: 60 * 30, undo: 2000 + 2000, outputs: 2, files: 1},
		{mark: 11, rows: 140, undo: 2000 + 800, outputs: 2}, // 60 of the first's 100 rows, and of its UNDO
	} {
		r := testReplica(true)
		r.Sizes = sizesOfChanges()
		layRowsets(r, piece{0, .4, 100}, piece{.5, 1, 100})
		for _, rs := range r.Rowsets {
			rs.setUndo(2000, 1)
		}
		deleteRows(r, 10, 60, 0, .005)
		outputs, _, freed := r.EndCompaction(slices.Clone(r.Rowsets), r.FreezeDMS(r.Rowsets), 20, 0, c.mark)
		var rows, deleted, redo, undo int64
		for _, rs := range r.Rowsets {
			rows, deleted, redo, undo = rows+rs.Rows, deleted+rs.Deleted, redo+rs.RedoBytes, undo+rs.Undo
			if rs.RedoFiles != c.files || rs.DeleteFiles != c.files {
				t.Errorf("mark %d: %d files", c.mark, rs.RedoFiles)
			}
		}
		if outputs != c.outputs || rows != c.rows || deleted != c.deleted || redo != c.redo || undo != c.undo || freed != 60*40 {
			t.Errorf("mark %d: %d rowsets of %d rows, %d deleted, %d bytes of REDO and %d of UNDO, %d freed; want %+v", c.mark, outputs, rows, deleted, redo, undo, freed, c)
		}
	}
}

// Nothing is left of inputs whose rows were all deleted long ago.
func TestCompactionOfDeadRowsets(t *testing.T) {
	r := testReplica(true)
	layRowsets(r, piece{0, .4, 50}, piece{.5, 1, 50})
	deleteRows(r, 10, 100, 0, .01)
	inputs := slices.Clone(r.Rowsets)
	index, _ := r.LogChanges(Changes{Updates: 1})
	frozen := r.FreezeDMS(inputs)
	r.Update(15, index, .2, .5) // came too late for its row
	if outputs, bytes, freed := r.EndCompaction(inputs, frozen, 20, 0, 11); outputs != 0 || bytes != 0 || freed != 200 || len(r.Rowsets) != 0 || r.Memory() != 0 || r.HasDMS() {
		t.Errorf("%d rowsets of %d bytes, %d freed, memory %d", outputs, bytes, freed, r.Memory())
	}
}

// Deletes that follow the keys kill rowset after rowset, however roughly places tell which rows a rowset holds, and in the end all of them.
func TestDeletesFollowTheKeys(t *testing.T) {
	r := testReplica(true)
	const flushes, rows = 10, 950
	for i := range flushes {
		lo := float64(i) / flushes
		r.Insert(rows, 0, lo, lo+.09)
		r.BeginFlush()
		r.EndFlush(1, 0)
	}
	all := len(r.Rowsets)
	for n := range flushes * rows {
		within := math.Pow(float64(n%rows)/rows, 1.1) // not quite where the rowsets have them
		deleteRows(r, 100, 1, float64(n/rows)/flushes+.09*within, 0)
		if n == flushes*rows/2 {
			if dead := len(r.Dead(101)); dead != all/2 {
				t.Errorf("%d of %d rowsets are dead after half of the deletes", dead, all)
			}
		}
	}
	if dead := r.Dead(101); len(dead) != all || len(r.Dead(100)) != 0 {
		t.Fatalf("%d of %d rowsets are dead in the end", len(dead), all)
	}
	if memory := deleteRows(r, 100, 1, .5, 0); memory != 0 {
		t.Errorf("one delete more takes %d bytes", memory)
	}
	held := r.Memory()
	if _, freed := r.Drop(r.Dead(101)); freed != held || r.Memory() != 0 || r.HasDMS() || len(r.Rowsets) != 0 {
		t.Errorf("%d bytes freed, %d left", freed, r.Memory())
	}
}

// Runs of keys that are appended side by side are flushed as such: rowsets overlap no others but at the ends of runs.
func TestFlushOfRuns(t *testing.T) {
	r := testReplica(true)
	for i := range 10 { // two runs of 150 rows each
		at := float64(i) / 100
		r.Insert(15, 3, at, at+.01)
		r.Insert(15, 9, .5+at, .5+at+.01)
	}
	r.BeginFlush()
	r.EndFlush(1, 0)
	want := []piece{{0, .0667, 100}, {.0674, .5333, 100}, {.534, .6, 100}}
	if len(r.Rowsets) != len(want) {
		t.Fatalf("%d rowsets, want %d", len(r.Rowsets), len(want))
	}
	for i, rs := range r.Rowsets {
		if math.Abs(rs.Lo-want[i].lo) > .001 || math.Abs(rs.Hi-want[i].hi) > .001 || rs.Rows != 100 {
			t.Errorf("rowset %d has %d rows from %v to %v, want %+v", i, rs.Rows, rs.Lo, rs.Hi, want[i])
		}
	}
}
