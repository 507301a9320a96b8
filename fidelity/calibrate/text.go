package calibrate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteText prints the fits for people.
func (r *Result) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n", r.Method)
	for _, f := range r.Fits {
		f.write(out)
	}
	if len(r.Spreads) > 0 {
		fmt.Fprintln(out, "\nspreads, sigma of a log-normal factor")
		writeParameters(out, r.Spreads)
	}
	if len(r.Shared) > 0 {
		fmt.Fprintln(out, "\nhow cores are shared, by what compactions took beside the load")
		writeParameters(out, r.Shared)
	}
	fmt.Fprintf(out, "\nall else is taken from %s\n", r.Base)
	for _, note := range r.Notes {
		fmt.Fprintf(out, "  %s\n", note)
	}
	return out.Flush()
}

func writeParameters(out io.Writer, parameters []Parameter) {
	columns := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range parameters {
		fmt.Fprintf(columns, "  %s\t%s\t%s\tbase %s\n", p.Name, p.text(p.Value), p.interval(), p.text(p.Base))
	}
	columns.Flush()
}

const mostListed = 10 // points in a list; --json has them all

func (f *Fit) write(out io.Writer) {
	fmt.Fprintf(out, "\n%s: %s\n", f.Name, f.Formula)
	writeParameters(out, f.Parameters)
	fmt.Fprintf(out, "  %d points fitted, median error %.1f %%, residual spread %.3f", f.Count(Fitted), 100*f.MedianError, f.Spread)
	if held := f.Count(HeldOut); held > 0 {
		fmt.Fprintf(out, "; %d held out, median error %.1f %%", held, 100*f.HeldOutError)
	}
	fmt.Fprintln(out)
	f.list(out, "outliers", func(p *Point) bool { return p.Outlier }, func(p *Point) string {
		return fmt.Sprintf("%s, fitted %s (%s)", show(p.Measured), show(p.Fit), p.Use)
	})
	f.list(out, "held out", func(p *Point) bool { return p.Use == HeldOut }, func(p *Point) string {
		return fmt.Sprintf("%s, fitted %s", show(p.Measured), show(p.Fit))
	})
	f.list(out, "not used", func(p *Point) bool { return p.Use == NotUsed }, func(p *Point) string { return p.Why })
}

// list prints some of the points that are meant.
func (f *Fit) list(out io.Writer, title string, meant func(*Point) bool, say func(*Point) string) {
	var lines []string
	for i := range f.Points {
		if p := &f.Points[i]; meant(p) {
			lines = append(lines, fmt.Sprintf("    %s:%d %s: %s\n", p.File, p.Line, p.What, say(p)))
		}
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(out, "  %s: %d\n%s", title, len(lines), strings.Join(lines[:min(mostListed, len(lines))], ""))
	if more := len(lines) - mostListed; more > 0 {
		fmt.Fprintf(out, "    and %d more\n", more)
	}
}

// text gives a value in the parameter's unit.
func (p *Parameter) text(v float64) string {
	if p.Unit == "ns" {
		return show(v)
	}
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

func (p *Parameter) interval() string { return p.text(p.Low) + " to " + p.text(p.High) }
