package tablet

import (
	"cmp"
	"math"
	"slices"
)

// piece is a run of rows spread evenly between two places.
type piece struct{ lo, hi, rows float64 }

// rolls says how many rows each full output holds. A writer looks at its size between blocks of rows (tablet/compaction.cc, FlushCompactionInput). A flush's
// are all of the same length; a compaction's end wherever a block of one of its inputs does.
func (r *Replica) rolls(merged bool) func() int64 {
	mean, block := r.Sizes.rowsPerRoll(), r.Sizes.RolledBlock
	switch {
	case block == 0:
		return func() int64 { return mean }
	case merged:
		return func() int64 { return max(1, mean-block/2+r.rand.Int64N(block)) }
	}
	return func() int64 { return max(1, (mean+block/2)/block) * block }
}

// cuts merges the pieces in key order and cuts the result after as many rows as roll says. Each cut begins one row's breadth
// after the one before ends.
func cuts(pieces []piece, rows int64, roll func() int64) []piece {
	type edge struct{ at, density, jump float64 } // density starts (or ends, if negative) here; jump rows lie at this very place
	edges := make([]edge, 0, 2*len(pieces))
	for _, p := range pieces {
		if p.hi <= p.lo {
			edges = append(edges, edge{p.lo, 0, p.rows})
			continue
		}
		d := p.rows / (p.hi - p.lo)
		edges = append(edges, edge{p.lo, d, 0}, edge{p.hi, -d, 0})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	var out []piece
	begin, density, held := edges[0].at, 0.0, 0.0
	left := float64(rows)
	full := float64(roll())
	for i, e := range edges {
		if i > 0 {
			from := edges[i-1].at
			span := float64(density * (e.at - from))
			for density > 0 && left > full && held+span >= full {
				from = min(from+max(full-held, 0)/density, e.at)
				span = float64(density * (e.at - from))
				out = append(out, piece{begin, max(begin, from), full})
				begin = min(from+1/density, e.at)
				held, left = max(held-full, 0), left-full // single rows may have held more than a rowset's
				full = float64(roll())
			}
			held += max(span, 0)
		}
		density += e.density
		held += e.jump
	}
	return append(out, piece{begin, edges[len(edges)-1].at, left})
}

// scatter moves the places between rowsets as chance does: they are those of the keys of a certain rank among rows random ones, which lie about their means as a
// Brownian bridge does over the share of rows before them. Without it, rowsets of different merges would end at the same places, and their compaction
// would look better than it is.
func (r *Replica) scatter(all []piece, rows float64) {
	before, off := 0.0, 0.0 // share of rows before a cut, and how far the share below its place is off
	for i := 0; i+1 < len(all); i++ {
		a, b := &all[i], &all[i+1]
		share := min(before+a.rows/rows, 1)
		left := 1 - before
		mean := off * (1 - share) / left
		sigma := math.Sqrt((share - before) * (1 - share) / left / rows)
		off = mean + float64(sigma*math.Sqrt2*math.Erfinv(2*max(r.rand.Float64(), 1e-15)-1)) // a normal draw
		before = share
		shift := off * rows / a.rows * (a.hi - a.lo)
		shift = max(-(a.hi-a.lo)/2, min(shift, (b.hi-b.lo)/2))
		a.hi += shift
		b.lo += shift
	}
}
