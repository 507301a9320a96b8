package client

import (
	"mmsim/sim/engine"
	"mmsim/workloads"
)

// Load is what all threads of one client share.
type Load struct {
	First, Tablets int32 // the table's tablets in the cluster: hash bucket by hash bucket, range by range
	Ranges         int32 // ranges of keys that each hash bucket is cut into; 0 = 1
	Threads        int64
	Operations     int64       // over all threads; Endless = until they are stopped
	Until          engine.Time // when they are stopped; 0 = never
	Insert, Delete Turns       // whose keys the threads insert and delete
	Rows           *Rows       // of the table; all its clients share it
	FollowInserts  bool        // other clients of the table insert: what is there is told by Rows instead of the thread's own count
	FollowDeletes  bool        // the same for deletes
	Deletes        bool        // some rows of the table are deleted: what is changed may be gone
	Target         float64
	OnlyInserts    bool
	NewKeys        float64 // share of upserts whose key is new
	Mix            *workloads.Mix
	Chooser        *workloads.Chooser
	Lengths        *workloads.Lengths
	Keys           *workloads.Keys
	Ordered        bool  // inserts go by key number
	Run            int32 // number of the run of keys that an ordered client appends to
	OwnRanges      bool  // each thread has a run of its own
	FirstBucket    bool  // scans longer than a row begin at the first hash bucket
	Session        Session
	Costs          *Costs

	Latency [workloads.NumOps]engine.Histogram
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

// locate is the tablet, from 0 in the table, that holds a key, and the key's place in it.
func (l *Load) locate(k int64) (tablet int32, place float64) {
	place = l.Keys.Position(k)
	if l.Ranges <= 1 {
		return int32(workloads.Bucket(k, int(l.Tablets))), place
	}
	x := place * float64(l.Ranges)
	r := min(int32(x), l.Ranges-1)
	return int32(workloads.Bucket(k, int(l.Tablets/l.Ranges)))*l.Ranges + r, x - float64(r)
}

// firstBucket is the tablet with the same range of keys in the first hash bucket.
func (l *Load) firstBucket(tablet int32) int32 { return tablet % max(l.Ranges, 1) }
