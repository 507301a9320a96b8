package server

import (
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// batch is what one write RPC carries to a tablet.
type batch struct {
	inserts          int64
	run              int32     // of keys to which they belong
	lo, hi           float64   // places of the first and last insert
	places, picks    []float64 // of the changes: updates, upserts and deletes. A pick below 0 is that of a row that is not there
	upserts, deletes int       // where these begin in places
	changes          tablet.Changes
}

// count tells what a batch changes from what finds no row.
func (b *batch) count() {
	c := &b.changes
	c.Updates, c.Upserts, c.Deletes = int64(b.upserts), int64(b.deletes-b.upserts), int64(len(b.places)-b.deletes)
	for i, pick := range b.picks {
		if pick >= 0 {
			continue
		}
		c.Misses++
		switch {
		case i < b.upserts:
			c.Updates--
		case i < b.deletes:
			c.Upserts--
		default:
			c.Deletes--
		}
	}
}

// store puts a batch into a replica's stores.
func (c *Cluster) store(at engine.Time, p *Placed, b *batch) {
	var memory, wal int64
	if b.inserts > 0 {
		memory, wal = p.Replica.Insert(b.inserts, b.run, b.lo, b.hi)
	}
	if len(b.places) > 0 {
		index, bytes := p.Replica.LogChanges(b.changes)
		wal += bytes
		memory += b.change(at, p.Replica, index)
	}
	p.Server.Memory.Add(memory)
	p.Server.logged(wal)
}

// change puts the changes of a batch into a replica's stores and gives the memory they take.
func (b *batch) change(at engine.Time, r *tablet.Replica, index int64) (memory int64) {
	for i, place := range b.places {
		switch pick := b.picks[i]; {
		case pick < 0:
		case i < b.upserts:
			memory += r.Update(at, index, place, pick)
		case i < b.deletes:
			memory += r.Upsert(at, index, place, pick)
		default:
			memory += r.Delete(at, index, place, pick)
		}
	}
	return memory
}
