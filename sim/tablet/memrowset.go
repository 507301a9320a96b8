package tablet

// MemRowset holds the inserted rows that are not flushed yet.
type MemRowset struct {
	Rows, Bytes  int64
	filled, room int64   // bytes of rows and updates, and of the chunks for them
	Anchor       int64   // WAL index of its first insert; NoAnchor when empty
	Lo, Hi       float64 // places of its first and last key; ordered inserts only
}

// firstChunk is the part of a chunk that an arena begins with; it doubles until it has a whole one.
const firstChunk = 1. / 512

// put adds so many bytes of rows, or of updates of its rows, and gives the memory they take: Kudu's arena grows by whole chunks, and those are
// what a server accounts for and what flushes go by.
func (m *MemRowset) put(bytes int64, s *Sizes) (memory int64) {
	before := m.Bytes
	if before == 0 {
		m.Bytes = s.MRSFixed
	}
	if m.filled += bytes; s.MRSChunk == 0 {
		m.Bytes += bytes
	}
	for s.MRSChunk > 0 && m.room < m.filled {
		more := min(max(m.room, int64(firstChunk*float64(s.MRSChunk)), 1), s.MRSChunk)
		m.room += more
		m.Bytes += more
	}
	return m.Bytes - before
}

// emptyMRS is a MemRowSet without rows.
func emptyMRS() MemRowset { return MemRowset{Anchor: NoAnchor, Lo: 1, Hi: 0} }
