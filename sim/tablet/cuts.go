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

// overlay lays pieces over one another: stretches in key order that do not overlap, each with its rows spread evenly. Rows at a single place are a stretch without
// length.
func overlay(pieces []piece) (out []piece) {
	type end struct {
		at    float64
		piece int
		stop  bool
	}
	ends := make([]end, 0, 2*len(pieces))
	for i, p := range pieces {
		ends = append(ends, end{p.lo, i, false}, end{p.hi, i, true})
	}
	slices.SortFunc(ends, func(a, b end) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.piece, b.piece)) })
	open := make([]int, 0, len(pieces))
	for i, e := range ends {
		if i > 0 && len(open) > 0 && e.at > ends[i-1].at {
			s := piece{lo: ends[i-1].at, hi: e.at}
			for _, j := range open { // anew each time: what is added to a dense piece and subtracted again is lost
				s.rows += float64(pieces[j].rows / (pieces[j].hi - pieces[j].lo) * (s.hi - s.lo))
			}
			out = append(out, s)
		}
		p := pieces[e.piece]
		switch {
		case p.hi > p.lo && e.stop:
			open = slices.DeleteFunc(open, func(j int) bool { return j == e.piece })
		case p.hi > p.lo:
			open = append(open, e.piece)
		case !e.stop:
			out = append(out, p)
		}
	}
	return out
}

// filled says how many rows each output holds: as many as roll says, and the last the rest.
func filled(rows int64, roll func() int64) (out []float64) {
	full := roll()
	for ; rows > full; full = roll() {
		out = append(out, float64(full))
		rows -= full
	}
	return append(out, float64(rows))
}

// ranks says how many rows are to be expected up to the end of each output but the last. Where outputs end lie random keys of a certain rank, which lie about their
// means as a Brownian bridge does over the share of rows before them. Without that, rowsets of different merges would end at the same places, and their
// compaction would look better than it is.
func (r *Replica) ranks(held []float64, rows float64) []float64 {
	out := make([]float64, len(held)-1)
	before, off := 0.0, 0.0 // share of rows before an end, and how far the share below its place is off
	for i := range out {
		share := min(before+held[i]/rows, 1)
		if !r.ordered {
			mean := off * (1 - share) / (1 - before)
			sigma := math.Sqrt((share - before) * (1 - share) / (1 - before) / rows)
			off = mean + float64(sigma*math.Sqrt2*math.Erfinv(2*max(r.rand.Float64(), 1e-15)-1)) // a normal draw
		}
		before = share
		out[i] = share*rows + max(-held[i]*mostOff, min(off*rows, held[i+1]*mostOff))
	}
	return out
}

// mostOff is how far an end may be off its mean, as a part of the output before or after it: less than a half, so that none is empty.
const mostOff = 0.49

// parted gives each output its stretches. It begins one row's breadth after the one before ends.
func parted(stretches []piece, ranks []float64) [][]piece {
	out := make([][]piece, 1, len(ranks)+1)
	before := 0.0
	for _, s := range stretches {
		begin := s.lo
		for len(out) <= len(ranks) && before+s.rows > ranks[len(out)-1] {
			if n := ranks[len(out)-1] - before; n > 0 {
				row := (s.hi - s.lo) / s.rows
				s.lo = min(s.lo+float64(row*n), s.hi)
				out[len(out)-1] = append(out[len(out)-1], piece{begin, max(begin, s.lo), n})
				s.rows -= n
				begin = min(s.lo+row, s.hi)
				before += n
			}
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], piece{begin, s.hi, s.rows})
		before += s.rows
	}
	return out
}

// joined joins neighbouring stretches of an output of so many rows while that moves fewer rows than chance does (a Brownian bridge's half of the root of rows, halved
// once more), or there are too many. nil = the rows are spread evenly.
func joined(stretches []piece, rows float64) []piece {
	for len(stretches) > 1 {
		at, least := 0, math.Inf(1)
		for i := range len(stretches) - 1 {
			if n := moved(stretches[i], stretches[i+1]); n < least {
				at, least = i, n
			}
		}
		if least > math.Sqrt(rows)/4 && len(stretches) <= mostStretches {
			return stretches
		}
		a, b := &stretches[at], &stretches[at+1]
		a.hi, a.rows = b.hi, a.rows+b.rows
		stretches = slices.Delete(stretches, at+1, at+2)
	}
	return nil
}

// mostStretches is how many stretches of rows a rowset tells apart.
const mostStretches = 16

// moved is how many rows come to lie on the other side of an end if two neighbouring stretches are made one.
func moved(a, b piece) float64 {
	if b.hi <= a.lo {
		return 0
	}
	density := (a.rows + b.rows) / (b.hi - a.lo)
	return max(math.Abs(a.rows-density*(a.hi-a.lo)), math.Abs(a.rows-density*(b.lo-a.lo)))
}
