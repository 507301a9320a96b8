package compare

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mmsim/results"
)

// columns lays a comparison out: the first line's values, then value and change of each other line, then the
// review's before, after and change.
func (c *Comparison) columns() []column {
	var cols []column
	for line, name := range c.Lines {
		values := c.cells(func(r *Row) string {
			if r.tooFew(line) {
				return fmt.Sprintf("- (%d)", r.Counts[line])
			}
			return micros(r.Stat, r.Values[line])
		})
		if line > 0 {
			changes := c.cells(func(r *Row) string { return percent(r.Change(line)) })
			for i := range values {
				values[i] += " " + changes[i]
			}
		}
		cols = append(cols, column{name, values})
	}
	if c.Measured {
		cols = append(cols,
			column{"review before", c.cells(func(r *Row) string { return micros(r.Stat, r.ReviewBefore) })},
			column{"review after", c.cells(func(r *Row) string { return micros(r.Stat, r.ReviewAfter) })},
			column{"review change", c.cells(func(r *Row) string { return percent(r.ReviewChange()) })})
	}
	return cols
}

// cells writes one column, set to the right.
func (c *Comparison) cells(write func(*Row) string) []string {
	cells := make([]string, len(c.Rows))
	for i := range c.Rows {
		cells[i] = write(&c.Rows[i])
	}
	width := widest(cells)
	for i := range cells {
		cells[i] = padLeft(cells[i], width)
	}
	return cells
}

// micros writes microseconds: percentiles are whole numbers, means get two decimals while they are below 1000.
func micros(stat string, v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case stat != "avg":
		return fmt.Sprintf("%.0f", v)
	case v < 1000:
		return fmt.Sprintf("%.2f", v)
	default:
		return fmt.Sprintf("%.1f", v)
	}
}

// percent writes a change with its sign.
func percent(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.Abs(v) < 0.05:
		return "0.0%"
	case math.Abs(v) < 1000:
		return fmt.Sprintf("%+.1f%%", v)
	default:
		return fmt.Sprintf("%+.0f%%", v)
	}
}

// WriteText prints the table with aligned columns, a block a phase.
func (c *Comparison) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	labels := make([]string, len(c.Rows))
	for i := range c.Rows {
		labels[i] = c.Rows[i].Label()
	}
	indent := widest(labels)
	cols := c.columns()
	widths, headings := fit(cols)
	for _, line := range headings {
		writeLine(out, padRight("", indent), line, widths)
	}
	for i := range c.Rows {
		if i == 0 || c.Rows[i].Phase != c.Rows[i-1].Phase {
			fmt.Fprintf(out, "\nphase %s\n", c.Rows[i].Phase)
		}
		cells := make([]string, len(cols))
		for k := range cols {
			cells[k] = cols[k].cells[i]
		}
		writeLine(out, padRight(labels[i], indent), cells, widths)
	}
	if needs := c.needs(); len(needs) > 0 {
		fmt.Fprintf(out, "\n- (n): n operations are too few to tell it: %s\n", strings.Join(needs, ", "))
	}
	return out.Flush()
}

// needs says how many operations the percentiles need that can't be told somewhere.
func (c *Comparison) needs() []string {
	var needs []string
	for i := range c.Rows {
		r := &c.Rows[i]
		percent, _ := results.PercentOf(r.Stat)
		if slices.ContainsFunc(r.Counts, func(n int64) bool { return n > 0 && !results.Told(percent, n) }) {
			needs = appendNew(needs, fmt.Sprintf("%s needs %d", r.Stat, results.Needed(percent)))
		}
	}
	slices.Sort(needs)
	return needs
}
