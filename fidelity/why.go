package fidelity

import "strings"

// causes say what is known of why a check fails, by how its name begins.
var causes = []struct{ what, why string }{
	{"uni20, step 5: score", "The real compaction two steps before left a fifth rowset of a few rows, as its four inputs held a little more than four full outputs; such a rowset is worth 0.009. mmsim's full rowsets hold all as many rows, where 14 of 33 real compactions of nothing but full rowsets left such a rest."},
	{"bound-1: cold tablets compacted", "A hot tablet with three rowsets is worth 3.0 with its workload score, one flush beyond 2 MiB over its threshold more than 2.0, a cold tablet 2.0. The first 10 s come out op by op as they were; then it depends on tenths of a second which of them waits when the thread is free. Five of the six cold tablets are compacted within 20 s, the last waits for the next gap. On the real server it was seen once."},
	{"raw: scan time falls", "The real scan times of this run show no clear fall: single windows differ by a factor of 2 to 3, from sharing two cores, and shuffled series part as well (below). All runs together, window by window, do fall clearly, and when the simulated ones do."},
	{"raw, repeated: scan time falls", "As above."},
	{"bound 1, hot from 1 scan/s: scan time falls", "As above."},
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
