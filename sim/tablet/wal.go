package tablet

import "sort"

// WAL is a replica's write-ahead log: closed segments, oldest first, and an active one. Kudu's rules (log.cc): what a store
// retains is counted in closed segments only, and a segment is collectable when nothing in it is needed for replay.
type WAL struct {
	segmentSize int64
	index       int64     // of the last operation appended; the first has 1
	closed      []segment // oldest first
	active      int64     // bytes in the active segment
	end         int64     // bytes of all segments closed so far, collected ones included
	collected   int64     // bytes of all segments collected so far
}

// segment is a closed segment: the index of its last operation, and the bytes of all segments closed up to and with it.
type segment struct{ maxIndex, end int64 }

// NoAnchor is the anchor of a store that needs no WAL.
const NoAnchor int64 = -1

// NewWAL makes an empty log whose segments close at segmentSize bytes.
func NewWAL(segmentSize int64) WAL { return WAL{segmentSize: segmentSize} }

// Append adds one operation of the given size and gives its index.
func (w *WAL) Append(bytes int64) int64 {
	w.index++
	w.active += bytes
	if w.active >= w.segmentSize {
		w.end += w.active
		w.closed = append(w.closed, segment{w.index, w.end})
		w.active = 0
	}
	return w.index
}

// Segments is the number of segments, the active one included.
func (w *WAL) Segments() int { return len(w.closed) + 1 }

// Bytes is the size of all segments that are kept.
func (w *WAL) Bytes() int64 { return w.end - w.collected + w.active }

// Retained is the size of the closed segments that a store whose first unflushed operation is anchor keeps from
// being collected: those from the one that holds the anchor to the newest. The active segment never counts.
func (w *WAL) Retained(anchor int64) int64 {
	n := len(w.closed)
	if anchor == NoAnchor || n == 0 || anchor > w.closed[n-1].maxIndex {
		return 0
	}
	i := sort.Search(n, func(i int) bool { return w.closed[i].maxIndex >= anchor })
	start := w.collected
	if i > 0 {
		start = w.closed[i-1].end
	}
	return w.end - start
}

// Collectable is the longest prefix of closed segments that no store needs and that leaves more than minSegments-1
// segments: each ends before the durable index, the smallest of the last committed operation and all anchors.
func (w *WAL) Collectable(durable int64, minSegments int) (segments int, bytes int64) {
	for segments < len(w.closed) && w.Segments()-segments > minSegments && w.closed[segments].maxIndex < durable {
		segments++
	}
	if segments == 0 {
		return 0, 0
	}
	return segments, w.closed[segments-1].end - w.collected
}

// Collect drops the oldest closed segments.
func (w *WAL) Collect(segments int) {
	if segments == 0 {
		return
	}
	w.collected = w.closed[segments-1].end
	w.closed = append(w.closed[:0], w.closed[segments:]...)
}
