package fidelity

import "strings"

// causes say what is known of why a check fails, by how its name begins.
var causes = []struct{ what, why string }{
	{"raw: scan time falls", "The real scan times of this run show no clear fall: single windows differ by a factor of 2 to 3, from sharing two cores, and shuffled series part as well (below). All runs together, window by window, do fall, and when the simulated ones do; but that is the doing of the run with two threads: the four others together show no clear fall."},
	{"raw, repeated: scan time falls", "As above."},
	{"bound 1, hot from 1 scan/s: scan time falls", "As above."},
	{"raw, two maintenance threads: every tablet of tb", "From 25 s on, compactions of the real run took 19 ms a MB, a quarter less than before; here they take 22, as ops share 1.15 cores all the time, whatever clients leave."},
	{"28,000 inserts a second, raw: cold", "Ops took a fifth to a third longer beside twice the inserts, as they share two cores with them and with the client; mmsim's op times don't depend on what clients do."},
	{"28,000 inserts a second, raw: CompactRowSets", "As above."},
	{"28,000 inserts a second, bound 10: CompactRowSets", "As above."},
	{"op, UndoDeltaBlockGC: median error", "The server's log counts whole milliseconds, and these ops take less than one."},
	{"op.undo_gc", "As above."},
}

// explain adds the causes.
func (r *Report) explain() {
	for i := range r.Sections {
		for j := range r.Sections[i].Checks {
			c := &r.Sections[i].Checks[j]
			for _, known := range causes {
				if !c.OK && strings.HasPrefix(c.What, known.what) {
					c.Why = known.why
				}
			}
		}
	}
}
