package tablet

import (
	"math/bits"
	"slices"
)

// scanIndex answers which rowsets lie over or above a place of the key space without a walk over all of them. The key space is cut into
// cells; a cell knows how many rowsets cover all of it, and lists those that begin or end in it.
type scanIndex struct {
	built   uint64 // version of the replica it was built for, plus 1
	aged    uint64 // version for which expires holds, plus 1
	expires int64  // server's bytes written at which the next rowset leaves the page cache

	cells []cell
	edges []edge  // of all cells: rowsets that begin or end in the cell
	fresh []int32 // of all cells: rowsets that cover it and have key blocks nobody read yet
	cover []cover // of all cells: rowsets that cover it; what an update needs
	keys  []keys  // of all rowsets: which of their key blocks were read
	hits  []int32 // scratch of Over
	held  []cover // scratch of holders
}

// cell is a slice of the key space: its share of each list, up to the next cell's.
type cell struct {
	edges, fresh, cover int32 // first of its entries
	covering            int32 // rowsets that cover it
	above               int32 // rowsets that end in it or in a later one
	first               int32 // the oldest rowset that covers it; -1 = none
}

type edge struct {
	lo, hi float64
	rowset int32
}

// keys tells whether a rowset's key block at a place was read.
type keys struct {
	lo, perPlace float64 // first place, and key blocks for a unit of the key space
	read         blocks
}

func (k *keys) unread(place float64) bool { return !k.read.has(int64((place - k.lo) * k.perPlace)) }

// cover is a rowset with its rows for a unit of the key space.
type cover struct {
	rowset  int32
	density float32
}

// Probe is what a scan from a place meets.
type Probe struct {
	Above int     // rowsets that end at or above the place: an unordered scan opens them all
	Over  int     // of these, rowsets whose range holds the place
	First int32   // the oldest of them; -1 = none
	Fresh []int32 // of them, those whose key's block nobody read yet; valid until the next probe
}

// Over probes a place.
func (r *Replica) Over(place float64) Probe {
	x := &r.index
	if x.built != r.version+1 {
		x.build(r)
	}
	i := x.cell(place)
	c, next := &x.cells[i], &x.cells[i+1]
	p := Probe{Above: int(c.above), Over: int(c.covering), First: c.first}
	x.hits = x.hits[:0]
	for _, rowset := range x.fresh[c.fresh:next.fresh] {
		if x.keys[rowset].unread(place) {
			x.hits = append(x.hits, rowset)
		}
	}
	for _, e := range x.edges[c.edges:next.edges] {
		switch {
		case e.hi < place:
			p.Above--
		case e.lo <= place:
			p.Over++
			if x.keys[e.rowset].unread(place) {
				x.hits = append(x.hits, e.rowset)
			}
			if p.First < 0 || e.rowset < p.First {
				p.First = e.rowset
			}
		}
	}
	p.Fresh = x.hits
	return p
}

// holders lists the rowsets whose range holds a place, with their densities there.
func (r *Replica) holders(place float64) []cover {
	x := &r.index
	if x.built != r.version+1 {
		x.build(r)
	}
	i := x.cell(place)
	c, next := &x.cells[i], &x.cells[i+1]
	x.held = append(x.held[:0], x.cover[c.cover:next.cover]...)
	for _, e := range x.edges[c.edges:next.edges] {
		if e.lo <= place && place <= e.hi {
			x.held = append(x.held, cover{e.rowset, r.Rowsets[e.rowset].density()})
		}
	}
	return x.held
}

// density is the rowset's rows for a unit of the key space.
func (rs *Rowset) density() float32 { return float32(float64(rs.Rows) / max(rs.Width(), 1e-12)) }

