package tablet

// MemRowset holds the inserted rows that are not flushed yet.
type MemRowset struct {
	Rows, Bytes int64
	Anchor      int64   // WAL index of its first insert; NoAnchor when empty
	Lo, Hi      float64 // places of its first and last key; ordered inserts only
}

// emptyMRS is a MemRowSet without rows.
func emptyMRS() MemRowset { return MemRowset{Anchor: NoAnchor, Lo: 1, Hi: 0} }
