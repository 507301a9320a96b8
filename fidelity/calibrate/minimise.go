package calibrate

import (
	"cmp"
	"math"
	"slices"
)

// vertex is a point of a simplex and what is to be made small there.
type vertex struct {
	x []float64
	f float64
}

// minimise looks for a least value near a point: Nelder and Mead's simplex (1965), with steps of a third.
func minimise(f func([]float64) float64, at []float64) []float64 {
	n := len(at)
	s := []vertex{{at, f(at)}}
	for j := range n {
		x := slices.Clone(at)
		x[j] += 0.33
		s = append(s, vertex{x, f(x)})
	}
	order := func() { slices.SortFunc(s, func(a, b vertex) int { return cmp.Compare(a.f, b.f) }) }
	for range 150 * n {
		order()
		if worst := s[n].f; worst-s[0].f <= 1e-7*math.Abs(s[0].f) {
			break
		}
		middle := make([]float64, n)
		for _, v := range s[:n] {
			for j := range n {
				middle[j] += v.x[j] / float64(n)
			}
		}
		beyond := func(by float64) vertex {
			x := make([]float64, n)
			for j := range n {
				x[j] = middle[j] + by*(middle[j]-s[n].x[j])
			}
			return vertex{x, f(x)}
		}
		switch v := beyond(1); {
		case v.f < s[0].f:
			if far := beyond(2); far.f < v.f {
				v = far
			}
			s[n] = v
		case v.f < s[n-1].f:
			s[n] = v
		default:
			if v = beyond(-0.5); v.f < s[n].f {
				s[n] = v
				break
			}
			for i := range s[1:] {
				for j := range n {
					s[i+1].x[j] = (s[0].x[j] + s[i+1].x[j]) / 2
				}
				s[i+1].f = f(s[i+1].x)
			}
		}
	}
	order()
	return s[0].x
}
