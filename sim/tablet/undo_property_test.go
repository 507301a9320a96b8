package tablet

import (
	"testing"

	"pgregory.net/rapid"
)

// Whatever is written, opened, locked and deleted: the list stays short and adds up, what UNDO GC may free is estimated as if it were asked for the first time,
// and nothing younger than the mark is deleted.
func TestUndoAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := testReplica(false)
		layRowsets(r, piece{0, .4, 50}, piece{.5, 1, 50}, piece{0, 1, 90})
		var written, deleted int64
		mark := int64(-50)
		for now := range rapid.Int64Range(1, 60).Draw(t, "steps") {
			rs := rapid.SampledFrom(r.Rowsets).Draw(t, "rowset")
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1:
				bytes := rapid.Int64Range(0, 1000).Draw(t, "bytes")
				rs.RedoFiles, rs.RedoBytes = 1, bytes
				r.EndMajor(rs, now)
				written += bytes
			case 2:
				if rs.locked {
					r.Unlock([]*Rowset{rs})
				} else {
					r.Lock([]*Rowset{rs})
				}
			case 3:
				r.OpenUndo(mark, rapid.IntRange(0, 4).Draw(t, "most"))
			case 4:
				young, before := younger(r, mark), undoBlocks(r)
				_, known := r.OpenUndo(mark, 0)
				freed := r.EndUndoGC(r.Available(), mark)
				if before-undoBlocks(r) != known || younger(r, mark) != young {
					t.Fatalf("%d blocks deleted of %d known to be old, %d of %d young bytes are left", before-undoBlocks(r), known, younger(r, mark), young)
				}
				deleted += freed
			case 5:
				mark += rapid.Int64Range(0, 20).Draw(t, "later")
			}
			estimate := r.AncientUndo(mark)
			r.undo.known = false
			if fresh := r.AncientUndo(mark); estimate != fresh {
				t.Fatalf("estimate %d, asked anew %d", estimate, fresh)
			}
			sum := int64(0)
			for _, rs := range r.Rowsets {
				of := int64(0)
				for _, b := range rs.undo {
					of += b.bytes
				}
				if of != rs.Undo || len(rs.undo) > maxUndoBlocks {
					t.Fatalf("%d blocks of %d bytes, the rowset says %d", len(rs.undo), of, rs.Undo)
				}
				sum += of
			}
			if sum != written-deleted {
				t.Fatalf("%d bytes, %d were written and %d deleted", sum, written, deleted)
			}
		}
	})
}

func undoBlocks(r *Replica) (n int) {
	for _, rs := range r.Rowsets {
		n += len(rs.undo)
	}
	return n
}

// younger is the bytes in blocks that reach beyond a mark.
func younger(r *Replica, mark int64) (bytes int64) {
	for _, rs := range r.Rowsets {
		for _, b := range rs.undo {
			if b.newest >= mark {
				bytes += b.bytes
			}
		}
	}
	return bytes
}
