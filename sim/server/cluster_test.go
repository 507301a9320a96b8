package server

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// exactCosts have no spread, so that times can be worked out by hand.
func exactCosts() Costs {
	return Costs{RoundTrip: 1000, Replicate: 500, ScanFixed: 10_000, ScanIterate: 100, ScanSeek: 2000, ScanRedo: 300,
		ScanFactor: engine.Constant(1), ColdRead: engine.Constant(50_000), Dispatch: 700, WriteFixed: 4000, WriteRow: 30, ApplyFixed: 5000, ApplyRow: 200,
		Bloom: 40, BloomBatch: 10, WriteFactor: engine.Constant(1)}
}

var bytesOfRows = tablet.Sizes{MRSRow: 1000, BaseRow: 1000, IndexRow: 10, UndoRow: 20, DMSRow: 200, RedoRow: 150, WALRow: 1000, WALUpdate: 100, WALBatch: 50,
	RolledSize: 101_000, KeyRows: 10, DataRows: 10, Columns: 1}

// testCluster has one tablet with a replica on each of the servers.
func testCluster(servers int) *Cluster {
	c := &Cluster{Costs: exactCosts(), Tables: []Table{{First: 0, Tablets: 1}}, Tablets: make([]Tablet, 1)}
	conf := Config{Memory: Memory{Limit: 1e9, RAM: 2e9, PressurePercent: 60, SoftPercent: 80}, Threads: 1, Room: 2, Cores: 1, Together: 1000, Bandwidth: 100e6, Devices: 10, Stripes: 3}
	keyAt := func(place float64) string { return fmt.Sprintf("%020d", uint64(place*1e18)) }
	for id := range servers {
		s := New(id, &conf, engine.Stream(1, 0, fmt.Sprint("server/", id), "service"))
		r := tablet.NewReplica(0, 0, 0, id == 0, &bytesOfRows, 1e6, true, keyAt, engine.Stream(1, 0, "tablet", fmt.Sprint(id)))
		s.Replicas = append(s.Replicas, r)
		c.Servers = append(c.Servers, s)
		c.Tablets[0].Replicas = append(c.Tablets[0].Replicas, Placed{s, r})
	}
	return c
}

// flushed puts rows between two places on the leader's disk: one rowset for each 100.
func flushed(c *Cluster, rows int64, lo, hi float64) *tablet.Replica {
	r := c.Tablets[0].Replicas[0].Replica
	r.Insert(rows, 0, lo, hi)
	r.BeginFlush()
	r.EndFlush(0, 0)
	return r
}

func answerOf(t *testing.T, what string, at engine.Time, ok bool, want engine.Time) {
	t.Helper()
	if !ok || at != want {
		t.Errorf("%s: answered %v at %d ns, want %d", what, ok, at, want)
	}
}

// A scan takes half a round trip, T0 + c_iterate * rowsets at or above + c_seek * rowsets over its place + REDO files of the one it reads, and half a
// round trip. Three rowsets lie at 0..0.4, a fourth at 0.5..0.9.
func TestScanCost(t *testing.T) {
	c := testCluster(1)
	for range 3 {
		flushed(c, 100, 0, .4)
	}
	r := flushed(c, 100, .5, .9)
	r.Rowsets[0].RedoFiles, r.Rowsets[3].RedoFiles = 2, 7
	for _, scan := range []struct {
		name        string
		place, pick float64
		point       bool
		want        engine.Time
	}{
		{"over three", .2, 0, false, 10_000 + 4*100 + 3*2000 + 2*300},
		{"point over three", .2, 0, true, 10_000 + 3*100 + 3*2000 + 2*300},
		{"point over three, its row in the second", .2, .5, true, 10_000 + 3*100 + 3*2000},
		{"over one", .6, 0, false, 10_000 + 100 + 2000 + 7*300},
		{"in the gap", .45, 0, false, 10_000 + 100},
		{"point in the gap", .45, 0, true, 10_000},
		{"past the end", .95, 0, false, 10_000},
	} {
		at := engine.Time(1e9)
		answer, ok := c.Scan(at, 0, scan.place, scan.pick, 0, scan.point)
		answerOf(t, scan.name, answer, ok, at+1000+scan.want)
		c.Servers[0].rpc = engine.NewStation(1, 2)
	}
	if r.ScansStarted != 7 {
		t.Errorf("%d scans started, want 7", r.ScansStarted)
	}
	r.Insert(1, 0, 0, 0) // a MemRowSet costs a rowset more, and is read first
	answer, ok := c.Scan(2e9, 0, .2, 0, 0, false)
	answerOf(t, "with rows in memory", answer, ok, 2e9+1000+10_000+5*100+4*2000)
	answer, ok = c.Scan(3e9, 0, .2, 0, 0, true) // its row is in the first rowset
	answerOf(t, "point with rows in memory", answer, ok, 3e9+1000+10_000+4*100+4*2000+2*300)
}

