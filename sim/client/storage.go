// Package client models YCSB processes on Kudu's Java client: closed or throttled loops of operations, and sessions that
// buffer writes and send them in the background. It knows storage only by how long it takes to answer.
package client

import "mmsim/sim/engine"

// Storage is what clients talk to. Calls come in the order of at.
type Storage interface {
	// Write sends a batch to a tablet: inserts rows between the places lo and hi of its key space, in the run of keys with a number, and changes one row for each
	// of places, whose pick says which of the stores over its place holds the row; below 0 there is no such row. The last
	// of them are deleted, upserts before them get all their columns anew, and those before get one. It gives when the answer is
	// there and whether the batch was taken; if not, nothing was written.
	Write(at engine.Time, tablet, inserts, run int32, lo, hi float64, places, picks []float64, upserts, deletes int32) (answer engine.Time, ok bool)
	// Scan opens a scanner at a place of a tablet (or, if point, reads the row there, which pick finds among the stores) and reads the
	// column that field in [0,1) chooses.
	Scan(at engine.Time, tablet int32, place, pick, field float64, point bool) (answer engine.Time, ok bool)
	// Worked counts what the client does itself, from start on, about rows it wrote to the tablets of a table or, if 0, about a scan it was just answered.
	// It gives how many times as long as usual that takes.
	Worked(at, start engine.Time, tablet int32, rows int) (times float64)
}

// Costs are times spent in the client's process, in ns.
type Costs struct {
	AppendHot, AppendCold *engine.Dist // to buffer a write after another, and after a scan
	Between               engine.Time  // between operations, part of no latency
	Scan                  *engine.Dist // client's share of a scan
	RetryBase             engine.Time  // a rejected request is sent again after uniform(0,1) * base * 2^min(attempt, cap)
	RetryCap              int
}

// MaxBuffers is the most buffers a session may have.
const MaxBuffers = 8

// Session is the write buffer's configuration.
type Session struct {
	BufferOps     int         // operations that fill a buffer
	Buffers       int         // buffers a thread has, in flight or not
	FlushInterval engine.Time // from the first operation in a buffer to its flush
}
