package configs

import "mmsim/axis"

// Initial is what one tablet holds at the start, on every replica.
type Initial struct {
	Table         string          `yaml:"table"`
	Tablet        int             `yaml:"tablet"`                   // hash bucket, from 0
	MemRowsetRows int64           `yaml:"memrowset_rows,omitempty"` // in the MemRowSet
	Rowsets       []InitialRowset `yaml:"rowsets"`
}

// InitialRowset is a disk rowset. Its key range is given as keys, as places in the key space, or as shares of the data.
type InitialRowset struct {
	Rows int64     `yaml:"rows,omitempty"`      // 0 = what size holds
	Size Bytes     `yaml:"size,omitempty"`      // base data and REDO; 0 = what rows take
	Keys []string  `yaml:"keys,flow,omitempty"` // smallest and largest
	Span []float64 `yaml:"span,flow,omitempty"` // places of the smallest and the largest key in the tablet's key space: shares of the possible keys before them

	DataSpan []float64 `yaml:"data_span,flow,omitempty"` // shares of the tablet's data, in the order of keys, before the smallest and up to the largest key

	RedoFiles   int      `yaml:"redo_files,omitempty"`
	DeleteFiles int      `yaml:"delete_files,omitempty"` // of these, those of nothing but deletes
	RedoAge     Duration `yaml:"redo_age,omitempty"`     // of the newest delta in them
	RedoRows    int64    `yaml:"redo_rows,omitempty"`    // updates in them
	Undo        Bytes    `yaml:"undo,omitempty"`         // 0 = what a flush leaves
	UndoAge     Duration `yaml:"undo_age,omitempty"`     // of the newest UNDO delta
	Deleted     int64    `yaml:"deleted,omitempty"`      // rows of it that were deleted
}

// Spans gives the rowsets' places in the key space, by Span or DataSpan; those of keys are left out.
func (n *Initial) Spans() []axis.Range {
	all := make([]axis.Range, len(n.Rowsets))
	for i := range n.Rowsets {
		if s := n.Rowsets[i].Span; len(s) == 2 {
			all[i] = axis.Range{From: s[0], To: s[1]}
		}
	}
	if bars, weights := n.onAxis(); bars != nil {
		return axis.Places(bars, weights)
	}
	return all
}

// onAxis gives where the rowsets lie on the axis of the tablet's data, and how much of it each holds; nil if they don't say.
func (n *Initial) onAxis() (bars []axis.Range, weights []float64) {
	rows := true
	for i := range n.Rowsets {
		rows = rows && n.Rowsets[i].Rows > 0
	}
	for i := range n.Rowsets {
		r := &n.Rowsets[i]
		if len(r.DataSpan) != 2 {
			return nil, nil
		}
		weight := float64(r.Size)
		if rows {
			weight = float64(r.Rows)
		}
		bars, weights = append(bars, axis.Range{From: r.DataSpan[0], To: r.DataSpan[1]}), append(weights, weight)
	}
	return bars, weights
}
