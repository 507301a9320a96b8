package axis

import "slices"

// Stretch is a part of the axis between two neighbouring ends of rowsets.
type Stretch struct {
	From, To float64
	Covers   []int // rowsets over it
}

// Stretches parts the axis. Parts without data have no length and are left out.
func Stretches(bars []Range) []Stretch {
	var ends []float64
	for _, b := range bars {
		ends = append(ends, b.From, b.To)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	var all []Stretch
	for j := 0; j+1 < len(ends); j++ {
		s := Stretch{From: ends[j], To: ends[j+1]}
		for i, b := range bars {
			if b.From <= s.From && s.To <= b.To {
				s.Covers = append(s.Covers, i)
			}
		}
		if len(s.Covers) > 0 {
			all = append(all, s)
		}
	}
	return all
}
