package workloads

import "fmt"

// Lengths draws scan lengths: how many rows a scan asks for. It looks the length up in the exact distribution
// function instead of computing it: a guide gives the first length that the uniform can mean, and few steps remain.
type Lengths struct {
	min   int
	cells float64
	guide []int32   // by cell of [0, 1): the length, less min, at the start of the cell
	below []float64 // by length, less min: the probability of this length or a shorter one
}

// NewLengths takes YCSB's scan length distribution ("uniform" or "zipfian", which favours min) on [min, max],
// 1 <= min <= max.
func NewLengths(dist string, min, max int) (*Lengths, error) {
	if min < 1 || max < min {
		return nil, fmt.Errorf("scan lengths from %d to %d: must be 1 <= min <= max", min, max)
	}
	n := max - min + 1
	l := &Lengths{min: min, below: make([]float64, n)}
	switch dist {
	case "uniform":
		for i := range n {
			l.below[i] = float64(i+1) / float64(n)
		}
	case "zipfian":
		z := NewZipfian(0, int64(n)-1)
		for i := range n {
			l.below[i] = z.below(int64(i) + 1)
		}
	default:
		return nil, fmt.Errorf("scan length distribution %q: must be uniform or zipfian", dist)
	}
	l.makeGuide()
	return l, nil
}

// makeGuide takes a power of 2 of cells, at least 8 for each length: a uniform times a power of 2 is exact.
func (l *Lengths) makeGuide() {
	cells := 1024
	for cells < 8*len(l.below) {
		cells *= 2
	}
	l.cells = float64(cells)
	l.guide = make([]int32, cells)
	i := int32(0)
	for c := range l.guide {
		for float64(c)/l.cells >= l.below[i] {
			i++
		}
		l.guide[c] = i
	}
}

// At is the length for the uniform u in [0, 1).
func (l *Lengths) At(u float64) int {
	i := l.guide[int(u*l.cells)]
	for u >= l.below[i] {
		i++
	}
	return l.min + int(i)
}
