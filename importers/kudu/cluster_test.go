package kudu

import (
	"slices"
	"testing"
	"time"

	"mmsim/importers/kudu/layout"
	"mmsim/importers/kudu/pages"
)

// replica is one of a tablet on a server.
func replica(id string, s *pages.Server, leads bool, scans, inserts float64) *pages.Tablet {
	t := &pages.Tablet{Listed: pages.Listed{Table: "t/a b", ID: id, Partition: "HASH (key) PARTITION " + id[:1], Voters: 3}, Server: s, Layout: &layout.Page{},
		Page: &pages.TabletPage{Leads: leads}, Metrics: map[string]float64{"scans_started": scans, "rows_inserted": inserts}}
	s.Tablets = append(s.Tablets, t)
	return t
}

// TestGather: of two servers with two replicas of each tablet, the leader's counts; scans add up.
func TestGather(t *testing.T) {
	a, b := &pages.Server{UUID: "a", Between: 10 * time.Second}, &pages.Server{UUID: "b", Between: 20 * time.Second}
	replica("10", a, false, 10, 500)
	first := replica("0", a, true, 30, 300)
	leader := replica("10", b, true, 40, 1000)
	replica("0", b, false, 0, 600)
	var n pages.Notes
	c, err := gather([]*pages.Server{a, b}, &n)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.tables) != 1 || c.tables[0].name != "t-a-b" || !slices.Equal(c.tables[0].tablets, []*pages.Tablet{first, leader}) {
		t.Fatalf("%+v", c.tables)
	}
	if c.replication != 1 || len(n.Untold) != 1 { // two of three: replication is odd
		t.Errorf("replication %d, %q", c.replication, n.Untold)
	}
	got := c.traffic(c.tables[0])
	if got.scans != 1+2+3 || got.inserts != 50+30 || got.first != 0.5 { // scans: 10 and 30 in 10 s, 40 in 20 s; inserts: 1000 in 20 s and 300 in 10 s
		t.Errorf("%+v", got)
	}
}
