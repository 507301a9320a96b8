// Package compare sets the runs of policies beside each other: latencies and their change, against measured ones too, totals, and which tables to show
// where there is no room for all.
package compare

import (
	"fmt"
	"math"
	"slices"

	"mmsim/configs"
	"mmsim/results"
)

// Comparison sets latencies of several policy lines beside each other, and beside measured ones, row by row.
type Comparison struct {
	Lines    []string // names of the policy lines; changes are against the first
	Before   int      // line that plays the review's "before", as a position in Lines; -1 if there is none
	After    int      // line that plays the review's "after"; -1 if there is none
	Measured bool     // whether there are measured numbers at all
	Rows     []Row    // by phase, table, operation and figure
}

// Row is one figure in microseconds; NaN stands for a number that there isn't, or that there are too few operations to tell.
type Row struct {
	Phase, Table, Op string
	Stat             string    // avg, p95, p99 ...
	Values           []float64 // by line
	Counts           []int64   // of the operations behind them, by line
	ReviewBefore     float64
	ReviewAfter      float64
}

// stats are the figures every operation gets a row for.
var stats = []string{"avg", "p95", "p99"}

// Latencies tabulates the latencies of runs of one experiment; measured may be nil. A measured figure gets a row even
// if nothing was simulated for it.
func Latencies(runs []*results.Run, measured *configs.Measured) *Comparison {
	c := &Comparison{Before: -1, After: -1}
	for _, run := range runs {
		c.Lines = append(c.Lines, run.Line)
	}
	if measured != nil {
		c.Measured = len(measured.Rows) > 0
		c.Before, c.After = slices.Index(c.Lines, measured.Before), slices.Index(c.Lines, measured.After)
	}
	latencies := make([]map[operation]*results.Latency, len(runs))
	for i, run := range runs {
		latencies[i] = byOperation(run)
	}
	ops := operations(runs, measured)
	for _, phase := range phaseNames(runs, measured) {
		for _, op := range ops[phase] {
			c.Rows = append(c.Rows, rowsOf(latencies, measured, op)...)
		}
	}
	return c
}

// byOperation finds the latencies of a run by phase, table and operation.
func byOperation(run *results.Run) map[operation]*results.Latency {
	found := make(map[operation]*results.Latency, len(run.Latencies))
	for i := range run.Latencies {
		l := &run.Latencies[i]
		found[operation{l.Phase, l.Table, l.Op}] = l
	}
	return found
}

// operation is one operation on one table in one phase.
type operation struct{ phase, table, op string }

func phaseNames(runs []*results.Run, measured *configs.Measured) []string {
	var names []string
	for _, run := range runs {
		for _, p := range run.Phases {
			names = appendNew(names, p.Name)
		}
	}
	if measured != nil {
		for _, row := range measured.Rows {
			names = appendNew(names, row.Phase)
		}
	}
	return names
}

// operations lists those of any run, and those that were measured, by phase.
func operations(runs []*results.Run, measured *configs.Measured) map[string][]operation {
	ops, seen := map[string][]operation{}, map[operation]bool{}
	add := func(op operation) {
		if !seen[op] {
			ops[op.phase], seen[op] = append(ops[op.phase], op), true
		}
	}
	for _, run := range runs {
		for _, l := range run.Latencies {
			add(operation{l.Phase, l.Table, l.Op})
		}
	}
	if measured != nil {
		for _, row := range measured.Rows {
			add(operation{row.Phase, row.Table, row.Op})
		}
	}
	return ops
}

func rowsOf(latencies []map[operation]*results.Latency, measured *configs.Measured, op operation) []Row {
	names := slices.Clone(stats)
	review := map[string]configs.MeasuredRow{}
	if measured != nil {
		for _, row := range measured.Rows {
			if op == (operation{row.Phase, row.Table, row.Op}) {
				names = appendNew(names, row.Stat)
				review[row.Stat] = row
			}
		}
	}
	var rows []Row
	for _, name := range names {
		row := Row{Phase: op.phase, Table: op.table, Op: op.op, Stat: name, ReviewBefore: math.NaN(), ReviewAfter: math.NaN()}
		for _, run := range latencies {
			value, count := math.NaN(), int64(0)
			if l := run[op]; l != nil {
				value, count = l.Stat(name), l.Count
			}
			row.Values, row.Counts = append(row.Values, value), append(row.Counts, count)
		}
		if m, ok := review[name]; ok {
			row.ReviewBefore, row.ReviewAfter = m.Before, m.After
		}
		if row.hasNumber() {
			rows = append(rows, row)
		}
	}
	return rows
}

func (r *Row) hasNumber() bool {
	isNumber := func(v float64) bool { return !math.IsNaN(v) }
	return isNumber(r.ReviewBefore) || isNumber(r.ReviewAfter) || slices.ContainsFunc(r.Counts, func(n int64) bool { return n > 0 })
}

func appendNew[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// Only keeps the rows that keep says.
func (c *Comparison) Only(keep func(*Row) bool) *Comparison {
	part := *c
	part.Rows = slices.DeleteFunc(slices.Clone(c.Rows), func(r Row) bool { return !keep(&r) })
	return &part
}

// tooFew says whether a line has operations, but fewer than the percentile needs.
func (r *Row) tooFew(line int) bool { return math.IsNaN(r.Values[line]) && r.Counts[line] > 0 }

// Label names the row as the review does: [table-B:SCAN] p95 (us).
func (r *Row) Label() string { return fmt.Sprintf("[%s:%s] %s (us)", r.Table, r.Op, r.Stat) }

// Change is how far the value of a line lies from the first line's, in percent; NaN if either is missing.
func (r *Row) Change(line int) float64 { return change(r.Values[0], r.Values[line]) }

// ReviewChange is the measured change in percent; NaN if nothing was measured.
func (r *Row) ReviewChange() float64 { return change(r.ReviewBefore, r.ReviewAfter) }

func change(before, after float64) float64 {
	if before == 0 {
		return math.NaN()
	}
	return (after/before - 1) * 100
}
