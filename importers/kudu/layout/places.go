package layout

import (
	"strings"

	"mmsim/axis"
	"mmsim/workloads"
)

// YCSBPlaces gives the places of keys that YCSB made.
func (l *Page) YCSBPlaces() []axis.Range {
	keys := workloads.NewKeys(workloads.Hashed)
	spans := make([]axis.Range, len(l.Bars))
	for i, b := range l.Bars {
		spans[i].From, _ = keys.Place(b.Min)
		spans[i].To, _ = keys.Place(b.Max)
	}
	return spans
}

// YCSBKeys says whether the keys are those of YCSB in hashed order: user and a number below 2^63 that is drawn evenly, so that all but a
// few have 17 digits and more.
func (l *Page) YCSBKeys() bool {
	keys := workloads.NewKeys(workloads.Hashed)
	long := 0
	for _, b := range l.Bars {
		for _, key := range []string{b.Min, b.Max} {
			if _, ok := keys.Place(key); !ok {
				return false
			}
			if len(key) >= len("user")+17 {
				long++
			}
		}
	}
	return l.Keys && long >= len(l.Bars)
}

// TextKeys says whether all keys are text that a YAML file can hold as it stands.
func (l *Page) TextKeys() bool {
	for _, b := range l.Bars {
		if strings.ContainsFunc(b.Min+b.Max, func(r rune) bool { return r < ' ' || r > '~' }) {
			return false
		}
	}
	return l.Keys
}

// Places works out places at which rowsets of these weights come to lie on the axis as it is drawn.
func (l *Page) Places(weights []float64) []axis.Range { return axis.Places(l.ranges(), weights) }

// ranges are the bars on the axis.
func (l *Page) ranges() []axis.Range {
	all := make([]axis.Range, len(l.Bars))
	for i, b := range l.Bars {
		all[i] = axis.Range{From: b.From, To: b.To}
	}
	return all
}
