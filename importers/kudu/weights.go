package kudu

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"mmsim/axis"
)

// weights finds out how many bytes each rowset weighs (base data and REDO). total is what they weigh together, 0 if that is not known;
// perWeight is how much larger the whole of a rowset is on disk, as a factor.
//
// Kudu shows whole MB only. But where keys are shown, the axis of the drawing gives each rowset's share of what lies between two keys, with
// 17 digits, and shares that are known say what all rowsets weigh. Else weights are chosen inside the MB shown so that they add up
// to the total and the picked ones to what the policy's value says of their sizes, which is a guess.
func (l *layoutPage) weights(total, perWeight float64) (all []float64, guess bool) {
	n := len(l.bars)
	switch {
	case n == 0:
		return nil, false
	case n == 1 && total > 0 && l.away == 0:
		return []float64{total}, false
	case !l.logged:
		return l.spreadEvenly(l.orGuess(total, perWeight)), true
	}
	if l.keys && total > 0 && l.away == 0 && n <= axis.Most {
		if w, ok := l.solve(total); ok {
			return w, false
		}
	}
	return l.fit(total, perWeight), true
}

// orGuess gives the total, or a guess from the sizes on the page.
func (l *layoutPage) orGuess(total, perWeight float64) float64 {
	if total > 0 && l.away == 0 || l.quarters == nil {
		return total
	}
	sum := 0.0
	for i := range l.bars {
		sum += l.fullAt(i) / perWeight
	}
	return sum
}

// spreadEvenly shares out each stretch of the axis among the rowsets that cover it.
func (l *layoutPage) spreadEvenly(total float64) []float64 {
	w := make([]float64, len(l.bars))
	if len(w) > axis.Most {
		for i, b := range l.bars {
			w[i] = total * (b.to - b.from) / l.height()
		}
		return w
	}
	for _, s := range axis.Stretches(l.ranges()) {
		for _, i := range s.Covers {
			w[i] += total * (s.To - s.From) / float64(len(s.Covers))
		}
	}
	return w
}

// height is the average height of the tablet: how many rowsets' ranges hold a key (KUDU-2056).
func (l *layoutPage) height() (h float64) {
	for _, b := range l.bars {
		h += b.to - b.from
	}
	return max(h, math.SmallestNonzeroFloat64)
}

// bounds are the bytes that are shown as b.mb.
func (b *bar) bounds() (low, high float64) {
	low, high = float64(b.mb)*mebibyte, float64(b.mb+1)*mebibyte
	if b.mb <= 1 { // the least that is shown
		low = 0
	}
	return low, high
}

// fit chooses weights inside the MB shown.
func (l *layoutPage) fit(total, perWeight float64) []float64 {
	w := make([]float64, len(l.bars))
	order := make([]int, len(l.bars))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { // of equal MB, the smaller ones are worth more and were picked
		return cmp.Or(cmp.Compare(l.bars[a].mb, l.bars[b].mb), cmp.Compare(b2i(l.bars[b].picked), b2i(l.bars[a].picked)))
	})
	for rank, i := range order {
		low, high := l.bars[i].bounds()
		w[i] = (low + high) / 2
		if l.quarters != nil {
			w[i] = min(max(l.fullAt(rank)/perWeight, low), high-1)
		}
	}
	var picked, others []int
	for i, b := range l.bars {
		if b.picked {
			picked = append(picked, i)
		} else {
			others = append(others, i)
		}
	}
	full, valued := l.pickedSize(len(picked))
	if !valued {
		picked, others = nil, order
	}
	for range 100 {
		rest := total
		for _, i := range picked {
			rest -= w[i]
		}
		if total > 0 && l.away == 0 {
			l.shift(w, others, rest)
		}
		if valued {
			l.shift(w, picked, full/perWeight)
		}
		if !l.smallFirst(w, order) {
			break
		}
	}
	return w
}

// smallFirst puts weights that lie within the same MB in order again, picked rowsets first, and says whether they were not.
func (l *layoutPage) smallFirst(w []float64, order []int) (changed bool) {
	for a := 0; a < len(order); {
		b := a
		for b < len(order) && l.bars[order[b]].mb == l.bars[order[a]].mb {
			b++
		}
		same := make([]float64, 0, b-a)
		for _, i := range order[a:b] {
			same = append(same, w[i])
		}
		slices.Sort(same)
		for k, i := range order[a:b] {
			changed = changed || l.bars[i].picked && w[i] > same[k]
			w[i] = same[k]
		}
		a = b
	}
	return changed
}

// fullAt is the full size of the rowset of a rank, from the smallest on, between those that the page tells. Kudu takes the sizes at n/4,
// n/2 and 3n/4.
func (l *layoutPage) fullAt(rank int) float64 {
	n := len(l.bars)
	known := [...]int{0, n / 4, n / 2, 3 * n / 4, n - 1}
	for k := 1; k < len(known); k++ {
		a, b := known[k-1], known[k]
		if rank <= b {
			if a == b {
				return float64(l.quarters[k])
			}
			part := float64(rank-a) / float64(b-a)
			return float64(l.quarters[k-1])*(1-part) + float64(l.quarters[k])*part
		}
	}
	return float64(l.quarters[4])
}

// supportAdjust is how much more than its width the union of overlapping rowsets counts in Kudu's policy.
const supportAdjust = 1.003

// smallRowsets are the flags by which Kudu's policy values small rowsets: what one is worth, and the size that is not small. Both are above 0, or ok is
// false.
func (f flags) smallRowsets() (worth, size float64, ok bool) {
	number := func(name string, standard float64) float64 {
		text, set := f[name]
		if !set {
			return standard
		}
		v, _ := strconv.ParseFloat(text, 64)
		return v
	}
	worth, size = number("compaction_small_rowset_tradeoff", 0.009), number("budgeted_compaction_target_rowset_size", 32*mebibyte)
	return worth, size, worth > 0 && size > 0
}

// pickedSize works out of the policy's value how large the n picked rowsets are together, in bytes on disk. It can't if one of them
// is near the target size, from where on size does not count.
func (l *layoutPage) pickedSize(n int) (bytes float64, ok bool) {
	worth, target, ok := l.flags.smallRowsets()
	if n == 0 || l.value <= 0 || !ok {
		return 0, false
	}
	widths, from, to, low, high := 0.0, math.Inf(1), math.Inf(-1), 0.0, 0.0
	for i := range l.bars {
		b := &l.bars[i]
		if !b.picked {
			continue
		}
		if float64(b.mb) >= target/mebibyte-1 {
			return 0, false
		}
		widths += b.to - b.from
		from, to = min(from, b.from), max(to, b.to)
		lo, hi := b.bounds()
		low, high = low+lo, high+hi
	}
	small := (l.value - widths + supportAdjust*(to-from)) / worth
	bytes = target * (float64(n) - small)
	return bytes, low <= bytes && bytes <= 1.5*high
}

// shift moves the weights of some rowsets by the same amount, but not out of the MB shown, so that they add up to a sum.
func (l *layoutPage) shift(w []float64, at []int, sum float64) {
	for range 50 {
		missing, free := sum, 0
		for _, i := range at {
			missing -= w[i]
		}
		for _, i := range at {
			low, high := l.bars[i].bounds()
			if missing > 0 && w[i] < high-1 || missing < 0 && w[i] > low {
				free++
			}
		}
		if free == 0 || math.Abs(missing) < 1 {
			return
		}
		for _, i := range at {
			low, high := l.bars[i].bounds()
			w[i] = min(max(w[i]+missing/float64(free), low), high-1)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