// Once its rowsets have left the page cache, a scan reads a key's block in each over its place and the data it wants from disk; the next one does not.
func TestColdScan(t *testing.T) {
	c := testCluster(1)
	flushed(c, 100, 0, .4)
	flushed(c, 100, 0, .4)
	s := c.Servers[0]
	s.Write(s.Memory.PageCache() + 1)
	warm := engine.Time(1000 + 10_000 + 2*100 + 2*2000)
	answer, ok := c.Scan(1e9, 0, .2, 0, 0, false)
	answerOf(t, "first scan", answer, ok, 1e9+warm+3*50_000)
	answer, ok = c.Scan(2e9, 0, .2, 0, 0, false)
	answerOf(t, "second scan", answer, ok, 2e9+warm)
	if s.Counts.ColdReads != 3 {
		t.Errorf("%d cold reads, want 3", s.Counts.ColdReads)
	}
}

// A maintenance op on every device delays every cold read by another.
func TestColdReadWaitsForMaintenance(t *testing.T) {
	c := testCluster(1)
	flushed(c, 100, 0, .4)
	s := c.Servers[0]
	s.Write(s.Memory.PageCache() + 1)
	for range 4 { // three devices each, of ten
		s.Begin(0, 1e12, 0)
	}
	answer, ok := c.Scan(0, 0, .2, 0, 0, false)
	answerOf(t, "scan", answer, ok, 1000+10_000+100+2000+4*50_000)
}

// A write takes half a round trip, its dispatch, replication, an apply thread's time with a bloom lookup for each row and rowset over it, the handler's own
// time, and half a round trip.
func TestWriteCost(t *testing.T) {
	c := testCluster(3)
	flushed(c, 100, 0, .4)
	r := flushed(c, 100, .2, .8)
	if math.Abs(r.Height()-1) > 1e-9 { // .4 + .6
		t.Fatalf("height %v, want 1", r.Height())
	}
	answer, ok := c.Write(1e9, 0, 10, 0, .1, .3, nil, nil, 0, 0)
	answerOf(t, "10 rows", answer, ok, 1e9+500+700+500+(5000+10*(200+40))+(4000+10*30)+500)
	answer, ok = c.Write(2e9, 0, 600, 0, .1, .3, []float64{.5}, []float64{.5}, 0, 0)
	bloom := 40 - 30*(math.Log10(601)-2)
	want := 2e9 + 500 + 700 + 500 + (5000 + 601*(200+bloom)) + (4000 + 601*30) + 500
	if !ok || math.Abs(float64(answer)-want) > 2 {
		t.Errorf("601 rows: answered %v at %d ns, want %.0f", ok, answer, want)
	}
	if got := c.Tables[0].Series.Rows; got != 611 {
		t.Errorf("the table has taken %d rows, want 611", got)
	}
	answer, ok = testCluster(1).Write(1e9, 0, 10, 0, .1, .3, nil, nil, 0, 0) // no rowsets to look into, nobody to wait for
	answerOf(t, "10 rows of a single replica", answer, ok, 1e9+500+700+(5000+10*200)+(4000+10*30)+500)
}

func TestBloomLookups(t *testing.T) {
	c := exactCosts()
	for n, want := range map[int]float64{1: 40, 100: 40, 316: 40 - 30*(math.Log10(316)-2), 1000: 10, 2000: 10} {
		if got := c.bloom(n); math.Abs(got-want) > 1e-9 {
			t.Errorf("a lookup in a batch of %d rows costs %v ns, want %v", n, got, want)
		}
	}
}

