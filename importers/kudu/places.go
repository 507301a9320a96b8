package kudu

import (
	"strings"

	"mmsim/workloads"
)

// span is the places of a rowset's smallest and largest key in the tablet's key space, 0 to 1.
type span struct{ from, to float64 }

// ycsbSpans gives the places of keys that YCSB made.
func (l *layoutPage) ycsbSpans() []span {
	keys := workloads.NewKeys(workloads.Hashed)
	spans := make([]span, len(l.bars))
	for i, b := range l.bars {
		spans[i].from, _ = keys.Place(b.min)
		spans[i].to, _ = keys.Place(b.max)
	}
	return spans
}

// ycsbKeys says whether the keys are those of YCSB in hashed order: user and a number below 2^63 that is drawn evenly, so that all but a
// few have 17 digits and more.
func (l *layoutPage) ycsbKeys() bool {
	keys := workloads.NewKeys(workloads.Hashed)
	long := 0
	for _, b := range l.bars {
		for _, key := range []string{b.min, b.max} {
			if _, ok := keys.Place(key); !ok {
				return false
			}
			if len(key) >= len("user")+17 {
				long++
			}
		}
	}
	return l.keys && long >= len(l.bars)
}

// textKeys says whether all keys are text that a YAML file can hold as it stands.
func (l *layoutPage) textKeys() bool {
	for _, b := range l.bars {
		if strings.ContainsFunc(b.min+b.max, func(r rune) bool { return r < ' ' || r > '~' }) {
			return false
		}
	}
	return l.keys
}

// evenSpans gives places at which the rowsets, each with its weight spread evenly between its two, come to lie on the axis of the
// tablet's data volume where Kudu's drawing shows them. It needs no keys.
func (l *layoutPage) evenSpans(weights []float64) []span {
	if len(l.bars) > maxSolved { // so high a tablet lies nearly even on the axis
		return l.axisSpans()
	}
	f := newAxisFit(l.bars, weights)
	f.settle()
	return l.laid(f.parts, f.length)
}

// axisSpans takes the places on the axis of the data volume for places in the key space.
func (l *layoutPage) axisSpans() []span {
	spans := make([]span, len(l.bars))
	for i, b := range l.bars {
		spans[i] = span{b.from, b.to}
	}
	return spans
}

// laid gives the spans of rowsets over stretches that lie one behind the other.
func (l *layoutPage) laid(parts []stretch, length []float64) []span {
	whole := 0.0
	for _, d := range length {
		whole += d
	}
	spans := make([]span, len(l.bars))
	started := make([]bool, len(l.bars))
	at := 0.0
	for j, s := range parts {
		end := min(at+length[j]/whole, 1)
		if j == len(parts)-1 {
			end = 1
		}
		for _, i := range s.covers {
			if !started[i] {
				spans[i].from, started[i] = at, true
			}
			spans[i].to = end
		}
		at = end
	}
	for i, b := range l.bars { // a rowset of a single key covers no stretch
		if !started[i] {
			spans[i] = pointAt(b.from, parts, length, whole)
		}
	}
	return spans
}

// pointAt is the place of a point of the axis.
func pointAt(point float64, parts []stretch, length []float64, whole float64) span {
	at := 0.0
	for j, s := range parts {
		if point < s.to {
			break
		}
		at += length[j] / whole
	}
	at = min(at, 1)
	return span{at, at}
}
