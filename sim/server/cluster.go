package server

import (
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// Cluster is all tablets on all servers.
type Cluster struct {
	Servers []*Server
	Tablets []Tablet // by tablet number: table by table, bucket by bucket
	Tables  []Table
	Costs   Costs
}

// Table is a table's share of Cluster.Tablets.
type Table struct {
	First, Tablets int
	Series         Series
}

// Series is what clients met on a table since it was last cleared.
type Series struct{ Rows, Rejected int64 }

// Tablet is a tablet's replicas; the first leads.
type Tablet struct {
	Table    int32
	Replicas []Placed
}

// Placed is a replica on its server.
type Placed struct {
	Server  *Server
	Replica *tablet.Replica
}

// Write sends a batch to a tablet at the time at: inserts rows between the places lo and hi, in a run of keys (which only ordered inserts need), and a change
// for each of places, whose pick in [0,1) says which of the stores over its place holds the row; below 0 there is none. The last changes are deletes, upserts
// come before them, and the others are updates. It gives when the client has
// the answer, and whether the server took the batch; if not, nothing was written. Requests take their place in every
// queue when they are sent, so the wire's delay reorders none.
func (c *Cluster) Write(at engine.Time, tabletNo, inserts, run int32, lo, hi float64, places, picks []float64, upserts, deletes int32) (answer engine.Time, ok bool) {
	b := batch{inserts: int64(inserts), run: run, lo: lo, hi: hi, places: places, picks: picks,
		upserts: len(places) - int(upserts+deletes), deletes: len(places) - int(deletes)}
	t := &c.Tablets[tabletNo]
	lead := &t.Replicas[0]
	s := lead.Server
	s.Counts.WriteRPCs++
	arrive := at + c.Costs.RoundTrip/2
	_, dispatched, ok := s.rpc.Arrive(arrive, c.Costs.Dispatch)
	if !ok {
		s.Counts.RejectedQueue++
		c.Tables[t.Table].Series.Rejected++
		return at + c.Costs.RoundTrip, false
	}
	if s.Memory.rejects(&s.rand) {
		s.Counts.RejectedMemory++
		c.Tables[t.Table].Series.Rejected++
		return dispatched + c.Costs.RoundTrip/2, false
	}
	rows := int(inserts) + len(places)
	factor := c.Costs.WriteFactor.Sample(&s.rand)
	appended := dispatched
	if len(t.Replicas) > 1 {
		appended += c.Costs.Replicate
	}
	applied := s.apply.Arrive(appended, c.applyTime(rows, lead.Replica, factor)+c.presenceReads(s, lead.Replica, &b))
	b.count()
	handler := engine.Time(factor * (c.Costs.WriteFixed + float64(float64(rows)*c.Costs.WriteRow)))
	c.store(at, &t.Replicas[0], &b)
	for i := 1; i < len(t.Replicas); i++ {
		f := &t.Replicas[i]
		f.Server.apply.Arrive(appended, c.applyTime(rows, f.Replica, 1)+c.presenceReads(f.Server, f.Replica, &b))
		c.store(at, f, &b)
	}
	c.Tables[t.Table].Series.Rows += int64(rows) - b.changes.Misses
	return applied + handler + c.Costs.RoundTrip/2, true
}

// applyTime is what an apply thread spends on a batch: a presence check against every rowset over each row, and the row.
func (c *Cluster) applyTime(rows int, r *tablet.Replica, factor float64) engine.Time {
	row := c.Costs.ApplyRow + float64(c.Costs.bloom(rows)*r.Height())
	return engine.Time(factor * (c.Costs.ApplyFixed + float64(float64(rows)*row)))
}

// Scan reads rows of a tablet from a place on (or, if point, the row at the place), of them the column that field in [0,1) chooses;
// pick says which of the stores over its place holds the row at the place. It gives when the client's process has the
// answer, and whether the server took the scan or its queue was full.
func (c *Cluster) Scan(at engine.Time, tabletNo int32, place, pick, field float64, point bool) (answer engine.Time, ok bool) {
	lead := &c.Tablets[tabletNo].Replicas[0]
	s, r := lead.Server, lead.Replica
	r.Age(s.written, s.Memory.PageCache())
	met := r.Over(place)
	inMemory := r.MRS.Rows+r.Flushing.Rows > 0
	read := met.First // a scan's rows come from the first store that has any: the MemRowSet, then the oldest rowset
	if point {
		met.Above, read = met.Over, r.Holder(place, pick)
	} else if inMemory {
		read = -1
	}
	work := c.Costs.ScanFixed
	if inMemory { // costs about as much as one rowset
		work += c.Costs.ScanIterate + c.Costs.ScanSeek
	}
	work += float64(c.Costs.ScanIterate*float64(met.Above)) + float64(c.Costs.ScanSeek*float64(met.Over))
	if read >= 0 {
		work += float64(c.Costs.ScanRedo * float64(r.Rowsets[read].RedoFiles))
	}
	service := engine.Time(work*c.Costs.ScanFactor.Sample(&s.rand)) + c.coldReads(s, r, met.Fresh, read, place, field)
	_, done, ok := s.rpc.Arrive(at+c.Costs.RoundTrip/2, service)
	if !ok {
		s.Counts.RejectedQueue++
		return at + c.Costs.RoundTrip, false
	}
	r.ScansStarted++
	return done + c.Costs.RoundTrip/2, true
}

// coldReads is the time of the blocks a scan must read from disk: the key's block in each rowset over its place, and
// the batch of the projected column in the one rowset that is read.
func (c *Cluster) coldReads(s *Server, r *tablet.Replica, unread []int32, read int32, place, field float64) (time engine.Time) {
	for _, rowset := range unread {
		if r.ReadKeys(rowset, place) {
			time += c.coldRead(s)
		}
	}
	if read >= 0 && r.Rowsets[read].ColdData(place, field, r.Sizes) {
		time += c.coldRead(s)
	}
	return time
}

// coldRead is one random read. It holds one of the server's devices, and waits if a maintenance op is on that one.
func (c *Cluster) coldRead(s *Server) engine.Time {
	t := engine.Time(c.Costs.ColdRead.Sample(&s.rand))
	s.Counts.ColdReads++
	s.Disk.TakeDevice(t)
	if busy := s.Disk.Share(); busy > 0 && s.rand.Float64() < busy {
		t += engine.Time(c.Costs.ColdRead.Sample(&s.rand))
	}
	return t
}