// Age lets rowsets written too long ago leave the page cache: those after which the server wrote more than the cache
// holds. It costs nothing while none is due.
func (r *Replica) Age(written, cache int64) {
	x := &r.index
	if x.aged == r.version+1 && written < x.expires {
		return
	}
	x.aged = r.version + 1
	x.expires = int64(1) << 62
	for _, rs := range r.Rowsets {
		switch {
		case rs.Evicted:
		case written-rs.Written > cache:
			rs.Evicted = true
			r.evictions++
		default:
			x.expires = min(x.expires, rs.Written+cache+1)
		}
	}
}

// ReadKeys notes that a scan from a place sought its key in a rowset, and says whether the key's block had to be read from disk.
func (r *Replica) ReadKeys(rowset int32, place float64) (cold bool) {
	rs := r.Rowsets[rowset]
	cold, last := rs.readKey(place)
	if last {
		r.index.built = 0 // it need not be asked again
	}
	return cold
}

// build lists the rowsets cell by cell: about 4 cells or more to a rowset's width.
func (x *scanIndex) build(r *Replica) {
	x.built = r.version + 1
	n := len(r.Rowsets)
	want := int(4 * float64(n) / max(r.height, 1))
	count := min(max(1<<bits.Len(uint(want)), 16), 1024)
	x.keys = x.keys[:0]
	x.cells = append(slices.Grow(x.cells[:0], count+1), make([]cell, count+1)...)
	for _, rs := range r.Rowsets {
		if rs.keys == nil {
			rs.keys = newBlocks(rs.keyBlocks)
		}
		x.keys = append(x.keys, keys{rs.Lo, rs.blocksPerPlace(), rs.keys})
		first, last := x.cell(rs.Lo), x.cell(rs.Hi)
		x.cells[last].above++
		x.cells[first].edges++
		if last > first {
			x.cells[last].edges++
		}
		for c := first + 1; c < last; c++ {
			x.cells[c].covering++
			if !rs.keysRead() {
				x.cells[c].fresh++
			}
		}
	}
	var total cell
	for i := range x.cells { // counts become first entries
		c := &x.cells[i]
		c.first = -1
		edges, fresh := c.edges, c.fresh
		c.edges, c.fresh, c.cover = total.edges, total.fresh, total.cover
		total.edges, total.fresh, total.cover = total.edges+edges, total.fresh+fresh, total.cover+c.covering
	}
	for i := count - 2; i >= 0; i-- {
		x.cells[i].above += x.cells[i+1].above
	}
	x.edges = slices.Grow(x.edges[:0], int(total.edges))[:total.edges]
	x.fresh = slices.Grow(x.fresh[:0], int(total.fresh))[:total.fresh]
	x.cover = slices.Grow(x.cover[:0], int(total.cover))[:total.cover]
	x.fill(r)
}

// fill writes the entries; each cell's first entry moves as it does, and is set back at the end.
func (x *scanIndex) fill(r *Replica) {
	for i, rs := range r.Rowsets {
		first, last := x.cell(rs.Lo), x.cell(rs.Hi)
		e := edge{rs.Lo, rs.Hi, int32(i)}
		x.edges[x.cells[first].edges] = e
		x.cells[first].edges++
		if last > first {
			x.edges[x.cells[last].edges] = e
			x.cells[last].edges++
		}
		density, unread := rs.density(), !rs.keysRead()
		for j := first + 1; j < last; j++ {
			c := &x.cells[j]
			x.cover[c.cover] = cover{int32(i), density}
			c.cover++
			if c.first < 0 {
				c.first = int32(i)
			}
			if unread {
				x.fresh[c.fresh] = int32(i)
				c.fresh++
			}
		}
	}
	for i := len(x.cells) - 1; i > 0; i-- {
		c, before := &x.cells[i], &x.cells[i-1]
		c.edges, c.fresh, c.cover = before.edges, before.fresh, before.cover
	}
	x.cells[0].edges, x.cells[0].fresh, x.cells[0].cover = 0, 0, 0
}

// cell is the number of the cell with a place. One more cell than there are ends the lists.
func (x *scanIndex) cell(place float64) int {
	n := len(x.cells) - 1
	return min(int(place*float64(n)), n-1)
}
