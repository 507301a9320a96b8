package tablet

// MemRowset holds the inserted rows that are not flushed yet.
type MemRowset struct {
	Rows, Bytes  int64
	filled, room int64   // bytes of rows and updates, and of the chunks for them
	Anchor       int64   // WAL index of its first insert; NoAnchor when empty
	Lo, Hi       float64 // places of its first and last key; ordered inserts only
	runs         []run   // ordered inserts only
	Deleted      int64   // rows that were deleted
	LastDelete   int64   // ns
}

// run is rows that were appended one after the other: those of one client, or of one thread with a range of keys of its own.
type run struct {
	number int32
	piece
}

// extend adds rows between two places to a run.
func (m *MemRowset) extend(number int32, rows int64, lo, hi float64) {
	m.Lo, m.Hi = min(m.Lo, lo), max(m.Hi, hi)
	for i := range m.runs {
		if r := &m.runs[i]; r.number == number {
			r.lo, r.hi, r.rows = min(r.lo, lo), max(r.hi, hi), r.rows+float64(rows)
			return
		}
	}
	m.runs = append(m.runs, run{number, piece{lo, hi, float64(rows)}})
}

// holds says whether it has rows that are not deleted, some of them around a place if inserts are ordered.
func (m *MemRowset) holds(place float64, ordered bool) bool {
	return m.Rows > m.Deleted && (!ordered || m.Lo <= place && place <= m.Hi)
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
