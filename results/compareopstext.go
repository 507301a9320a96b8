package results

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"
)

// WriteText prints the comparison for people.
func (c *OpComparison) WriteText(w io.Writer) error {
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

func (c *OpComparison) writeSides(w io.Writer) {
	for _, side := range []struct {
		role string
		OpSide
	}{{"real", c.Real}, {"simulated", c.Sim}} {
		fmt.Fprintf(w, "%-10s %s: %d ops in %s s", side.role, side.Name, side.Ops, side.End.text(1))
		if side.Idle > 0 {
			fmt.Fprintf(w, ", of which %d found nothing to do", side.Idle)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "time 0     %s\n", c.Zero)
}

func (c *OpComparison) writeOrder(w io.Writer) {
	o := &c.Order
	fmt.Fprintf(w, "\nOrder of %s: %d real, %d simulated\n", c.Kind, o.Real, o.Sim)
	if o.By == ByNone || o.Real == 0 || o.Sim == 0 {
		return
	}
	switch {
	case o.First == nil:
		fmt.Fprintf(w, "  all %d in the same order, by %s\n", o.Prefix, o.By)
	default:
		fmt.Fprintf(w, "  the first %d in the same order, by %s\n", o.Prefix, o.By)
		fmt.Fprintf(w, "  number %d: real %s, simulated %s\n", o.First.At, o.First.Real.text(), o.First.Sim.text())
	}
	fmt.Fprintf(w, "  Kendall tau %s over the %d ops that both have\n", o.Tau.text(3), o.Common)
}

func (c *OpComparison) writeScores(w io.Writer) {
	if c.Scores.Compared == 0 {
		return
	}
	fmt.Fprintf(w, "\nScores of %d ops\n", c.Scores.Compared)
	for _, worst := range []struct {
		among string
		*ScoreDistance
	}{{"where the order is the same", c.Scores.Prefix}, {"of all that both have", c.Scores.All}} {
		if d := worst.ScoreDistance; d != nil {
			fmt.Fprintf(w, "  largest difference %s: %.2g (%.2g %%), number %d of %s: real %.6f, simulated %.6f\n",
				worst.among, math.Abs(float64(d.Difference)), math.Abs(float64(d.Percent)), d.Real.Nth, d.Real.Tablet, d.Real.Score, d.Sim.Score)
		}
	}
}

func (c *OpComparison) writeTables(w io.Writer) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	left := func(name string) string { return fmt.Sprintf("  %-22s", name) }
	fmt.Fprintln(w, "\nHow long ops took, simulated/real over the ops that both have")
	fmt.Fprintf(out, "%s\tops\tops\tmedian s\tmedian s\tpairs\tratio\t10 %% .. 90 %%\t\n", left("kind"))
	fmt.Fprintf(out, "%s\treal\tsim\treal\tsim\t\tmedian\t\t\n", left(""))
	for _, d := range c.Durations {
		spread := "-"
		if d.Pairs > 0 {
			spread = d.Low.text(2) + " .. " + d.High.text(2)
		}
		fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%s\t%d\t%s\t%s\t\n", left(d.Kind), d.Real, d.Sim, d.RealMedian.text(3), d.SimMedian.text(3), d.Pairs, d.Ratio.text(2), spread)
	}
	out.Flush()
	fmt.Fprintf(w, "\nOps chosen from 0 to %s s, which both sides cover\n", c.Window.text(1))
	fmt.Fprintf(out, "%s\ttable\treal\tsim\t\n", left("kind"))
	for _, n := range c.Counts {
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t\n", left(n.Kind), orUnknown(n.Table), n.Real, n.Sim)
	}
	out.Flush()
	if len(c.Reached) == 0 {
		return
	}
	fmt.Fprintln(w, "\nTablets at height 2: how many, when the first, when the last (s)")
	fmt.Fprintf(out, "%s\treal\tfirst\tlast\tsim\tfirst\tlast\t\n", left("table"))
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
	return fmt.Sprintf("%d/%d\t%s\t%s", r.Reached, r.Tablets, r.First.text(1), r.Last.text(1))
}

func (n Number) text(decimals int) string {
	if !n.known() {
		return "-"
	}
	return strconv.FormatFloat(float64(n), 'f', decimals, 64)
}

func (r *OpRef) text() string {
	if r == nil {
		return "none"
	}
	text := fmt.Sprintf("%s at %s s", r.Tablet, r.Chosen.text(1))
	if r.Score.known() {
		text += fmt.Sprintf(" (score %.6f)", r.Score)
	}
	return text
}
