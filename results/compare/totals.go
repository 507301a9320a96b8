package compare

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"mmsim/results"
	"mmsim/results/short"
)

// total is one row of the table of totals.
type total struct {
	label string
	cells []string // by run
}

// WriteTotals prints what operators ask for, a column for each run. Rows in which all runs agree are put together beneath. Of the tables, it shows so many, those that
// some run left highest.
func WriteTotals(w io.Writer, runs []*results.Run, tables int) error {
	out := bufio.NewWriter(w)
	shown := highest(runs, tables)
	rows := totals(runs, shown.Tables)
	var same []string
	if len(runs) > 1 {
		rows = slices.DeleteFunc(rows, func(r total) bool {
			agree := !slices.ContainsFunc(r.cells, func(cell string) bool { return cell != r.cells[0] })
			if agree {
				same = append(same, r.label+" "+strings.Join(strings.Fields(r.cells[0]), " "))
			}
			return agree
		})
	}
	cols := make([]column, len(runs))
	labels := []string{"totals"}
	for i, run := range runs {
		cols[i].heading = run.Line
		for _, r := range rows {
			cols[i].cells = append(cols[i].cells, r.cells[i])
		}
	}
	for _, r := range rows {
		labels = append(labels, r.label)
	}
	indent := widest(labels)
	widths, headings := fit(cols)
	if len(rows) == 0 {
		headings = nil
		fmt.Fprintln(out, "totals")
	}
	for i, line := range headings {
		label := ""
		if i == len(headings)-1 {
			label = "totals"
		}
		writeLine(out, padRight(label, indent), line, widened(widths))
	}
	for i, r := range rows {
		cells := make([]string, len(cols))
		for k := range cols {
			cells[k] = cols[k].cells[i]
		}
		writeLine(out, padRight(r.label, indent), cells, widened(widths))
	}
	if len(same) > 0 {
		for _, line := range wrapped("the same under all: ", same, "; ") {
			fmt.Fprintln(out, line)
		}
	}
	if shown.Left() > 0 {
		fmt.Fprintf(out, "of tables at the end, shown are %s; all are in %s\n", shown, results.ResultFile)
	}
	return out.Flush()
}

// totals makes the rows, with the end of some tables.
func totals(runs []*results.Run, tables []int) (rows []total) {
	for _, kind := range slices.Concat(results.FeltKinds, results.CollectedKinds) {
		if row, ran := kindRow(runs, kind); ran {
			rows = append(rows, row)
		}
	}
	add := func(label string, cell func(*results.Run) string) {
		row := total{label: label}
		for _, run := range runs {
			row.cells = append(row.cells, cell(run))
		}
		rows = append(rows, row)
	}
	add("ops that found nothing to do", func(r *results.Run) string {
		var n int64
		for _, k := range r.Totals.Kinds {
			n += k.Idle
		}
		return grouped(n)
	})
	add("bytes a MemRowSet flush", func(r *results.Run) string { return short.Bytes(int64(r.Totals.BytesAFlush)) })
	add("write amplification", func(r *results.Run) string { return strconv.FormatFloat(r.Totals.WriteAmplification, 'f', 2, 64) })
	add("writes rejected for memory", func(r *results.Run) string { return grouped(r.Totals.RejectedMemory) })
	add("writes rejected, queue full", func(r *results.Run) string { return grouped(r.Totals.RejectedQueue) })
	add("peak memory of a server", func(r *results.Run) string {
		return fmt.Sprintf("%s %.1f%%", short.Bytes(r.Totals.PeakMemory), r.Totals.PeakMemoryPercent)
	})
	add("time under memory pressure", func(r *results.Run) string { return share(r.Totals.PressureShare) })
	add("most WAL held by a server", func(r *results.Run) string { return short.Bytes(r.Totals.MaxWALHeld) })
	add("maintenance threads idle", func(r *results.Run) string { return share(r.Totals.IdleThreads) })
	add("looks at ops, simulated time", func(r *results.Run) string {
		return fmt.Sprintf("%s %s", grouped(r.Totals.Decisions), took(r.Totals.DecideNs))
	})
	for _, table := range tables {
		add(fmt.Sprintf("%s at the end: rowsets, height", runs[0].Tables[table].Name), func(r *results.Run) string {
			end := &r.Totals.AtEnd[table]
			return fmt.Sprintf("%s %5.2f", grouped(int64(end.Rowsets)), end.Height)
		})
	}
	return rows
}

// kindRow says how many ops of a kind ran, for how long and what they wrote.
func kindRow(runs []*results.Run, kind string) (row total, ran bool) {
	row.label = strings.TrimSuffix(kind, "Op")
	var parts [3][]string
	for _, run := range runs {
		var k results.KindTotals
		if i := slices.IndexFunc(run.Totals.Kinds, func(k results.KindTotals) bool { return k.Kind == kind }); i >= 0 {
			k, ran = run.Totals.Kinds[i], true
		}
		for i, text := range []string{grouped(k.Count), took(k.Ns), short.Bytes(k.BytesWritten)} {
			parts[i] = append(parts[i], text)
		}
	}
	for i := range runs {
		row.cells = append(row.cells, fmt.Sprintf("%s %s %s", parts[0][i], padLeft(parts[1][i], 7), padLeft(parts[2][i], 8)))
	}
	return row, ran
}

// highest picks the tables that some run left highest.
func highest(runs []*results.Run, most int) Selection {
	height := make([]float64, len(runs[0].Totals.AtEnd))
	for _, run := range runs {
		for i := range height {
			height[i] = max(height[i], run.Totals.AtEnd[i].Height)
		}
	}
	return worst(len(height), most, "the greatest height at the end", height)
}

// took writes ns, 0 in the unit that people count in.
func took(ns int64) string {
	if ns == 0 {
		return "0s"
	}
	return short.Duration(ns)
}

// share writes a share as a percentage.
func share(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + "%" }

// grouped writes a count with its digits in threes.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
