package server

import (
	"math"
	"testing"

	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// coldCluster has one tablet with one replica, whose only rowset covers half of the keys and has left the page cache: 2000 rows, 20 blocks of bloom filter.
func coldCluster(t *testing.T, ordered bool) (*Cluster, *tablet.Replica) {
	t.Helper()
	c := testCluster(1)
	c.Costs.ColdChecks = true
	sizes := bytesOfRows
	sizes.BloomRows = 100
	s := c.Servers[0]
	r := tablet.NewReplica(0, 0, 0, true, &sizes, 1e6, ordered, func(float64) string { return "k" }, engine.Stream(1, 0, "tablet", "test"))
	if _, err := r.Store(&tablet.Stored{Lo: 0, Hi: .5, Min: "a", Max: "b", Rows: 2000}, 0); err != nil {
		t.Fatal(err)
	}
	r.Opened()
	s.Replicas[0], c.Tablets[0].Replicas[0].Replica = r, r
	s.Write(s.Memory.PageCache() + 1)
	return c, r
}

// Of 20 blocks the presence checks of 8 rows read about 4, half of the rows lying over no rowset; the more rows have met them, the fewer are left.
func TestPresenceChecksReadBloomFilters(t *testing.T) {
	c, r := coldCluster(t, false)
	s := c.Servers[0]
	write := func(rows int32) (reads int64) {
		before := s.Counts.ColdReads
		if _, ok := c.Write(1e9, 0, rows, 0, 0, 0, nil, nil, 0, 0); !ok {
			t.Fatal("rejected")
		}
		return s.Counts.ColdReads - before
	}
	if reads := write(8); reads < 4 || reads > 5 { // and 8 * .5 * 1e-4 for false positives
		t.Errorf("8 rows read %d blocks, want 4", reads)
	}
	write(1000)
	if got, want := r.PresenceReads(), .5*(math.Exp(-1008*.5/20)+1e-4); math.Abs(got-want) > 1e-12 {
		t.Errorf("a row reads %v blocks after 1008 others, want %v", got, want)
	}
	if reads := write(100); reads > 1 {
		t.Errorf("%d blocks were read again", reads)
	}
}

// The reads hold up the apply thread, one after the other. The row that is changed is looked up in its rowset, once a block; a row that is not there in none.
func TestPresenceCheckOfAChange(t *testing.T) {
	c, _ := coldCluster(t, true)
	warm := engine.Time(500 + 700 + 5000 + 200 + 20 + 4000 + 30 + 500) // a bloom lookup costs 40 over half of the keys
	for i, want := range []int64{1, 0} {
		before := c.Servers[0].Counts.ColdReads
		at := engine.Time(i+1) * 1e9
		answer, ok := c.Write(at, 0, 0, 0, 0, 0, []float64{.2}, []float64{.1}, 0, 0)
		reads := c.Servers[0].Counts.ColdReads - before
		answerOf(t, "an update", answer, ok, at+warm+engine.Time(reads)*50_000)
		if reads < want || reads > want+1 { // and a block of the bloom filter of every other row
			t.Errorf("update %d reads %d blocks, want %d or one more", i, reads, want)
		}
	}
	before := c.Servers[0].Counts.ColdReads
	c.Write(5e9, 0, 20, 0, .6, .7, nil, nil, 0, 0)
	if c.Servers[0].Counts.ColdReads != before {
		t.Error("rows that are appended read blocks of rowsets that they don't meet")
	}
}

// While nothing is cold, checks are not even counted, and by default they are not at all.
func TestPresenceChecksOfWarmRowsets(t *testing.T) {
	for _, on := range []bool{false, true} {
		c, r := coldCluster(t, false)
		c.Costs.ColdChecks = on
		if on {
			c.Servers[0].written = 0
		}
		c.Write(1e9, 0, 1000, 0, 0, 0, []float64{.2}, []float64{.1}, 0, 0)
		if n := c.Servers[0].Counts.ColdReads; n != 0 || r.Evictions() != 0 {
			t.Errorf("on %v: %d reads", on, n)
		}
	}
}
