// Package axis lays rowsets, of which is known where they begin and end on the axis of their tablet's data, into its key space.
package axis

import (
	"math"
	"slices"
)

// Range is where a rowset begins and ends, from 0 to 1: on the axis, or in the key space.
type Range struct{ From, To float64 }

// Most is the number of rowsets up to which they are fitted.
const Most = 2000

// Places gives places in the key space at which the rowsets, each with its weight spread evenly between its two, come to lie on the axis where the bars
// say. It needs no keys.
func Places(bars []Range, weights []float64) []Range {
	if len(bars) > Most { // so high a tablet lies nearly even on the axis
		return slices.Clone(bars)
	}
	f := newFit(bars, weights)
	f.settle()
	return f.places(bars)
}

// Misfit is the largest part of all data that a stretch of the axis would hold too much or too little with these weights.
func Misfit(bars []Range, weights []float64) (worst float64) {
	f := newFit(bars, weights)
	f.settle()
	f.give()
	for j, s := range f.parts {
		worst = max(worst, (s.To-s.From)*math.Abs(1/f.misfit[j]-1))
	}
	return worst
}

// fit lays rowsets on a line of places so that they fill the axis of the data volume as it is drawn. Each stretch of the axis has some length on
// the line. A rowset gives it the share of its weight that the stretch is of its own length; what all rowsets give a stretch should be its volume.
type fit struct {
	parts   []Stretch
	weights []float64
	covers  []bool    // whether a rowset covers a stretch: one of a single key does not
	length  []float64 // of each stretch; 1 in all
	density []float64 // of each rowset: weight for a unit of length
	misfit  []float64 // of each stretch: its volume, as a part of what it is given
	work    int       // additions of a step
}

// A fit ends when lengths change by less than settled, or after so much work. It contradicts itself if a stretch is given another volume than its own,
// as a part of it.
const (
	settled    = 1e-13
	maxWork    = 100_000_000 // additions
	contradict = 1e-3
	least      = 1e-18 // length of a stretch, which no two places tell apart
)

func newFit(bars []Range, weights []float64) *fit {
	f := &fit{parts: Stretches(bars), weights: make([]float64, len(bars)), covers: make([]bool, len(bars)), density: make([]float64, len(bars))}
	f.length, f.misfit = make([]float64, len(f.parts)), make([]float64, len(f.parts))
	for i, w := range weights {
		f.weights[i] = max(w, 1)
	}
	for j, s := range f.parts {
		f.length[j] = (s.To - s.From) / float64(len(s.Covers))
		f.work += 2 * len(s.Covers)
		for _, i := range s.Covers {
			f.covers[i] = true
		}
	}
	return f
}

// settle changes lengths until what stretches are given is their volume: iterative proportional fitting (Deming and Stephan 1940). Weights that
// contradict the axis leave some stretches no length at all.
func (f *fit) settle() {
	for range max(maxWork/max(f.work, 1), 20) {
		f.give()
		if f.stretch() < settled {
			return
		}
	}
}

// give works out densities, and how what stretches are given misfits them.
func (f *fit) give() {
	clear(f.density)
	for j, s := range f.parts {
		for _, i := range s.Covers {
			f.density[i] += f.length[j]
		}
	}
	total, axis := 0.0, 0.0
	for i, w := range f.weights {
		if f.covers[i] {
			f.density[i] = w / f.density[i]
			total += w
		}
	}
	for _, s := range f.parts {
		axis += s.To - s.From
	}
	for j, s := range f.parts {
		given := 0.0
		for _, i := range s.Covers {
			given += f.density[i]
		}
		f.misfit[j] = (s.To - s.From) / axis * total / (given * f.length[j])
	}
}

// stretch changes lengths by the misfit, and says by which part at most.
func (f *fit) stretch() (change float64) {
	whole := 0.0
	for j := range f.length {
		whole += max(f.length[j]*f.misfit[j], least)
	}
	for j, old := range f.length {
		f.length[j] = max(old*f.misfit[j], least) / whole
		change = max(change, math.Abs(f.length[j]/old-1))
	}
	return change
}

// contradicts says whether the weights can't fill the axis as it is drawn.
func (f *fit) contradicts() bool {
	f.give()
	for _, m := range f.misfit {
		if math.Abs(m-1) > contradict {
			return true
		}
	}
	return false
}

// Reconcile moves guessed weights within their bounds until they can fill the axis as it is drawn: a rowset then weighs what it gives its stretches.
// Weights that can already are left alone.
func Reconcile(bars []Range, weights []float64, bounds func(i int) (low, high float64)) {
	if len(bars) > Most {
		return
	}
	f := newFit(bars, weights)
	f.settle()
	if !f.contradicts() {
		return
	}
	f = newFit(bars, weights)
	for range min(max(maxWork/max(f.work, 1), 20), 20_000) {
		f.give()
		f.weigh(bounds)
		if f.stretch() < settled {
			break
		}
	}
	for i := range weights {
		if f.covers[i] {
			weights[i] = f.weights[i]
		}
	}
}

// weigh gives each rowset the weight that its stretches ask of it, within its bounds.
func (f *fit) weigh(bounds func(i int) (low, high float64)) {
	asked := make([]float64, len(f.weights))
	for j, s := range f.parts {
		for _, i := range s.Covers {
			asked[i] += f.density[i] * f.length[j] * f.misfit[j]
		}
	}
	for i := range f.weights {
		if low, high := bounds(i); f.covers[i] {
			f.weights[i] = min(max(asked[i], low, 1), high-1)
		}
	}
}

// places gives the rowsets' places where the stretches lie one behind the other.
func (f *fit) places(bars []Range) []Range {
	whole := 0.0
	for _, d := range f.length {
		whole += d
	}
	out := make([]Range, len(bars))
	started := make([]bool, len(bars))
	at := 0.0
	for j, s := range f.parts {
		end := min(at+f.length[j]/whole, 1)
		if j == len(f.parts)-1 {
			end = 1
		}
		for _, i := range s.Covers {
			if !started[i] {
				out[i].From, started[i] = at, true
			}
			out[i].To = end
		}
		at = end
	}
	for i, b := range bars { // a rowset of a single key covers no stretch
		if !started[i] {
			out[i] = f.pointAt(b.From, whole)
		}
	}
	return out
}

// pointAt is the place of a point of the axis.
func (f *fit) pointAt(point, whole float64) Range {
	at := 0.0
	for j, s := range f.parts {
		if point < s.To {
			break
		}
		at += f.length[j] / whole
	}
	at = min(at, 1)
	return Range{at, at}
}
