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
	scanned, wrote int64 // by clients that share the servers' cores, since they were started
}

// Series is what clients met on a table since it was last cleared.
type Series struct {
	Rows, Rejected int64
	Scans          int64       // that servers took
	ScanTime       engine.Time // of them all, on the servers
}

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
	dispatch := float64(c.Costs.Dispatch)
	slower := s.CPU.slowed(at, 0)
	_, dispatched, ok := s.rpc.Arrive(arrive, engine.Time(dispatch*slower))
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
	handler := factor * (c.Costs.WriteFixed + float64(float64(rows)*c.Costs.WriteRow))
	applied := s.applies(at, appended, c.presenceReads(s, lead.Replica, &b), c.applyTime(rows, lead.Replica, factor), dispatch+handler)
	b.count()
	c.store(at, &t.Replicas[0], &b)
	for i := 1; i < len(t.Replicas); i++ {
		f := &t.Replicas[i]
		f.Server.applies(at, appended, c.presenceReads(f.Server, f.Replica, &b), c.applyTime(rows, f.Replica, 1), 0)
		c.store(at, f, &b)
	}
	c.Tables[t.Table].Series.Rows += int64(rows) - b.changes.Misses
	return applied + engine.Time(handler*slower) + c.Costs.RoundTrip/2, true
}

// applyTime is what an apply thread spends on a batch: a presence check against every rowset over each row, and the row.
func (c *Cluster) applyTime(rows int, r *tablet.Replica, factor float64) float64 {
	row := c.Costs.ApplyRow + float64(c.Costs.bloom(rows)*r.Height())
	return factor * (c.Costs.ApplyFixed + float64(float64(rows)*row))
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
	work *= c.Costs.ScanFactor.Sample(&s.rand)
	slower := s.CPU.slowed(at, 0)
	service := engine.Time(work*slower) + c.coldReads(s, r, met.Fresh, read, place, field)
	arrive := at + c.Costs.RoundTrip/2
	start, done, ok := s.rpc.Arrive(arrive, service)
	if !ok {
		s.Counts.RejectedQueue++
		return at + c.Costs.RoundTrip, false
	}
	s.CPU.occupy(at, start-arrive, work, slower)
	r.ScansStarted++
	series := &c.Tables[c.Tablets[tabletNo].Table].Series
	series.Scans++
	series.ScanTime += done - arrive
	return done + c.Costs.RoundTrip/2, true
}

// Worked has the client of a tablet's table compute from start on what it does itself about a scan or, if rows is above 0, about rows written, and gives how
// many times as long as usual it takes. Clients on machines of their own take as long as usual.
func (c *Cluster) Worked(at, start engine.Time, tabletNo int32, rows int) (times float64) {
	if !c.Costs.ClientsShare {
		return 1
	}
	t := &c.Tablets[tabletNo]
	cpu := &t.Replicas[0].Server.CPU
	work, done, n, others := c.Costs.ClientScan, &c.Tables[t.Table].scanned, 1, -1 // the scan itself, which the server has done by then
	if rows > 0 {
		work, done, n, others = float64(float64(rows)*c.Costs.ClientRow), &c.Tables[t.Table].wrote, rows, 0
	}
	cold := c.Costs.Cold(float64(*done) + float64(n)/2)
	*done += int64(n)
	slower := cpu.slowed(at, others)
	cpu.occupy(at, start-at, work*cold, slower)
	return cold * slower
}

// StartClients has every table's client begin anew, with none of its code compiled.
func (c *Cluster) StartClients() {
	for i := range c.Tables {
		c.Tables[i].scanned, c.Tables[i].wrote = 0, 0
	}
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
