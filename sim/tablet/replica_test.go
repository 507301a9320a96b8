package tablet

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"mmsim/sim/engine"
)

// testSizes has rowsets of 100 rows, 10 key blocks and 20 blocks of each of 2 columns.
func testSizes() *Sizes {
	return &Sizes{MRSRow: 1000, BaseRow: 1000, IndexRow: 10, UndoRow: 20, RowsetFixed: 500, DMSRow: 200, RedoRow: 150,
		WALRow: 1000, WALUpdate: 100, WALBatch: 50, RolledSize: 101_500, KeyRows: 10, DataRows: 5, Columns: 2}
}

func testReplica(ordered bool) *Replica {
	keyAt := func(place float64) string { return fmt.Sprintf("%020d", uint64(place*1e18)) }
	return NewReplica(0, 0, 0, true, testSizes(), 10_000, ordered, keyAt, engine.Stream(1, 0, "tablet", "test"))
}

// layRowsets puts rowsets on disk, each of rows between two places.
func layRowsets(r *Replica, rowsets ...piece) []*Rowset {
	for _, p := range rowsets {
		r.Rowsets = append(r.Rowsets, r.newRowset(p.lo, p.hi, int64(p.rows), 0))
	}
	r.changed()
	return r.Rowsets
}

// flushDMS flushes a rowset's DeltaMemStore at once and gives the memory freed.
func flushDMS(r *Replica, rs *Rowset) (memory int64) {
	return r.EndDMSFlush(rs, r.FreezeDMS([]*Rowset{rs}), 9)
}

// compact compacts rowsets at once.
func compact(r *Replica, inputs []*Rowset, now, written int64) (outputs int, bytes, memory int64) {
	r.Lock(inputs)
	return r.EndCompaction(inputs, r.FreezeDMS(inputs), now, written, 0)
}

func TestInsertTakesMemoryAndLog(t *testing.T) {
	r := testReplica(false)
	if memory, wal := r.Insert(3, 0, 0, 0); memory != 3000 || wal != 3050 {
		t.Errorf("3 rows take %d bytes of memory and %d of WAL, want 3000 and 3050", memory, wal)
	}
	r.Insert(1, 0, 0, 0)
	if r.MRS.Rows != 4 || r.MRS.Bytes != 4000 || r.MRS.Anchor != 1 || r.RowsWritten != 4 {
		t.Errorf("MemRowSet %+v and %d rows written, want 4 rows, 4000 bytes, anchor 1", r.MRS, r.RowsWritten)
	}
	index, wal := r.LogChanges(Changes{Updates: 5})
	if index != 3 || wal != 550 || r.RowsWritten != 9 {
		t.Errorf("5 updates: index %d, %d bytes, %d rows written; want 3, 550, 9", index, wal, r.RowsWritten)
	}
}

func TestOrderedInsertsWidenTheMemRowset(t *testing.T) {
	r := testReplica(true)
	r.Insert(2, 0, .3, .4)
	r.Insert(1, 0, .2, .2)
	if r.MRS.Lo != .2 || r.MRS.Hi != .4 {
		t.Errorf("MemRowSet spans %v..%v, want 0.2..0.4", r.MRS.Lo, r.MRS.Hi)
	}
}

// An update goes to the store whose share of the rows at its place its pick falls into: rowsets oldest first by density, then memory.
func TestUpdateFindsItsStore(t *testing.T) {
	for _, c := range []struct {
		place, pick float64
		inMemory    int64 // rows
		want        int   // rowset; -1 = memory
	}{
		{.25, 0, 0, 0}, {.25, .999, 0, 0}, // only the first is there
		{.75, 0, 0, 0}, {.75, .24, 0, 0}, {.75, .26, 0, 1}, {.75, .999, 0, 1}, // densities 100 and 300
		{.75, .49, 400, 1}, {.75, .51, 400, -1}, // memory has as many rows again, over the whole key space
		{.25, .19, 400, 0}, {.25, .21, 400, -1},
	} {
		r := testReplica(false)
		rowsets := layRowsets(r, piece{0, 1, 100}, piece{.5, 1, 150})
		r.MRS.Rows = c.inMemory
		for range 2 { // the same place and pick, the same store
			if got := r.Update(7, 1, c.place, c.pick); got != 200 {
				t.Errorf("an update takes %d bytes, want 200", got)
			}
		}
		want := make([]int64, 2)
		memory := int64(0)
		if c.want >= 0 {
			want[c.want] = 2
		} else {
			memory = 400
		}
		if rowsets[0].DMS.Rows != want[0] || rowsets[1].DMS.Rows != want[1] || r.MRS.Bytes != memory {
			t.Errorf("place %v, pick %v, %d rows in memory: DMS rows %d and %d, MemRowSet grew by %d; want store %d",
				c.place, c.pick, c.inMemory, rowsets[0].DMS.Rows, rowsets[1].DMS.Rows, r.MRS.Bytes, c.want)
		}
	}
}

