// Package tablet holds one replica's stores (MemRowSet, disk rowsets, deltas, WAL) and Kudu's rowset compaction policy.
// It knows no clock: times are values it is handed.
package tablet

// Sizes says how many bytes rows take in the stores of one table. All are per row unless said otherwise.
type Sizes struct {
	MRSRow      int64   // memory of a MemRowSet
	MRSFixed    int64   // fixed memory of a MemRowSet that has rows
	MRSChunk    int64   // bytes by which its memory grows; 0: as it is filled
	BaseRow     float64 // base data of a disk rowset
	IndexRow    float64 // bloom filter and key index of a disk rowset
	UndoRow     float64 // UNDO deltas written by a flush
	RowsetFixed int64   // fixed bytes of a disk rowset
	DMSRow      int64   // memory of a DeltaMemStore, an update
	RedoRow     int64   // bytes of a REDO file, an update
	DMSUpsert   int64   // the same of an upsert of a row that is there: all columns
	RedoUpsert  int64
	DMSDelete   int64 // and of a delete: none
	RedoDelete  int64
	WALRow      int64 // WAL bytes of an insert or upsert
	WALUpdate   int64 // WAL bytes of an update
	WALDelete   int64 // WAL bytes of a delete
	WALBatch    int64 // WAL bytes of a batch
	RolledSize  int64 // bytes of base data and index of a full output of a flush or compaction, on average
	RolledBlock int64 // rows of the blocks between which outputs end; 0: all full outputs are the same
	KeyRows     int64 // rows whose keys share one block
	BloomRows   int64 // rows whose bloom filter shares one block
	DataRows    int64 // rows of one column that share one block
	Columns     int64 // value columns
}

// Flushed is the bytes that a flush of rows writes, but for the fixed bytes of each rowset.
func (s *Sizes) Flushed(rows int64) int64 {
	return int64(float64(rows) * (s.BaseRow + s.IndexRow + s.UndoRow))
}

// rowsPerRoll is the mean number of rows in a full output rowset: what its writer counts is base data, bloom filter and index.
func (s *Sizes) rowsPerRoll() int64 {
	n := int64(float64(s.RolledSize-s.RowsetFixed) / (s.BaseRow + s.IndexRow))
	return max(n, 1)
}
