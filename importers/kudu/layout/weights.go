package layout

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"mmsim/axis"
)

// Weights finds out how many bytes each rowset weighs (base data and REDO). total is what they weigh together, 0 if that is not known;
// perWeight is how much larger the whole of a rowset is on disk, as a factor.
//
// Kudu shows whole MB only. But where keys are shown, the axis of the drawing gives each rowset's share of what lies between two keys, with
// 17 digits, and shares that are known say what all rowsets weigh. Else weights are chosen inside the MB shown so that they add up
// to the total and the picked ones to what the policy's value says of their sizes, which is a guess; they are moved until they can fill the axis as it is drawn.
func (l *Page) Weights(total, perWeight float64) (all []float64, guess bool) {
	if all, guess = l.weigh(total, perWeight); guess {
		axis.Reconcile(l.ranges(), all, func(i int) (low, high float64) { return l.Bars[i].bounds() })
	}
	return all, guess
}

func (l *Page) weigh(total, perWeight float64) (all []float64, guess bool) {
	n := len(l.Bars)
	switch {
	case n == 0:
		return nil, false
	case n == 1 && total > 0 && l.Away == 0:
		return []float64{total}, false
	case !l.Logged:
		return l.spreadEvenly(l.orGuess(total, perWeight)), true
	}
	if l.Keys && total > 0 && l.Away == 0 && n <= axis.Most {
		if w, ok := l.solve(total); ok {
			return w, false
		}
	}
	return l.fit(total, perWeight), true
}

// orGuess gives the total, or a guess from the sizes on the page.
func (l *Page) orGuess(total, perWeight float64) float64 {
	if total > 0 && l.Away == 0 || l.quarters == nil {
		return total
	}
	sum := 0.0
	for i := range l.Bars {
		sum += l.fullAt(i) / perWeight
	}
	return sum
}

// spreadEvenly shares out each stretch of the axis among the rowsets that cover it.
func (l *Page) spreadEvenly(total float64) []float64 {
	w := make([]float64, len(l.Bars))
	if len(w) > axis.Most {
		for i, b := range l.Bars {
			w[i] = total * (b.To - b.From) / l.height()
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
func (l *Page) height() (h float64) {
	for _, b := range l.Bars {
		h += b.To - b.From
	}
	return max(h, math.SmallestNonzeroFloat64)
}

// bounds are the bytes that are shown as b.MB.
func (b *Bar) bounds() (low, high float64) {
	low, high = float64(b.MB)*mebibyte, float64(b.MB+1)*mebibyte
	if b.MB <= 1 { // the least that is shown
		low = 0
	}
	return low, high
}

// fit chooses weights inside the MB shown.
func (l *Page) fit(total, perWeight float64) []float64 {
	w := make([]float64, len(l.Bars))
	order := make([]int, len(l.Bars))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { // of equal MB, the smaller ones are worth more and were picked
		return cmp.Or(cmp.Compare(l.Bars[a].MB, l.Bars[b].MB), cmp.Compare(b2i(l.Bars[b].Picked), b2i(l.Bars[a].Picked)))
	})
	for rank, i := range order {
		low, high := l.Bars[i].bounds()
		w[i] = (low + high) / 2
		if l.quarters != nil {
			w[i] = min(max(l.fullAt(rank)/perWeight, low), high-1)
		}
	}
	var picked, others []int
	for i, b := range l.Bars {
		if b.Picked {
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
		if total > 0 && l.Away == 0 {
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
func (l *Page) smallFirst(w []float64, order []int) (changed bool) {
	for a := 0; a < len(order); {
		b := a
		for b < len(order) && l.Bars[order[b]].MB == l.Bars[order[a]].MB {
			b++
		}
		same := make([]float64, 0, b-a)
		for _, i := range order[a:b] {
			same = append(same, w[i])
		}
		slices.Sort(same)
		for k, i := range order[a:b] {
			changed = changed || l.Bars[i].Picked && w[i] > same[k]
			w[i] = same[k]
		}
		a = b
	}
	return changed
}

// fullAt is the full size of the rowset of a rank, from the smallest on, between those that the page tells. Kudu takes the sizes at n/4,
// n/2 and 3n/4.
func (l *Page) fullAt(rank int) float64 {
	n := len(l.Bars)
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
func smallRowsets(flags map[string]string) (worth, size float64, ok bool) {
	number := func(name string, standard float64) float64 {
		text, set := flags[name]
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
func (l *Page) pickedSize(n int) (bytes float64, ok bool) {
	worth, target, ok := smallRowsets(l.flags)
	if n == 0 || l.Value <= 0 || !ok {
		return 0, false
	}
	widths, from, to, low, high := 0.0, math.Inf(1), math.Inf(-1), 0.0, 0.0
	for i := range l.Bars {
		b := &l.Bars[i]
		if !b.Picked {
			continue
		}
		if float64(b.MB) >= target/mebibyte-1 {
			return 0, false
		}
		widths += b.To - b.From
		from, to = min(from, b.From), max(to, b.To)
		lo, hi := b.bounds()
		low, high = low+lo, high+hi
	}
	small := (l.Value - widths + supportAdjust*(to-from)) / worth
	bytes = target * (float64(n) - small)
	return bytes, low <= bytes && bytes <= 1.5*high
}

// shift moves the weights of some rowsets by the same amount, but not out of the MB shown, so that they add up to a sum.
func (l *Page) shift(w []float64, at []int, sum float64) {
	for range 50 {
		missing, free := sum, 0
		for _, i := range at {
			missing -= w[i]
		}
		for _, i := range at {
			low, high := l.Bars[i].bounds()
			if missing > 0 && w[i] < high-1 || missing < 0 && w[i] > low {
				free++
			}
		}
		if free == 0 || math.Abs(missing) < 1 {
			return
		}
		for _, i := range at {
			low, high := l.Bars[i].bounds()
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
