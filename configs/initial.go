package configs

// Initial is what one tablet holds at the start, on every replica.
type Initial struct {
	Table         string          `yaml:"table"`
	Tablet        int             `yaml:"tablet"`                   // hash bucket, from 0
	MemRowsetRows int64           `yaml:"memrowset_rows,omitempty"` // in the MemRowSet
	Rowsets       []InitialRowset `yaml:"rowsets"`
}

// InitialRowset is a disk rowset. Its key range is given as keys or as places.
type InitialRowset struct {
	Rows int64     `yaml:"rows,omitempty"`      // 0 = what size holds
	Size Bytes     `yaml:"size,omitempty"`      // base data and REDO; 0 = what rows take
	Keys []string  `yaml:"keys,flow,omitempty"` // smallest and largest
	Span []float64 `yaml:"span,flow,omitempty"` // places of the smallest and the largest key in the tablet's key space, 0 to 1 by number of rows

	RedoFiles   int      `yaml:"redo_files,omitempty"`
	DeleteFiles int      `yaml:"delete_files,omitempty"` // of these, those of nothing but deletes
	RedoAge     Duration `yaml:"redo_age,omitempty"`     // of the newest delta in them
	RedoRows    int64    `yaml:"redo_rows,omitempty"`    // updates in them
	Undo        Bytes    `yaml:"undo,omitempty"`         // 0 = what a flush leaves
	UndoAge     Duration `yaml:"undo_age,omitempty"`     // of the newest UNDO delta
	Deleted     int64    `yaml:"deleted,omitempty"`      // rows of it that were deleted
}
