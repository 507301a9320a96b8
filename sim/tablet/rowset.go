package tablet

import "slices"

// Rowset is a disk rowset with its deltas.
type Rowset struct {
	Span    Span    // key range as the compaction policy sees it
	Lo, Hi  float64 // places of the first and last key in the tablet's key space, 0..1 by row density
	Rows    int64
	Base    int64 // bytes of base data, fixed bytes included
	Index   int64 // bytes of bloom filter and key index
	Undo    int64 // bytes of UNDO deltas
	Deleted int64 // rows that were deleted, in memory or on disk

	LastDelete int64 // ns of the newest delete

	RedoFiles   int
	DeleteFiles int // of these, those of nothing but deletes
	RedoBytes   int64
	RedoRows    int64 // deltas in them
	RedoDeletes int64 // of these, deletes
	RedoNewest  int64 // ns of the newest delta in them
	DMS         DeltaMemStore

	Written int64 // the server's bytes written when this rowset was: what a later write volume evicts from the page cache

	uneven []piece // how its rows lie between Lo and Hi; nil = evenly

	keys, data blocks      // read since the rowset was written
	keysSeen   int64       // key blocks read
	keyBlocks  int64       // key blocks there are
	born       int64       // rows that had been written to the replica when it was
	undo       []undoBlock // oldest first

	Evicted bool // its pages have left the page cache since Written
	locked  bool // compact_flush_lock: excluded from every selection
	gone    bool // compacted away
}

// DeltaMemStore holds the updates of a rowset that are not flushed yet.
type DeltaMemStore struct {
	Rows, Bytes int64 // updates, upserts and deletes
	Deletes     int64 // of Rows
	Redo        int64 // bytes they will take in a REDO file
	Since       int64 // ns of its first update
	Anchor      int64 // WAL index of its first update
}

// Weight is what the compaction policy counts against its budget (base + REDO; kudu-1.12 and 1.18).
func (r *Rowset) Weight() int64 { return r.Base + r.RedoBytes }

// Full is the rowset's whole size on disk.
func (r *Rowset) Full() int64 { return r.Base + r.Index + r.RedoBytes + r.Undo }

// Width is the share of the key space between the rowset's first and last key.
func (r *Rowset) Width() float64 { return r.Hi - r.Lo }

// stretches says how the rows that are left of it lie between the first and the last key. What a compaction writes is as dense as its inputs were together.
func (r *Rowset) stretches(left int64) []piece {
	if r.uneven == nil {
		return []piece{{r.Lo, r.Hi, float64(left)}}
	}
	total := 0.0
	for _, p := range r.uneven {
		total += p.rows
	}
	out := slices.Clone(r.uneven)
	for i := range out {
		out[i].rows *= float64(left) / total
	}
	return out
}

// live says whether it has rows that are not deleted.
func (r *Rowset) live() bool { return r.Deleted < r.Rows }

// Locked says whether a maintenance op holds the rowset's lock.
func (r *Rowset) Locked() bool { return r.locked }

// readKey notes that the key's block at a place, which nobody read yet, is read. cold says that it must come from disk: the rowset's
// pages left the page cache since it was written; from now on the block is in cache. last says that every block has been read now.
func (r *Rowset) readKey(place float64) (cold, last bool) {
	r.keys.add(r.keyBlock(place))
	r.keysSeen++
	return r.Evicted, r.keysSeen == r.keyBlocks
}

// keyBlock is the number of the key's block at a place within the rowset.
func (r *Rowset) keyBlock(place float64) int64 { return int64((place - r.Lo) * r.blocksPerPlace()) }

// blocksPerPlace is key blocks for a unit of the key space, a little less so that the last place falls into the last block.
func (r *Rowset) blocksPerPlace() float64 {
	return float64(r.keyBlocks) * (1 - 1e-9) / max(r.Width(), 1e-12)
}

// keysRead says whether every key block was read.
func (r *Rowset) keysRead() bool { return r.keysSeen == r.keyBlocks }

// ColdData notes that a batch of rows at a place is read, of the column that field in [0,1) chooses, and says whether it must come from disk.
func (r *Rowset) ColdData(place, field float64, s *Sizes) bool {
	n := max(1, r.Rows/s.DataRows)
	if r.data == nil {
		r.data = newBlocks(s.Columns * n)
	}
	part := (place - r.Lo) / max(r.Width(), 1e-12)
	i := int64(field*float64(s.Columns))*n + min(int64(part*float64(n)), n-1)
	if r.data.has(i) {
		return false
	}
	r.data.add(i)
	return r.Evicted
}

// blocks is a set of blocks by number.
type blocks []uint64

func newBlocks(n int64) blocks { return make(blocks, (n+63)/64) }

func (b blocks) has(i int64) bool { return b[i>>6]>>(i&63)&1 != 0 }

func (b blocks) add(i int64) { b[i>>6] |= 1 << (i & 63) }
