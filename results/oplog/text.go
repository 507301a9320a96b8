package oplog

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// WriteText prints the comparison for people.
func (c *Comparison) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	c.writeSides(out)
	c.writeOrder(out)
	c.writeScores(out)
	c.writeTables(out)
	if len(c.NotCompared) > 0 {
		fmt.Fprintln(out, "\nNot compared")
		for _, why := range c.NotCompared {
			fmt.Fprintf(out, "  %s\n", why)
		}
	}
	return out.Flush()
}

func (c *Comparison) writeSides(w io.Writer) {
	width := max(len("simulated")+1, len(c.Real.Label), len(c.Sim.Label))
	for _, side := range []Side{c.Real, c.Sim} {
		fmt.Fprintf(w, "%-*s %s: %d ops in %s s", width, side.Label, side.Name, side.Ops, side.End.Text(1))
		if side.Idle > 0 {
			fmt.Fprintf(w, ", of which %d found nothing to do", side.Idle)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%-*s %s\n", width, "time 0", c.Zero)
}

// head is a side's label at the head of a column.
func (s *Side) head() string {
	if s.Label == "simulated" {
		return "sim"
	}
	return s.Label
}

func (c *Comparison) writeOrder(w io.Writer) {
	o := &c.Order
	fmt.Fprintf(w, "\nOrder of %s: %d %s, %d %s\n", c.Kind, o.Real, c.Real.Label, o.Sim, c.Sim.Label)
	if o.By == ByNone || o.Real == 0 || o.Sim == 0 {
		return
	}
	switch {
	case o.First == nil:
		fmt.Fprintf(w, "  all %d in the same order, by %s\n", o.Prefix, o.By)
	default:
		fmt.Fprintf(w, "  the first %d in the same order, by %s\n", o.Prefix, o.By)
		fmt.Fprintf(w, "  number %d: %s %s, %s %s\n", o.First.At, c.Real.Label, o.First.Real.text(), c.Sim.Label, o.First.Sim.text())
	}
	fmt.Fprintf(w, "  Kendall tau %s over the %d ops that both have\n", o.Tau.Text(3), o.Common)
}

func (c *Comparison) writeScores(w io.Writer) {
	if c.Scores.Compared == 0 {
		return
	}
	fmt.Fprintf(w, "\nScores of %d ops\n", c.Scores.Compared)
	for _, worst := range []struct {
		among string
		*ScoreDistance
	}{{"where the order is the same", c.Scores.Prefix}, {"of all that both have", c.Scores.All}} {
		if d := worst.ScoreDistance; d != nil {
			fmt.Fprintf(w, "  largest difference %s: %.2g (%.2g %%), number %d of %s: %s %.6f, %s %.6f\n",
				worst.among, math.Abs(float64(d.Difference)), math.Abs(float64(d.Percent)), d.Real.Nth, d.Real.Tablet, c.Real.Label, d.Real.Score, c.Sim.Label, d.Sim.Score)
		}
	}
}

func (c *Comparison) writeTables(w io.Writer) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	left := func(name string) string { return fmt.Sprintf("  %-22s", name) }
	real, sim := c.Real.head(), c.Sim.head()
	fmt.Fprintf(w, "\nHow long ops took, %s/%s over the ops that both have\n", c.Sim.Label, c.Real.Label)
	fmt.Fprintf(out, "%s\tops\tops\tmedian s\tmedian s\tpairs\tratio\t10 %% .. 90 %%\t\n", left("kind"))
	fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t\tmedian\t\t\n", left(""), real, sim, real, sim)
	for _, d := range c.Durations {
		spread := "-"
		if d.Low.Known() {
			spread = d.Low.Text(2) + " .. " + d.High.Text(2)
		}
		fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%s\t%d\t%s\t%s\t\n", left(d.Kind), d.Real, d.Sim, d.RealMedian.Text(3), d.SimMedian.Text(3), d.Pairs, d.Ratio.Text(2), spread)
	}
	out.Flush()
	fmt.Fprintf(w, "\nOps chosen from 0 to %s s, which both sides cover\n", c.Window.Text(1))
	fmt.Fprintf(out, "%s\ttable\t%s\t%s\t\n", left("kind"), real, sim)
	for _, n := range c.Counts {
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t\n", left(n.Kind), orUnknown(n.Table), n.Real, n.Sim)
	}
	out.Flush()
	if len(c.Reached) == 0 {
		return
	}
	fmt.Fprintln(w, "\nTablets at height 2: how many, when the first, when the last (s)")
	fmt.Fprintf(out, "%s\t%s\tfirst\tlast\t%s\tfirst\tlast\t\n", left("table"), real, sim)
	for _, t := range c.Reached {
		fmt.Fprintf(out, "%s\t%s\t%s\t\n", left(orUnknown(t.Table)), t.Real.text(), t.Sim.text())
	}
	out.Flush()
}

func orUnknown(table string) string {
	if table == "" {
		return "(unknown)"
	}
	return table
}

func (r Reach) text() string {
	if r.Tablets == 0 {
		return "-\t-\t-"
	}
	return fmt.Sprintf("%d/%d\t%s\t%s", r.Reached, r.Tablets, r.First.Text(1), r.Last.Text(1))
}

func (r *Ref) text() string {
	if r == nil {
		return "none"
	}
	text := fmt.Sprintf("%s at %s s", r.Tablet, r.Chosen.Text(1))
	if r.Score.Known() {
		text += fmt.Sprintf(" (score %.6f)", r.Score)
	}
	return text
}
