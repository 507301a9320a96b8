// Package engine holds the parts every simulation here is built from: time, event queues, queueing stations,
// random streams, compiled distributions and latency histograms. It knows nothing of what is simulated.
//
// Nothing in it reads a clock, starts a goroutine, ranges over a map or shares random state, and nothing allocates
// after construction except a Heap that grows. Values are not safe for concurrent use: a run owns its own.
package engine

import "math"

// Time is simulated time in nanoseconds since the start of a run; it is never negative.
type Time = int64

// Never is later than every time: what is idle or cancelled happens then.
const Never Time = math.MaxInt64
