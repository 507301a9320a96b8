package tablet

import (
	"math"

	"mmsim/sim/engine"
)

// Replica is one replica of a tablet: its stores, its log and what the maintenance manager must know of it.
type Replica struct {
	Tablet int32 // the tablet's number in the cluster
	Table  int32 // the table's position in the experiment
	Bucket int32 // hash bucket in its table
	Leader bool
	Sizes  *Sizes

	MRS      MemRowset
	Flushing MemRowset // the MemRowSet a running flush writes; its memory is in use until the flush ends
	Rowsets  []*Rowset // live disk rowsets, in the order in which they were written
	WAL      WAL

	ScansStarted int64 // scanners opened on this replica
	RowsWritten  int64 // rows inserted or updated, on leader and followers alike
	Finished     Finished

	ordered bool                     // inserts come in key order: a MemRowSet spans what it was given, not the key space
	keyAt   func(pos float64) string // a key at a place of the key space
	rand    engine.Rand              // draws the ends of flushed key ranges
	height  float64                  // sum of the widths of all rowsets
	version uint64                   // changes with the set of rowsets, their sizes or their locks
	layout  uint64                   // changes with the set of rowsets
	redo    redoCount
	dms     []*Rowset // rowsets with a DeltaMemStore, by anchor
	largest *Rowset   // of dms the one with most bytes; nil if not known
	best    *Rowset   // of dms the one to flush while memory is no concern; nil if not known
	frozen  []int64   // anchors of the DeltaMemStores that running ops write
	dmsSize int64     // bytes of all DeltaMemStores
	index   scanIndex
	undo    undoEstimate
	presence
	evictions uint64 // changes when rowsets leave the page cache
	deletes   bool   // some rows were deleted
}

// Finished counts the maintenance ops that ended, by what they invalidate.
type Finished struct{ MRSFlush, DMSFlush, Compaction, Minor, Major, UndoGC int64 }

// NewReplica makes an empty replica. keyAt gives the key at a place of the key space.
func NewReplica(tablet, table, bucket int32, leader bool, sizes *Sizes, segmentSize int64, ordered bool, keyAt func(float64) string, rand engine.Rand) *Replica {
	return &Replica{Tablet: tablet, Table: table, Bucket: bucket, Leader: leader, Sizes: sizes, MRS: emptyMRS(), Flushing: emptyMRS(),
		WAL: NewWAL(segmentSize), ordered: ordered, keyAt: keyAt, rand: rand}
}

// Height is the average number of disk rowsets over a place of the key space: what a random key meets. Kudu's metric average_diskrowset_height
// averages over the data instead, see Planner.Height.
func (r *Replica) Height() float64 { return r.height }

// Layout changes with the set of rowsets.
func (r *Replica) Layout() uint64 { return r.layout }

// Version changes with the set of rowsets, their sizes and their locks.
func (r *Replica) Version() uint64 { return r.version }

// Insert adds rows to the MemRowSet and the log and gives the bytes of memory and of WAL they take.
// lo and hi are the places of the first and last key, and run numbers the run of keys they belong to; only ordered inserts need them.
func (r *Replica) Insert(rows int64, run int32, lo, hi float64) (memory, wal int64) {
	wal = r.Sizes.WALBatch + rows*r.Sizes.WALRow
	at := r.WAL.Append(wal)
	m := &r.MRS
	if m.Rows == 0 {
		m.Anchor = at
	}
	memory = m.put(rows*r.Sizes.MRSRow, r.Sizes)
	m.Rows += rows
	if r.ordered {
		m.extend(run, rows, lo, hi)
	}
	r.RowsWritten += rows
	return memory, wal
}

// Holder is the rowset that holds the row at a place; -1 if it is in memory, or nowhere. pick in [0,1) decides among the stores over the place
// by their density of rows there.
func (r *Replica) Holder(place, pick float64) int32 {
	over := r.holders(place)
	total := float64(r.MRS.Rows + r.Flushing.Rows)
	for _, c := range over {
		total += float64(c.density)
	}
	x := pick * total
	for _, c := range over {
		if x -= float64(c.density); x < 0 {
			return c.rowset
		}
	}
	if r.MRS.Rows+r.Flushing.Rows == 0 && len(over) > 0 {
		return over[len(over)-1].rowset
	}
	return -1
}

// Memory is the bytes of all memory stores.
func (r *Replica) Memory() int64 { return r.MRS.Bytes + r.Flushing.Bytes + r.dmsSize }

// CollectableWAL is what a log GC would free now.
func (r *Replica) CollectableWAL(minSegments int) (segments int, bytes int64) {
	if len(r.WAL.closed) == 0 {
		return 0, 0
	}
	durable := r.WAL.index
	for _, m := range [2]*MemRowset{&r.MRS, &r.Flushing} {
		if m.Anchor != NoAnchor {
			durable = min(durable, m.Anchor)
		}
	}
	if r.WAL.closed[0].maxIndex >= durable {
		return 0, 0
	}
	if len(r.dms) > 0 {
		durable = min(durable, r.dms[0].DMS.Anchor)
	}
	for _, anchor := range r.frozen {
		durable = min(durable, anchor)
	}
	return r.WAL.Collectable(durable, minSegments)
}

// changed notes a change of the rowsets and recomputes the height from the rowsets, so that it carries no rounding from op to op.
func (r *Replica) changed() {
	r.version++
	r.layout++
	r.undo.known = false
	r.height = 0
	for _, rs := range r.Rowsets {
		r.height += rs.Width()
	}
}

// waveEnds draws the places of the smallest and the largest of n keys spread evenly over the key space.
func (r *Replica) waveEnds(n int64) (lo, hi float64) {
	lo = 1 - math.Pow(1-r.rand.Float64(), 1/float64(n))
	hi = math.Pow(r.rand.Float64(), 1/float64(n))
	return min(lo, hi), max(lo, hi)
}

// newRowset makes a rowset of rows between two places.
func (r *Replica) newRowset(lo, hi float64, rows int64, written int64) *Rowset {
	s := r.Sizes
	rs := &Rowset{Lo: lo, Hi: hi, Rows: rows, Base: s.RowsetFixed + int64(float64(rows)*s.BaseRow), Index: int64(float64(rows) * s.IndexRow),
		Written: written, DMS: DeltaMemStore{Anchor: NoAnchor}, born: r.RowsWritten, keyBlocks: max(1, rows/s.KeyRows)}
	first, last := r.keyAt(lo), r.keyAt(hi)
	rs.Span, _ = NewSpan(min(first, last), max(first, last)) // fails only if they are out of order
	return rs
}
