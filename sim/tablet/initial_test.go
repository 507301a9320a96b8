package tablet

import (
	"strings"
	"testing"

	"mmsim/sim/engine"
)

func TestStoreRefusesKeysOutOfOrder(t *testing.T) {
	r := NewReplica(0, 0, 0, true, &Sizes{BaseRow: 1000, KeyRows: 1, DataRows: 1, Columns: 1}, 1000, false, func(float64) string { return "" }, engine.Rand{})
	if _, err := r.Store(&Stored{Min: "b", Max: "a", Rows: 1}, 0); err == nil || !strings.Contains(err.Error(), `"b"`) {
		t.Errorf("error %v, want one that names the keys", err)
	}
}

// A replayed MemRowSet retains the segments it stands in, and a cleared replica holds nothing.
func TestReplayAndClear(t *testing.T) {
	r := NewReplica(0, 0, 0, true, &Sizes{MRSRow: 10, WALRow: 10, WALBatch: 100, KeyRows: 1, DataRows: 1, Columns: 1}, 10_000, false, func(float64) string { return "" }, engine.Rand{})
	if memory := r.Replay(2500, 0); memory != 25_000 || r.Memory() != memory || r.RowsWritten != 0 || r.ScansStarted != 0 {
		t.Errorf("%d bytes of memory of %d, %d rows written", memory, r.Memory(), r.RowsWritten)
	}
	if got := r.WAL.Retained(r.MRS.Anchor); got != 2*10_100 {
		t.Errorf("%d bytes of WAL retained, want two segments of 10100", got)
	}
	r.Clear()
	if r.Memory() != 0 || r.MRS.Rows != 0 || r.WAL.Bytes() != 0 || r.MRS.Anchor != NoAnchor {
		t.Errorf("a cleared replica holds %d bytes, %d rows and %d bytes of WAL", r.Memory(), r.MRS.Rows, r.WAL.Bytes())
	}
}
