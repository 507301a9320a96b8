package server

import (
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// presenceReads is the time for which the presence checks of a batch wait for the disk: for bloom filter blocks of rowsets that left the page cache, one a
// row and rowset at most, and for the key's block in the rowset that holds a changed row. An apply thread checks one row after the other.
func (c *Cluster) presenceReads(s *Server, r *tablet.Replica, b *batch) (time engine.Time) {
	if !c.Costs.ColdChecks {
		return 0
	}
	if r.Age(s.written, s.Memory.PageCache()); r.Evictions() == 0 {
		return 0
	}
	rows := float64(len(b.places))
	if !r.Ordered() { // what is appended lies behind all rowsets
		rows += float64(b.inserts)
	}
	if reads := rows * r.PresenceReads(); reads > 0 {
		for range int(reads + s.rand.Float64()) {
			time += c.coldRead(s)
		}
	}
	for i, place := range b.places {
		if b.picks[i] >= 0 && r.ReadHolder(place, b.picks[i]) {
			time += c.coldRead(s)
		}
	}
	return time
}
