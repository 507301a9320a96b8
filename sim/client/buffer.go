package client

import "mmsim/sim/engine"

// buffer is one of a session's two write buffers: inserts counted by tablet, changes kept one by one.
type buffer struct {
	thread   int32
	busy     bool // sent, and not all answers are there
	ops      int
	deadline engine.Time // when the timer flushes it
	inserts  []int32     // by tablet
	lo, hi   []float64   // places of the first and last insert by tablet; ordered inserts only
	changes  []change

	start         []int32 // by tablet, and by kind where there are several: where its changes begin in places; one longer
	kinds         int32   // kinds of changes that start tells apart: 1 or numKinds
	places, picks []float64
	keys          []int64 // of the changes; only where some may be of rows that are gone

	waiting int         // batches to be sent again
	answer  engine.Time // latest answer so far
}

// change is an update, upsert or delete of a row before it is sorted to its tablet.
type change struct {
	tablet      int32
	kind        int32
	place, pick float64
	key         int64
}

// Kinds of changes, in the order in which a batch holds them.
const (
	update int32 = iota
	upsert
	remove
	numKinds
)

// missing is the pick of a row that is not there.
const missing = -1

// groupChanges sorts the changes to their tablets and kinds, keeping their order.
func (b *buffer) groupChanges(withKeys bool) {
	clear(b.start)
	for i := range b.changes {
		b.start[b.slot(&b.changes[i])+1]++
	}
	for i := 1; i < len(b.start); i++ {
		b.start[i] += b.start[i-1]
	}
	n := len(b.changes)
	if cap(b.places) < n {
		b.places, b.picks, b.keys = make([]float64, n, 2*n), make([]float64, n, 2*n), make([]int64, n, 2*n)
	}
	b.places, b.picks, b.keys = b.places[:n], b.picks[:n], b.keys[:n]
	for i := range b.changes {
		c := &b.changes[i]
		at := &b.start[b.slot(c)]
		b.places[*at], b.picks[*at] = c.place, c.pick
		if withKeys {
			b.keys[*at] = c.key
		}
		*at++
	}
	copy(b.start[1:], b.start[:len(b.start)-1]) // each start moved to its end
	b.start[0] = 0
}

// slot is where a change is counted in start.
func (b *buffer) slot(c *change) int32 {
	if b.kinds == 1 {
		return c.tablet
	}
	return c.tablet*numKinds + c.kind
}

// of gives where a tablet's changes begin and end in places, and how many at their end are upserts and deletes.
func (b *buffer) of(tablet int32) (from, to, upserts, deletes int32) {
	if len(b.changes) == 0 {
		return 0, 0, 0, 0
	}
	if b.kinds == 1 {
		return b.start[tablet], b.start[tablet+1], 0, 0
	}
	s := b.start[tablet*numKinds:]
	return s[update], s[numKinds], s[remove] - s[upsert], s[numKinds] - s[remove]
}

// reset empties the buffer for new operations.
func (b *buffer) reset() {
	clear(b.inserts)
	b.changes = b.changes[:0]
	b.ops, b.waiting, b.answer = 0, 0, 0
	for i := range b.lo {
		b.lo[i], b.hi[i] = 1, 0
	}
}
