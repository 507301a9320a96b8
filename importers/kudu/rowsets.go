package kudu

import (
	"math"
	"slices"

	"mmsim/axis"
	"mmsim/importers/kudu/layout"
	"mmsim/importers/kudu/pages"
)

// stored is a disk rowset as it is written.
type stored struct {
	layout.Bar
	span        axis.Range // places of its smallest and largest key
	rows, bytes int64
}

// rowsets gives a tablet's, oldest first where that is known, and whether their sizes are a guess.
func (t *tableState) rowsets(tablet *pages.Tablet, c costs) (all []stored, guess bool) {
	l := tablet.Layout
	weights, guess := l.Weights(tablet.Value("on_disk_data_size"), 1+c.fullRow/t.shape.perRow)
	spans := t.spans(l, weights)
	perByte := t.rowsPerByte(tablet, weights, c)
	all = make([]stored, len(l.Bars))
	for i, b := range l.Bars {
		all[i] = stored{Bar: b, span: sane(spans[i]), bytes: max(int64(weights[i]), 1)}
		if perByte > 0 {
			all[i].rows = max(int64(math.Round(weights[i]*perByte)), 1)
		}
	}
	slices.SortStableFunc(all, func(a, b stored) int { return a.ID - b.ID })
	return all, guess
}

// rowsPerByte is how many rows a byte of a tablet's rowsets holds, 0 if rows are not known. A tablet with all its rows in the rowsets that its
// page shows has the rows that its metrics count.
func (t *tableState) rowsPerByte(tablet *pages.Tablet, weights []float64, c costs) float64 {
	size := tablet.Value("on_disk_data_size")
	if !t.shape.known || size <= 0 {
		return 0
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if live := tablet.Value("live_row_count"); live > 0 && sum > 0 && tablet.Layout.Away == 0 {
		return max(live-float64(t.shape.memRows(tablet, c)), 1) / sum
	}
	return c.data(tablet) / size / t.shape.perRow
}

// spans gives the places of a tablet's rowsets.
func (t *tableState) spans(l *layout.Page, weights []float64) []axis.Range {
	if t.ycsb && l.Keys {
		return l.YCSBPlaces()
	}
	return l.Places(weights)
}

// sane keeps a place within what an experiment may say.
func sane(s axis.Range) axis.Range {
	s.From = min(max(s.From, 0), 1)
	return axis.Range{From: s.From, To: min(max(s.To, s.From), 1)}
}
