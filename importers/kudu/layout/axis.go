package layout

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// equation is a stretch between two neighbouring keys: bytes = sum over the rowsets there of weight x share.
type equation struct {
	bytes  float64
	doubt  float64 // how far bytes may be wrong
	at     []int
	shares []float64
}

// solve works the weights out of the axis. It refuses an answer that does not fit the MB shown or the total.
func (l *Page) solve(total float64) ([]float64, bool) {
	all := l.estimates(total)
	if all == nil {
		return nil, false
	}
	weights, sum := make([]float64, len(all)), 0.0
	for i, w := range all {
		if low, high := l.Bars[i].bounds(); w.bytes < low || w.bytes >= high || w.doubt > doubtful*total {
			return nil, false
		}
		weights[i] = w.bytes
		sum += w.bytes
	}
	return weights, math.Abs(sum-total) <= missed*total
}

// Errors, as parts of what all rowsets weigh, from which an answer is refused: that one weight may have, and that all have together.
const (
	doubtful = 1e-2
	missed   = 1e-4
)

// estimates works the weights out one by one; nil = it can't. A stretch that only one rowset of unknown weight covers tells its weight, which often
// leaves another stretch with one unknown. Of several the one is taken that tells a weight with the least error: the axis has rounding errors, and
// weights that are known hand theirs on.
func (l *Page) estimates(total float64) []estimate {
	equations := l.equations(total)
	known := make([]estimate, len(l.Bars))
	for i := range known {
		known[i].bytes = math.NaN()
	}
	for range known {
		at, best := -1, estimate{}
		for e := range equations {
			if i, w := equations[e].open(known); i >= 0 && (at < 0 || w.doubt < best.doubt) {
				at, best = i, w
			}
		}
		if at < 0 {
			return nil
		}
		known[at] = best
	}
	return known
}

// estimate is a weight and how far it may be wrong.
type estimate struct{ bytes, doubt float64 }

// open gives the one rowset whose weight is unknown, and what the equation says of it; -1 if there is not exactly one.
func (e *equation) open(known []estimate) (at int, w estimate) {
	at, w = -1, estimate{e.bytes, e.doubt}
	share := 0.0
	for k, i := range e.at {
		switch {
		case !math.IsNaN(known[i].bytes):
			w.bytes -= known[i].bytes * e.shares[k]
			w.doubt += known[i].doubt * e.shares[k]
		case e.shares[k] > 0:
			if at >= 0 {
				return -1, w
			}
			at, share = i, e.shares[k]
		}
	}
	return at, estimate{w.bytes / share, w.doubt / share}
}

// rounding is the error that each place on the axis has, as a part of it.
const rounding = 0x1p-52

// equations walks over all ends in the order of keys.
func (l *Page) equations(total float64) []equation {
	type end struct {
		key  string
		at   float64
		i    int
		stop bool
	}
	var ends []end
	for i, b := range l.Bars {
		ends = append(ends, end{b.Min, b.From, i, false}, end{b.Max, b.To, i, true})
	}
	slices.SortStableFunc(ends, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at))
	})
	var all []equation
	active := map[int]bool{}
	for j, e := range ends {
		if j > 0 && len(active) > 0 {
			eq := equation{bytes: (e.at - ends[j-1].at) * total, doubt: rounding * e.at * total}
			for i := range l.Bars {
				if active[i] {
					eq.at = append(eq.at, i)
					eq.shares = append(eq.shares, share(&l.Bars[i], ends[j-1].key, e.key))
				}
			}
			all = append(all, eq)
		}
		if e.stop {
			delete(active, e.i)
		} else {
			active[e.i] = true
		}
	}
	return all
}

// share is the share of a rowset's data that lies between two keys, as Kudu estimates it: the 8 bytes that follow what its smallest and
// largest key have in common are taken for numbers over which data is spread evenly (RowSetInfo).
func share(b *Bar, from, to string) float64 {
	n := 0
	for n < min(len(b.Min), len(b.Max)) && b.Min[n] == b.Max[n] {
		n++
	}
	lo, hi := window(b.Min, n), window(b.Max, n)
	if lo == hi {
		return 0
	}
	return float64(window(to, n)-window(from, n)) / float64(hi-lo)
}

func window(key string, at int) uint64 {
	var b [8]byte
	copy(b[:], key[min(at, len(key)):])
	return binary.BigEndian.Uint64(b[:])
}
