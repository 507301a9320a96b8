package kudu

import "math"

// traffic is what clients did to a table, events a second.
type traffic struct {
	scans, inserts, updates, deletes float64
	scanned                          float64 // rows that a scan returned, on average
	first                            float64 // share of scans that began at the first tablet
}

// busy is the rate, events a second, from which a table gets a client.
const busy = 0.01

// traffic adds up a table's counters. Scans count wherever they ran; writes count on every replica, so one stands for all.
func (c *cluster) traffic(table *tableState) (t traffic) {
	returned := 0.0
	for i, tablet := range table.tablets {
		seconds := tablet.Server.Between.Seconds()
		if seconds <= 0 {
			continue
		}
		upserts, asUpdates := tablet.Delta("rows_upserted"), tablet.Delta("upserts_as_updates")
		t.inserts += (tablet.Delta("rows_inserted") + max(upserts-asUpdates, 0)) / seconds
		t.updates += (tablet.Delta("rows_updated") + asUpdates) / seconds
		t.deletes += tablet.Delta("rows_deleted") / seconds
		scans := 0.0
		for _, s := range c.servers {
			for _, replica := range s.Tablets {
				if replica.ID == tablet.ID && s.Between > 0 {
					scans += replica.Delta("scans_started") / s.Between.Seconds()
					returned += replica.Delta("scanner_rows_returned") / s.Between.Seconds()
				}
			}
		}
		t.scans += scans
		if i == 0 {
			t.first = scans
		}
	}
	if t.scans > 0 {
		t.scanned, t.first = returned/t.scans, t.first/t.scans
	}
	return t
}

// clientGuess is one client that would cause a table's traffic.
type clientGuess struct {
	threads                    int
	target                     float64
	read, update, insert, scan float64
	longest                    int  // rows of a scan; 0 = none
	firstBucket                bool // scans begin at the first tablet
}

// What one thread is taken to do in a second: it waits for scans and buffers writes.
const (
	scansPerThread  = 500
	writesPerThread = 20_000
)

// guess gives the client. loaded says that the table has rows: without them there is nothing to read or to change.
func (t *traffic) guess(tablets int, loaded bool) (clientGuess, bool) {
	scans, updates := t.scans, t.updates
	if !loaded {
		scans, updates = 0, 0
	}
	total := scans + updates + t.inserts
	if total < busy {
		return clientGuess{}, false
	}
	threads := math.Ceil(scans/scansPerThread + (updates+t.inserts)/writesPerThread)
	g := clientGuess{target: math.Ceil(total*100) / 100, threads: int(min(max(threads, 1), 1000))}
	g.update, g.insert = rounded(updates/total), rounded(t.inserts/total)
	if g.scan = max(rounded(1-g.update-g.insert), 0); g.scan == 0 {
		return g, true
	}
	if t.scanned < 1.5 {
		g.read, g.scan = g.scan, 0
		return g, true
	}
	g.longest = int(min(max(math.Round(2*t.scanned-1), 1), 1e6)) // of lengths from 1 to this, all as likely, the mean is what was seen
	g.firstBucket = tablets > 2 && t.first > 0.5
	return g, true
}

// rounded keeps six decimals of a share.
func rounded(share float64) float64 { return math.Round(share*1e6) / 1e6 }
