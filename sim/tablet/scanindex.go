package tablet

import "math/bits"

// scanIndex answers which rowsets lie over or above a place of the key space without a walk over all of them: the key space is
// cut into cells, each listing the rowsets that touch it.
type scanIndex struct {
	version uint64 // of the replica when built
	aged    uint64 // version for which expires holds
	expires int64  // server's bytes written at which the next rowset leaves the page cache
	cells   int
	start   []int32 // first entry of each cell; cells+1 long
	entries []scanEntry
	above   []int32 // rowsets that end in this cell or a later one
	hits    []int32 // scratch of Over
}

type scanEntry struct {
	lo, hi float64
	rowset int32
}

// Over gives how many rowsets end at or above a place, which an unordered scan from there must open, and which of
// them hold the place in their range. The slice is valid until the next call.
func (r *Replica) Over(place float64) (above int, over []int32) {
	x := &r.index
	if x.version != r.version || x.cells == 0 {
		x.build(r)
	}
	cell := min(int(place*float64(x.cells)), x.cells-1)
	n := x.above[cell]
	x.hits = x.hits[:0]
	for i := x.start[cell]; i < x.start[cell+1]; i++ {
		e := &x.entries[i]
		if e.hi < place {
			n--
		} else if e.lo <= place {
			x.hits = append(x.hits, e.rowset)
		}
	}
	return int(n), x.hits
}

// Age lets rowsets written too long ago leave the page cache: those after which the server wrote more than the cache
// holds. It costs nothing while none is due.
func (r *Replica) Age(written, cache int64) {
	x := &r.index
	if x.aged == r.version+1 && written < x.expires {
		return
	}
	x.aged = r.version + 1 // so that the zero value is of no version
	x.expires = int64(1) << 62
	for _, rs := range r.Rowsets {
		switch {
		case rs.Evicted:
		case written-rs.Written > cache:
			rs.Evicted = true
		default:
			x.expires = min(x.expires, rs.Written+cache+1)
		}
	}
}

// build lists the rowsets cell by cell.
func (x *scanIndex) build(r *Replica) {
	n := len(r.Rowsets)
	x.version = r.version
	x.cells = min(max(1<<bits.Len(uint(n)), 16), 1024)
	x.start = resize(x.start, x.cells+1)
	x.above = resize(x.above, x.cells)
	clear(x.start)
	clear(x.above)
	for _, rs := range r.Rowsets {
		first, last := x.cell(rs.Lo), x.cell(rs.Hi)
		for c := first; c <= last; c++ {
			x.start[c+1]++
		}
		x.above[last]++
	}
	for c := 0; c < x.cells; c++ {
		x.start[c+1] += x.start[c]
	}
	for c := x.cells - 2; c >= 0; c-- {
		x.above[c] += x.above[c+1]
	}
	total := int(x.start[x.cells])
	if cap(x.entries) < total {
		x.entries = make([]scanEntry, total+total/4)
	}
	x.entries = x.entries[:total]
	for i, rs := range r.Rowsets {
		first, last := x.cell(rs.Lo), x.cell(rs.Hi)
		for c := first; c <= last; c++ {
			x.entries[x.start[c]] = scanEntry{rs.Lo, rs.Hi, int32(i)}
			x.start[c]++
		}
	}
	copy(x.start[1:], x.start[:x.cells]) // filling moved each start to the next cell's
	x.start[0] = 0
	if cap(x.hits) < n {
		x.hits = make([]int32, 0, n+n/4)
	}
}

func (x *scanIndex) cell(place float64) int { return min(int(place*float64(x.cells)), x.cells-1) }

func resize(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	return s[:n]
}
