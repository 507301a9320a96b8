package fidelity

import "strings"

// causes say what is known of why a check fails, by how its name begins.
var causes = []struct{ what, why string }{
	{"raw: scan time falls", "The real scan times of this run show no clear fall: single windows differ by a factor of 2 to 3, from sharing two cores, and shuffled series part as well (below). All runs together, window by window, do fall, and when the simulated ones do; but that is the doing of the run with two threads: the four others together show no clear fall."},
	{"raw, repeated: scan time falls", "As above."},
	{"bound 1, hot from 1 scan/s: scan time falls", "As above."},
	{"500 operations a second, scans and updates, fitted: mean height of ta after 10", stepped},
	{"500 operations a second, scans and updates, fitted: mean height of tc after 30", stepped},
	{"500 operations a second, scans and updates, fitted without it: mean height of tc after 30", stepped},
	{"2,750 operations a second, scans and inserts, fitted: mean height of ta after 10", stepped},
	{"2,750 operations a second, scans and inserts, fitted without it: mean height of ta after 10", stepped},
	{"2,750 operations a second, scans and inserts, fitted without it: mean height of tb after", "Foretold from a run that inserts nothing; compactions of tb begin 4 s too late, and one of them moves this height by 1."},
	{"2,750 operations a second, scans and inserts, fitted: FlushMRS ops of ta", lastFlushes},
	{"2,750 operations a second, scans and inserts, fitted without it: FlushMRS ops of ta", lastFlushes},
	{"bound-1: cold tablets compacted", "Decided by little, as the same on another machine is (below): a cold tablet waits as long as the hot ones keep offering more than its quality, and with most seeds they do so a little longer."},
	{"op, LogGC: median error", "Log GCs took from 2 to 31 ms, by what they delete and what the disk does; here all take the same."},
	{"op, UndoDeltaBlockGC: median error", "The server's log counts whole milliseconds, and these ops take less than one."},
	{"op.undo_gc", "As above."},
}

const (
	stepped     = "One compaction moves this height by 1.6 to 2.2, so an op that ends a second earlier or later decides. The real server's first ten compactions took 13 % longer than simulated, single ones of them twice as long as the next."
	lastFlushes = "The two real flushes came 12 s before the end, when the table's age had come to be worth more than the compactions left; with other seeds that is a few seconds later."
)

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
