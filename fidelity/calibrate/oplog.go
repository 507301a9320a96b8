package calibrate

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mmsim/configs"
)

// loggedOp is one maintenance op of an op log.
type loggedOp struct {
	file         string
	line         int
	server, kind string // kind without Op at its end
	name         string
	start, ran   float64 // s; an op that still ran has no end
	rounding     float64 // s
	written      float64 // bytes
	inputs       float64
	unfinished   bool
	after        float64 // 1 = of flushes and compactions, a compaction was the last on the server before it; else 0
	crowded      bool    // another op ran on the server for more than a twentieth of its time
	jobs         float64 // ops that ran on the server in its time, itself included: their mean number
}

// rounding is how far, in seconds, rounding to milliseconds can move the time of a measured op. A time of 0 is taken as half of that.
const rounding = 0.0005

// An op log is read in two forms: that of a run's results, and that of measured runs.
var (
	runColumns      = []string{"server", "op", "chosen_s", "ran_s", "inputs", "bytes_written"}
	measuredColumns = []string{"start_s", "op", "tablet", "seconds", "bytes_written", "input_rowsets"}
)

// readOps reads an op log of either form.
func readOps(path string, logs *opLogs) (ops []loggedOp, err error) {
	t, err := readTable(path, measuredColumns, runColumns)
	if err != nil {
		return nil, err
	}
	if err := logs.add(t); err != nil {
		return nil, err
	}
	read := measuredOp
	if t.form == 1 {
		read = runOp
	}
	for _, r := range t.rows {
		op := read(r)
		if *r.err != nil {
			return nil, *r.err
		}
		ops = append(ops, op)
	}
	markCrowded(ops)
	return ops, nil
}

// opLogs are the logs read so far.
type opLogs []*table

// add refuses a log that was read already, be it under another name or as a copy: its ops would count twice.
func (all *opLogs) add(t *table) error {
	for _, old := range *all {
		if old.sum == t.sum {
			return &configs.Problem{File: "--ops", Field: "file", Value: t.file, Allowed: "another log than " + old.file + ": it holds the same, which would count twice"}
		}
	}
	*all = append(*all, t)
	return nil
}

func measuredOp(r tableRow) loggedOp {
	op := r.op("start_s", "seconds", "unfinished")
	op.inputs = r.count("input_rowsets")
	op.name = op.kind + " of " + r.text("tablet")
	if op.ran == 0 && !op.unfinished {
		op.ran = rounding / 2
	}
	op.rounding = rounding
	return op
}

func runOp(r tableRow) loggedOp {
	op := r.op("chosen_s", "ran_s", "")
	op.inputs = r.count("inputs")
	op.server = r.text("server")
	op.name = op.kind
	op.kind, _, _ = strings.Cut(op.kind, "(")
	op.kind = strings.TrimSuffix(op.kind, "Op")
	return op
}

func (r tableRow) op(start, ran, unfinished string) loggedOp {
	op := loggedOp{file: r.file, line: r.line, kind: r.text("op")}
	op.start = r.number(start, -longest/1e6, longest/1e6, "a number of seconds from -1e6 to 1e6")
	if op.unfinished = r.text(ran) == unfinished; op.unfinished {
		op.ran = math.Inf(1)
	} else {
		op.ran = r.number(ran, 0, longest/1e6, `a number of seconds from 0 to 1e6, or "`+unfinished+`" for an op that still ran`)
	}
	op.written = r.count("bytes_written")
	return op
}

// count reads a number that may be left out.
func (r tableRow) count(column string) float64 {
	if r.text(column) == "" {
		return 0
	}
	return r.number(column, 0, 1e15, "a number from 0 to 1e15")
}

// markCrowded finds the ops that shared their server with another for more than a twentieth of their time, and those that follow a compaction.
func markCrowded(ops []loggedOp) {
	order := make([]*loggedOp, len(ops))
	for i := range ops {
		order[i] = &ops[i]
	}
	slices.SortStableFunc(order, func(a, b *loggedOp) int {
		return cmp.Or(strings.Compare(a.server, b.server), cmp.Compare(a.start, b.start))
	})
	last := ""
	for _, a := range order {
		a.jobs = 1
	}
	for i, a := range order {
		if i == 0 || order[i-1].server != a.server {
			last = ""
		}
		if last == "CompactRowSets" {
			a.after = 1
		}
		if a.written > 0 && (a.kind == "CompactRowSets" || a.kind == "FlushMRS") {
			last = a.kind
		}
		for _, b := range order[i+1:] {
			if b.server != a.server || b.start >= a.start+a.ran {
				break
			}
			shared := min(a.start+a.ran, b.start+b.ran) - b.start
			a.jobs, b.jobs = a.jobs+shared/max(a.ran, rounding), b.jobs+shared/max(b.ran, rounding)
			a.crowded = a.crowded || shared > max(a.ran/20, 4*a.rounding)
			b.crowded = b.crowded || shared > max(b.ran/20, 4*b.rounding)
		}
	}
}
