package kudu

import (
	"strings"

	"mmsim/axis"
	"mmsim/workloads"
)

// ycsbSpans gives the places of keys that YCSB made.
func (l *layoutPage) ycsbSpans() []axis.Range {
	keys := workloads.NewKeys(workloads.Hashed)
	spans := make([]axis.Range, len(l.bars))
	for i, b := range l.bars {
		spans[i].From, _ = keys.Place(b.min)
		spans[i].To, _ = keys.Place(b.max)
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

// ranges are the bars on the axis.
func (l *layoutPage) ranges() []axis.Range {
	all := make([]axis.Range, len(l.bars))
	for i, b := range l.bars {
		all[i] = axis.Range{From: b.from, To: b.to}
	}
	return all
}

// reconcile moves guessed weights, within the MB shown, until they can fill the axis as it is drawn.
func (l *layoutPage) reconcile(weights []float64) {
	axis.Reconcile(l.ranges(), weights, func(i int) (low, high float64) { return l.bars[i].bounds() })
}
