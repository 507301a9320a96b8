// Package oplog holds what maintenance managers ran, simulated or real: the columns of ops.tsv, reading and writing them, the words of Kudu's log, and
// the comparison of two logs.
package oplog

import (
	"maps"
	"slices"
	"strconv"

	"mmsim/results"
)

// Log is what maintenance managers ran, simulated or real, as far as somebody saw it. Times are ns from a zero of its own.
type Log struct {
	Name    string // of where it comes from
	Label   string // of its side in a comparison; empty: "real" or "simulated"
	Servers int
	End     int64        // up to when it reaches
	Ops     []Op         // by the time they were chosen
	Tablets []HeightLine // of every tablet whose height is known, by name
	Tables  []HeightLine // mean of the tablets of each table, by name
}

// Of gives the ops of a run as a log.
func Of(run *results.Run) *Log {
	l := &Log{Name: run.Line, Servers: run.Servers, End: run.End}
	for i := range run.Ops {
		o := &run.Ops[i]
		logged := NewOp(o.Kind, run.Tables[o.Table].Name+"/"+strconv.Itoa(o.Tablet), o.Chosen)
		logged.Server, logged.Role = o.Server, role(o.Leader)
		if o.End >= 0 {
			logged.Ran = o.End - o.Chosen
			logged.HeightAfter = o.HeightAfter
		}
		logged.Reason = o.Reason()
		logged.setReason()
		if o.Rule == results.RulePerf {
			logged.Score = o.Score // exactly; the reason has six decimals
		}
		logged.Inputs, logged.Outputs, logged.BytesRead, logged.BytesWritten = o.Inputs, o.Outputs, o.BytesRead, o.BytesWritten
		logged.HeightBefore = o.HeightBefore
		l.Ops = append(l.Ops, logged)
	}
	for t := range run.Tables {
		line := HeightLine{Name: run.Tables[t].Name}
		for _, s := range run.Samples {
			if s.Table == t {
				line.add(s.At, s.Height)
			}
		}
		l.Tables = append(l.Tables, line)
	}
	l.heightsOfOps()
	return l
}

// Rename gives tablets other names, such as table/bucket for an id. It leaves the names that are not in the map.
func (l *Log) Rename(names map[string]string) {
	for i := range l.Ops {
		if name, ok := names[l.Ops[i].Tablet]; ok {
			l.Ops[i].Tablet = name
		}
	}
	for i := range l.Tablets {
		if name, ok := names[l.Tablets[i].Name]; ok {
			l.Tablets[i].Name = name
		}
	}
}

// Shift makes ns the new zero of time.
func (l *Log) Shift(ns int64) {
	l.End -= ns
	for i := range l.Ops {
		l.Ops[i].Chosen -= ns
	}
	for _, lines := range [][]HeightLine{l.Tablets, l.Tables} {
		for i := range lines {
			for k := range lines[i].At {
				lines[i].At[k] -= ns
			}
		}
	}
}

// First is when the first op of a kind was chosen.
func (l *Log) First(kind string) (at int64, ok bool) {
	for i := range l.Ops {
		if l.Ops[i].Kind == kind {
			return l.Ops[i].Chosen, true
		}
	}
	return 0, false
}

// Kinds names the kinds of the ops, sorted.
func (l *Log) Kinds() []string {
	kinds := map[string]bool{}
	for i := range l.Ops {
		kinds[l.Ops[i].Kind] = true
	}
	return slices.Sorted(maps.Keys(kinds))
}

// Only drops what ran on other servers. The heights of tables, which are means over all servers, become those of the server's tablets.
func (l *Log) Only(server int) {
	l.Ops = slices.DeleteFunc(l.Ops, func(o Op) bool { return o.Server != server })
	l.Servers, l.Tablets, l.Tables = 1, nil, nil
	l.heightsOfOps()
}

func role(leader bool) string {
	if leader {
		return "yes"
	}
	return "no"
}
