package kudu

import "math"

// axisFit lays rowsets on a line of places so that they fill the axis of the data volume as it is drawn. Each stretch of the axis has some length on
// the line. A rowset gives it the share of its weight that the stretch is of its own length; what all rowsets give a stretch should be its volume.
type axisFit struct {
	parts   []stretch
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

func newAxisFit(bars []bar, weights []float64) *axisFit {
	f := &axisFit{parts: stretches(bars), weights: make([]float64, len(bars)), covers: make([]bool, len(bars)), density: make([]float64, len(bars))}
	f.length, f.misfit = make([]float64, len(f.parts)), make([]float64, len(f.parts))
	for i, w := range weights {
		f.weights[i] = max(w, 1)
	}
	for j, s := range f.parts {
		f.length[j] = (s.to - s.from) / float64(len(s.covers))
		f.work += 2 * len(s.covers)
		for _, i := range s.covers {
			f.covers[i] = true
		}
	}
	return f
}

// settle changes lengths until what stretches are given is their volume: iterative proportional fitting (Deming and Stephan 1940). Weights that
// contradict the axis leave some stretches no length at all.
func (f *axisFit) settle() {
	for range max(maxWork/max(f.work, 1), 20) {
		f.give()
		if f.stretch() < settled {
			return
		}
	}
}

// give works out densities, and how what stretches are given misfits them.
func (f *axisFit) give() {
	clear(f.density)
	for j, s := range f.parts {
		for _, i := range s.covers {
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
		axis += s.to - s.from
	}
	for j, s := range f.parts {
		given := 0.0
		for _, i := range s.covers {
			given += f.density[i]
		}
		f.misfit[j] = (s.to - s.from) / axis * total / (given * f.length[j])
	}
}

// stretch changes lengths by the misfit, and says by which part at most.
func (f *axisFit) stretch() (change float64) {
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
func (f *axisFit) contradicts() bool {
	f.give()
	for _, m := range f.misfit {
		if math.Abs(m-1) > contradict {
			return true
		}
	}
	return false
}

// reconcile moves guessed weights, within the MB shown, until they can fill the axis as it is drawn: a rowset then weighs what it gives its stretches.
// Weights that can already are left alone.
func (l *layoutPage) reconcile(weights []float64) {
	if len(l.bars) > maxSolved {
		return
	}
	f := newAxisFit(l.bars, weights)
	f.settle()
	if !f.contradicts() {
		return
	}
	f = newAxisFit(l.bars, weights)
	for range min(max(maxWork/max(f.work, 1), 20), 20_000) {
		f.give()
		f.weigh(l.bars)
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

// weigh gives each rowset the weight that its stretches ask of it, if the MB shown allow it.
func (f *axisFit) weigh(bars []bar) {
	asked := make([]float64, len(f.weights))
	for j, s := range f.parts {
		for _, i := range s.covers {
			asked[i] += f.density[i] * f.length[j] * f.misfit[j]
		}
	}
	for i := range bars {
		if low, high := bars[i].bounds(); f.covers[i] {
			f.weights[i] = min(max(asked[i], low, 1), high-1)
		}
	}
}
