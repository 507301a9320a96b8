package tablet

import "testing"

// Kudu counts what a store retains in closed segments: from the one that holds its first unflushed operation on.
func TestRetainedWAL(t *testing.T) {
	log := WAL{closed: []segment{{100, 20}, {200, 35}, {300, 45}}, end: 45, index: 310, active: 9}
	for _, c := range []struct{ anchor, want int64 }{{NoAnchor, 0}, {1, 45}, {100, 45}, {101, 25}, {200, 25}, {201, 10}, {300, 10}, {301, 0}} {
		if got := log.Retained(c.anchor); got != c.want {
			t.Errorf("anchor %d retains %d bytes, want %d", c.anchor, got, c.want)
		}
	}
	log.Collect(1)
	for _, c := range []struct{ anchor, want int64 }{{1, 25}, {150, 25}, {201, 10}} {
		if got := log.Retained(c.anchor); got != c.want {
			t.Errorf("with one segment collected, anchor %d retains %d bytes, want %d", c.anchor, got, c.want)
		}
	}
	if log.Bytes() != 34 || log.Segments() != 3 {
		t.Errorf("%d bytes in %d segments are left, want 34 in 3", log.Bytes(), log.Segments())
	}
	if empty := NewWAL(10); empty.Retained(1) != 0 || empty.Segments() != 1 {
		t.Error("an empty log retains something or has no active segment")
	}
}

func TestSegmentsCloseWhenFull(t *testing.T) {
	log := NewWAL(100)
	for i, bytes := range []int64{60, 39, 1, 250, 5} {
		if got := log.Append(bytes); got != int64(i+1) {
			t.Errorf("operation %d has index %d", i+1, got)
		}
	}
	want := []segment{{3, 100}, {4, 350}}
	if len(log.closed) != 2 || log.closed[0] != want[0] || log.closed[1] != want[1] || log.active != 5 {
		t.Errorf("closed %v and %d bytes in the active segment, want %v and 5", log.closed, log.active, want)
	}
}

// Three inserts that each fill a segment: nothing is collectable while they are in memory, and after the flush all but
// the segment of the last committed operation and the active one.
func TestLogGCAfterFlush(t *testing.T) {
	r := testReplica(false)
	for range 3 {
		r.Insert(10, 0, 0, 0) // 10,050 bytes of WAL
	}
	if n, bytes := r.CollectableWAL(1); n != 0 || bytes != 0 || r.WAL.Segments() != 4 {
		t.Errorf("before the flush %d of %d segments (%d bytes) are collectable, want none of 4", n, r.WAL.Segments(), bytes)
	}
	r.BeginFlush()
	if n, _ := r.CollectableWAL(1); n != 0 {
		t.Errorf("during the flush %d segments are collectable, want 0", n)
	}
	r.EndFlush(0, 0)
	n, bytes := r.CollectableWAL(1)
	if n != 2 || bytes != 20_100 {
		t.Errorf("after the flush %d segments of %d bytes are collectable, want 2 of 20100", n, bytes)
	}
	if m, _ := r.CollectableWAL(3); m != 1 {
		t.Errorf("of 4 segments, 3 to be retained, %d are collectable, want 1", m)
	}
	r.WAL.Collect(n)
	if got := r.WAL.Segments(); got != 2 {
		t.Errorf("%d segments are left, want 2", got)
	}
	if n, bytes := r.CollectableWAL(1); n != 0 || bytes != 0 {
		t.Errorf("then %d segments of %d bytes are collectable, want none", n, bytes)
	}
}

// The oldest anchor of all stores decides.
func TestAnchorsHoldTheLog(t *testing.T) {
	segments := func(mrs, flushing, dms int64) int {
		r := testReplica(false)
		for range 6 { // operations 1..6, one a segment
			r.WAL.Append(10_000)
		}
		r.MRS.Anchor, r.Flushing.Anchor = mrs, flushing
		if dms != NoAnchor {
			rs := layRowsets(r, piece{0, 1, 100})[0]
			r.Update(0, dms, .5, .5)
			if rs.DMS.Anchor != dms {
				t.Fatalf("DMS anchored at %d, want %d", rs.DMS.Anchor, dms)
			}
		}
		n, _ := r.CollectableWAL(1)
		return n
	}
	for _, c := range []struct {
		mrs, flushing, dms int64
		want               int
	}{
		{NoAnchor, NoAnchor, NoAnchor, 5}, // up to the segment of the last operation
		{4, NoAnchor, NoAnchor, 3}, {4, 2, NoAnchor, 1}, {4, 2, 1, 0}, {NoAnchor, NoAnchor, 3, 2}, {3, NoAnchor, 5, 2}, {6, 6, 6, 5},
	} {
		if got := segments(c.mrs, c.flushing, c.dms); got != c.want {
			t.Errorf("anchors MemRowSet %d, flushing %d, DMS %d: %d segments collectable, want %d", c.mrs, c.flushing, c.dms, got, c.want)
		}
	}
}
