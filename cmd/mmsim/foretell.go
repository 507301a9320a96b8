package main

import (
	"fmt"
	"time"

	"mmsim/configs"
)

// What things cost on the machine on which the default experiment was measured (2 shared cores of a server of 2023; one policy took 1.8 s at scale
// 0.01, 2.3 s at 0.04, 12 to 17 s at 0.05 and 0.1, 46 to 75 s at 1), in seconds of CPU. Those of clients are what full size, with ten times their
// operations and as much maintenance, takes longer than a tenth of it. The engine alone, with little data, does 72 to 84 million loaded rows a second,
// 4.8 million operations where four of five are scans, and 11 to 12 million where one of five is.
const (
	secondsALoaded = 11e-9  // row of a load phase
	secondsAScan   = 450e-9 // or read
	secondsAWrite  = 45e-9  // between scans
	secondsAStart  = 0.1

	// A maintenance op costs the look at all ops of its server, and the search among the rowsets of a tablet.
	secondsAnOp         = 5e-6
	secondsAReplica     = 0.35e-6 // of the server
	secondsARowset      = 0.27e-6 // of the tablet
	opsARowset          = 0.4     // flushes, compactions and UNDO GCs for each rowset's worth of rows
	deltaFlushesARowset = 0.75    // in a phase that updates, if there are so many updates
)

// What lies in a result folder for each policy, in bytes.
const (
	bytesAnOp     = 400 // a row of ops.tsv and one of waits.tsv
	bytesASample  = 90  // a row of series.tsv
	bytesAnyhow   = 100e3
	samplesAnyhow = 500 // where the length of the experiment is what a run finds out
)

// forecast is what one policy will take.
type forecast struct {
	cpu   time.Duration
	bytes float64
	open  bool // nobody knows before the run
}

func (f forecast) String() string {
	if f.open {
		return "CPU time and size of the results can't be foretold: clients without a target do as much as there is time for"
	}
	size := "less than 1 MB"
	if f.bytes >= 1e6 {
		size = fmt.Sprintf("%.0f MB", f.bytes/1e6)
	}
	return fmt.Sprintf("foretold, to a factor of two or so: %s of CPU and %s of results a policy, plots aside", roughly(f.cpu), size)
}

// roughly shortens a time to what is worth reading.
func roughly(d time.Duration) string {
	switch {
	case d < time.Second:
		return "less than 1 s"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 10*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return d.Round(time.Minute).String()
}

// foretell says what one policy of a scaled experiment will take.
func foretell(e *configs.Experiment) (f forecast) {
	var clients, rowsets, replicas, flushes, seconds float64
	copies := float64(e.Cluster.Replication)
	known := true
	byTable := map[string]float64{} // rowsets so far
	perRowset := map[string]float64{}
	for i := range e.Tables {
		t := &e.Tables[i]
		replicas += float64(t.Tablets) * copies
		byTable[t.Name] = float64(heldBy(e, t).rowsets) * copies
		perRowset[t.Name] = rowBytes(t) * copies / float64(e.Maintenance.TargetRowsetSize)
	}
	for i := range e.Phases {
		p := &e.Phases[i]
		lasts, knows := lengthOf(p)
		seconds, known = seconds+lasts, known && knows
		rounds := max(1, lasts/time.Duration(e.Maintenance.FlushThresholdTime).Seconds()) // how often small stores are old enough to be flushed
		for j := range p.Clients {
			c := &p.Clients[j]
			count := operations(p, c)
			f.open = f.open || count.limit == unlimited
			n, w := float64(count.n), &c.Workload
			if w.OnlyInserts() {
				clients += n * secondsALoaded
				byTable[c.Table] += n * perRowset[c.Table]
				continue
			}
			clients += n * (w.Reads()*secondsAScan + (w.Changes()+w.Inserted())*secondsAWrite)
			flushes += min(n*w.Changes()*copies, byTable[c.Table]*deltaFlushesARowset*rounds)
			byTable[c.Table] += n * w.Inserted() * perRowset[c.Table]
		}
	}
	for _, n := range byTable {
		rowsets += n
	}
	ops := opsARowset*rowsets + flushes
	look := secondsAReplica * replicas / float64(e.Cluster.Servers)
	looks := seconds / time.Duration(e.Maintenance.PollingInterval).Seconds() * float64(e.Cluster.Servers) // that find nothing, at most
	f.cpu = time.Duration((secondsAStart + clients + ops*(secondsAnOp+look+secondsARowset*rowsets/replicas) + looks*look) * 1e9)
	samples := float64(samplesAnyhow)
	if known {
		samples = seconds / time.Duration(e.Series.Interval).Seconds()
	}
	f.bytes = bytesAnyhow + bytesAnOp*ops + bytesASample*samples*float64(len(e.Tables))
	return f
}

// lengthOf is how many seconds a phase lasts, if its duration or its clients' targets tell.
func lengthOf(p *configs.Phase) (seconds float64, known bool) {
	pause := time.Duration(p.PauseBefore).Seconds()
	if p.Duration > 0 {
		return pause + time.Duration(p.Duration).Seconds(), true
	}
	longest, known := 0.0, true
	for j := range p.Clients {
		c := &p.Clients[j]
		if c.Target == 0 {
			known = false
			continue
		}
		longest = max(longest, float64(operations(p, c).n)/float64(c.Target))
	}
	return pause + longest, known
}