func TestUpdateOfNothing(t *testing.T) {
	r := testReplica(false)
	if got := r.Update(0, 1, .5, .5); got != 0 || r.Memory() != 0 {
		t.Errorf("an update of an empty tablet takes %d bytes, want 0", got)
	}
	r.Insert(1, 0, 0, 0)
	r.BeginFlush()
	if got := r.Update(0, 1, .5, .5); got != 200 || r.Flushing.Bytes != 1200 {
		t.Errorf("an update of a row being flushed takes %d bytes and makes its store %d, want 200 and 1200", got, r.Flushing.Bytes)
	}
}

// Whatever happens to a replica, its memory is what its calls said was taken less what they said was freed, and no row is lost.
func TestMemoryAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := testReplica(rapid.Bool().Draw(t, "ordered"))
		place := rapid.Float64Range(0, 1)
		var memory, live int64
		now := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now++
			mark := rapid.SampledFrom([]int64{0, now - 10}).Draw(t, "mark")
			switch rapid.IntRange(0, 8).Draw(t, "step") {
			case 0:
				n := rapid.Int64Range(1, 400).Draw(t, "rows")
				lo := place.Draw(t, "lo")
				taken, _ := r.Insert(n, int32(rapid.IntRange(0, 2).Draw(t, "run")), lo, lo+(1-lo)*rapid.Float64Range(0, .3).Draw(t, "length"))
				memory, live = memory+taken, live+n
			case 6:
				for range rapid.IntRange(1, 200).Draw(t, "deletes") {
					index, _ := r.LogChanges(Changes{Deletes: 1})
					memory += r.Delete(now, index, place.Draw(t, "place"), rapid.Float64Range(0, .9999).Draw(t, "pick"))
					live = max(0, live-1)
				}
			case 7:
				_, freed := r.Drop(r.Dead(mark))
				memory -= freed
			case 8:
				index, _ := r.LogChanges(Changes{Upserts: 1})
				memory += r.Upsert(now, index, place.Draw(t, "place"), rapid.Float64Range(0, .9999).Draw(t, "pick"))
			case 1, 2:
				index, _ := r.LogChanges(Changes{Updates: 1})
				memory += r.Update(now, index, place.Draw(t, "place"), rapid.Float64Range(0, .9999).Draw(t, "pick"))
			case 3:
				if r.MRS.Rows > 0 {
					r.BeginFlush()
					_, _, freed := r.EndFlush(now, 0)
					memory -= freed
				}
			case 4:
				if best, _, _ := r.BestDMS(rapid.SampledFrom([]float64{0, 60, 110}).Draw(t, "used")); best != nil {
					memory -= flushDMS(r, best)
				}
			case 5:
				if inputs := somePart(t, r.Rowsets); len(inputs) > 0 {
					r.Lock(inputs)
					_, _, freed := r.EndCompaction(inputs, r.FreezeDMS(inputs), now, 0, mark)
					memory -= freed
				}
			}
			stored := r.MRS.Rows + r.Flushing.Rows - r.MRS.Deleted - r.Flushing.Deleted
			dms := int64(0)
			for _, rs := range r.Rowsets {
				stored += rs.Rows - rs.Deleted
				dms += rs.DMS.Bytes
				if rs.Deleted > rs.Rows || rs.DMS.Deletes > rs.DMS.Rows || rs.RedoDeletes > rs.RedoRows || rs.DeleteFiles > rs.RedoFiles || rs.RedoDeletes+rs.DMS.Deletes > rs.Deleted {
					t.Fatalf("a rowset of %+v", rs)
				}
			}
			if r.Memory() != memory || r.MRS.Bytes+r.Flushing.Bytes+dms != memory {
				t.Fatalf("memory %d, stores add up to %d, calls to %d", r.Memory(), r.MRS.Bytes+r.Flushing.Bytes+dms, memory)
			}
			if stored != live {
				t.Fatalf("%d rows are there, %d were inserted and not deleted", stored, live)
			}
		}
	})
}

// somePart draws some of the rowsets.
func somePart(t *rapid.T, rowsets []*Rowset) (part []*Rowset) {
	for _, rs := range rowsets {
		if rapid.Bool().Draw(t, "in") {
			part = append(part, rs)
		}
	}
	return part
}