// Followers store and log what the leader does, on their own servers.
func TestFollowersStoreTheSame(t *testing.T) {
	c := testCluster(3)
	for i := range 20 {
		at := engine.Time(i) * 1e9
		if _, ok := c.Write(at, 0, int32(i), 0, .1, .9, []float64{.2, .7}, []float64{.1, .2}, 0, 0); !ok {
			t.Fatalf("write %d was rejected", i)
		}
	}
	lead := c.Tablets[0].Replicas[0]
	if lead.Replica.MRS.Rows != 190 || lead.Replica.RowsWritten != 230 {
		t.Errorf("the leader has %d rows and %d written, want 190 and 230", lead.Replica.MRS.Rows, lead.Replica.RowsWritten)
	}
	for i, f := range c.Tablets[0].Replicas[1:] {
		if !reflect.DeepEqual(f.Replica.MRS, lead.Replica.MRS) || f.Replica.RowsWritten != lead.Replica.RowsWritten || f.Replica.WAL.Bytes() != lead.Replica.WAL.Bytes() {
			t.Errorf("follower %d has %+v, the leader %+v", i, f.Replica.MRS, lead.Replica.MRS)
		}
	}
	for i, s := range c.Servers {
		if s.Memory.Used() != s.Replicas[0].Memory() || s.Counts.WALBytes != s.Replicas[0].WAL.Bytes() || s.Written() != s.Counts.WALBytes {
			t.Errorf("server %d accounts for %d bytes of memory and %d of WAL, its replica has %d and %d", i, s.Memory.Used(), s.Counts.WALBytes,
				s.Replicas[0].Memory(), s.Replicas[0].WAL.Bytes())
		}
	}
	if c.Servers[1].Counts.WriteRPCs != 0 || c.Servers[0].Counts.WriteRPCs != 20 {
		t.Errorf("servers saw %d and %d write RPCs, want 20 and 0", c.Servers[0].Counts.WriteRPCs, c.Servers[1].Counts.WriteRPCs)
	}
}

// One thread and room for two: of five requests at once three are taken, and the others are answered after a round trip and leave nothing.
func TestFullQueue(t *testing.T) {
	c := testCluster(1)
	taken := 0
	for range 5 {
		answer, ok := c.Write(0, 0, 1, 0, 0, 0, nil, nil, 0, 0)
		if ok {
			taken++
		} else if answer != 1000 {
			t.Errorf("a full queue answers at %d ns, want 1000", answer)
		}
	}
	if answer, ok := c.Scan(0, 0, .5, 0, 0, false); ok || answer != 1000 {
		t.Errorf("a full queue takes a scan: %v at %d ns", ok, answer)
	}
	s, r := c.Servers[0], c.Tablets[0].Replicas[0].Replica
	if taken != 3 || r.MRS.Rows != 3 || r.ScansStarted != 0 || s.Counts.RejectedQueue != 3 || c.Tables[0].Series.Rejected != 2 {
		t.Errorf("%d writes taken, %d rows, %d scans, %d rejections, %d of them writes; want 3, 3, 0, 3, 2", taken, r.MRS.Rows, r.ScansStarted,
			s.Counts.RejectedQueue, c.Tables[0].Series.Rejected)
	}
	if answer, ok := c.Scan(1e9, 0, .5, 0, 0, false); !ok {
		t.Errorf("a queue that has drained refuses a scan at %d ns", answer)
	}
}

func TestFullMemory(t *testing.T) {
	c := testCluster(3)
	c.Servers[0].Memory.Add(1e9)
	answer, ok := c.Write(0, 0, 5, 0, 0, 1, nil, nil, 0, 0)
	if ok || answer != 500+700+500 {
		t.Errorf("a full server answers %v at %d ns, want a rejection after the dispatch at 1700", ok, answer)
	}
	if c.Servers[0].Counts.RejectedMemory != 1 || c.Servers[1].Replicas[0].MRS.Rows != 0 || c.Tables[0].Series.Rows != 0 {
		t.Error("a rejected write left something")
	}
}
