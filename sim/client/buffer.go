package client

import "mmsim/sim/engine"

// buffer is one of a session's two write buffers: operations counted by tablet, updates kept one by one.
type buffer struct {
	thread   int32
	busy     bool // sent, and not all answers are there
	ops      int
	deadline engine.Time // when the timer flushes it
	inserts  []int32     // by tablet
	lo, hi   []float64   // places of the first and last insert by tablet; ordered inserts only
	updates  []update

	start         []int32 // by tablet: where its updates begin in places; one longer
	places, picks []float64

	waiting int         // batches to be sent again
	answer  engine.Time // latest answer so far
}

// update is one update before it is sorted to its tablet.
type update struct {
	tablet      int32
	place, pick float64
}

// groupUpdates sorts the updates to their tablets, keeping their order.
func (b *buffer) groupUpdates() {
	clear(b.start)
	for i := range b.updates {
		b.start[b.updates[i].tablet+1]++
	}
	for i := 1; i < len(b.start); i++ {
		b.start[i] += b.start[i-1]
	}
	n := len(b.updates)
	if cap(b.places) < n {
		b.places, b.picks = make([]float64, n, 2*n), make([]float64, n, 2*n)
	}
	b.places, b.picks = b.places[:n], b.picks[:n]
	for i := range b.updates {
		u := &b.updates[i]
		b.places[b.start[u.tablet]], b.picks[b.start[u.tablet]] = u.place, u.pick
		b.start[u.tablet]++
	}
	copy(b.start[1:], b.start[:len(b.start)-1]) // each start moved to its end
	b.start[0] = 0
}

// reset empties the buffer for new operations.
func (b *buffer) reset() {
	clear(b.inserts)
	b.updates = b.updates[:0]
	b.ops, b.waiting, b.answer = 0, 0, 0
	for i := range b.lo {
		b.lo[i], b.hi[i] = 1, 0
	}
}
