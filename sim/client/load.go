package client

import (
	"mmsim/sim/engine"
	"mmsim/workloads"
)

// Load is what all threads of one client share.
type Load struct {
	First, Tablets int32 // the table's tablets in the cluster
	Threads        int64
	Operations     int64       // over all threads; Endless = until they are stopped
	Until          engine.Time // when they are stopped; 0 = never
	Records        int64       // rows before the phase; in a load phase where key numbers begin
	Target         float64
	OnlyInserts    bool
	Mix            *workloads.Mix
	Chooser        *workloads.Chooser
	Lengths        *workloads.Lengths
	Keys           *workloads.Keys
	Ordered        bool // inserts go by key number
	FirstBucket    bool // scans longer than a row begin at the first tablet
	Session        Session
	Costs          *Costs

	Latency [4]engine.Histogram // by workloads.Op
	OnScan  func(at engine.Time, latency engine.Time)
}

// Endless is more operations than any client ever does.
const Endless int64 = 1 << 62

// share is how many of the operations thread i does: YCSB deals the remainder to the first threads.
func (l *Load) share(i int64) int64 {
	n := l.Operations / l.Threads
	if i < l.Operations%l.Threads {
		n++
	}
	return n
}
