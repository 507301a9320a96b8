package kudu

import (
	"math"
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

// The iteration of evenSpans ends when lengths change by less than this part, or after so much work.
const (
	settled = 1e-13
	maxWork = 100_000_000 // additions
)

// evenSpans gives places at which the rowsets, each with its weight spread evenly between its two, come to lie on the axis of the
// tablet's data volume where Kudu's drawing shows them. It needs no keys.
//
// Each stretch of the axis has some length on the line of places. A rowset gives it the share of its weight that the stretch is of its
// own length. Lengths are changed until what all rowsets give a stretch is its volume: iterative proportional fitting (Deming and
// Stephan 1940).
func (l *layoutPage) evenSpans(weights []float64) []span {
	if len(l.bars) > maxSolved { // so high a tablet lies nearly even on the axis
		return l.axisSpans()
	}
	parts := stretches(l.bars)
	work, total := 0, 0.0
	for _, w := range weights {
		total += w
	}
	length, volume := make([]float64, len(parts)), make([]float64, len(parts))
	for j, s := range parts {
		volume[j] = (s.to - s.from) * total
		length[j] = volume[j] / float64(len(s.covers))
		work += 2 * len(s.covers)
	}
	density := make([]float64, len(weights))
	for range max(maxWork/max(work, 1), 20) {
		clear(density)
		for j, s := range parts {
			for _, i := range s.covers {
				density[i] += length[j]
			}
		}
		for i := range density {
			density[i] = weights[i] / density[i]
		}
		change := 0.0
		for j, s := range parts {
			given := 0.0
			for _, i := range s.covers {
				given += density[i]
			}
			next := volume[j] / given
			change = max(change, math.Abs(next/length[j]-1))
			length[j] = next
		}
		if change < settled {
			break
		}
	}
	return l.laid(parts, length)
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
