package fidelity

import "strings"

// causes say what is known of why a check fails, by how its name begins.
var causes = []struct{ what, why string }{
	{"uni20, step 5: score", "The real compaction two steps before left a fifth rowset of a few rows, as its four inputs held a little more than four full outputs; such a rowset is worth 0.009. mmsim's full rowsets hold all as many rows, where 14 of 33 real compactions of nothing but full rowsets left such a rest."},
	{"bound-1: cold tablets compacted", "A hot tablet with three rowsets is worth 3.0 with its workload score, a cold one 2.0, and which of them waits when the thread is free depends on how long single flushes took. The first 10 s come out op by op as they were. Over 12 seeds the last cold tablet waits 22 to 85 s; on the real server it was seen once, at 12 s. A likely cause: real flushes come in bunches, as the first after a compaction takes 0.34 to 0.42 s and the next ones 0.18 to 0.25 s (it waits for what the compaction wrote to be synced), where mmsim draws all from one distribution; bunches leave the thread free for longer. That is not modelled."},
	{"raw: scan time falls", "The real scan times of this run show no clear fall: single windows differ by a factor of 2 to 3, from sharing two cores."},
	{"raw, repeated: scan time falls", "As above."},
	{"bound 1, hot from 1 scan/s: scan time falls", "As above."},
	{"op, FlushMRS: median error", "Beside a load, flushes of one size take from half to twice their mean, which op.flush_spread carries into the simulation."},
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
