package plots

import (
	"fmt"
	"math"
	"slices"

	"mmsim/configs"
	"mmsim/results"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// stat is a figure that reviews quote of a latency: its name in figures, and the one that it has in results and was measured by.
type stat struct{ shown, name string }

// The mean is YCSB's, from whole microseconds.
var stats = []stat{{"mean", "avg"}, {"p95", "p95"}, {"p99", "p99"}}

// subject is an operation on a table.
type subject struct{ table, op string }

// subjects lists what a phase asked of each table.
func subjects(runs []*results.Run, phase string) []subject {
	var all []subject
	for _, t := range runs[0].Tables {
		for _, op := range phaseOps(runs, phase) {
			for _, r := range runs {
				if find(r, phase, t.Name, op) != nil {
					all = append(all, subject{t.Name, op})
					break
				}
			}
		}
	}
	return all
}

// Places in a before/after figure, in points.
const (
	valueWidth  = vg.Length(54) // of the column of values
	changeWidth = vg.Length(44) // of the column of changes
	reviewWidth = vg.Length(54) // of the column of the review's numbers
	barHead     = vg.Length(20) // a panel's title
	barFoot     = vg.Length(17) // a panel's tick labels
)

// beforeAfter draws mean, p95 and p99 (columns) of each operation on each table (rows) in one phase as one bar a policy. Every
// panel has a scale of its own, so that none dwarfs another.
func beforeAfter(in Input, lines []lineStyle, phase string) figure {
	subjects := subjects(in.Runs, phase)
	panelHeight := barHead + barFoot + vg.Length(len(lines))*15.5
	return figure{
		width:  slideWidth,
		height: max(slideHeight, 100+vg.Length(len(subjects))*(panelHeight+8)),
		paint: func(c draw.Canvas) {
			c = page(c, fmt.Sprintf("How do the latencies change against %s? Phase %s", lines[0].name, phase), in.subtitle())
			if len(subjects) == 0 {
				panel{Canvas: c}.note("no client operations in this phase")
				return
			}
			panels, marks := barPanels(in, phase, subjects)
			if slices.Contains(marks, true) {
				c = crop(legend(c, reviewKeys(in.Measured.Source)), 0, 0, 0, 4)
			}
			names := nameWidth(lines)
			for i, row := range rows(crop(c, names, 0, 0, 0), len(subjects), 8) {
				for j, cell := range columns(row, len(stats), 26) {
					panels[i][j].draw(cell, lines, marks[j])
					if j == 0 {
						panels[i][j].names(cell, lines, names)
					}
				}
			}
		},
	}
}

// barPanels collects the numbers of all panels, and which columns have marks of the review.
func barPanels(in Input, phase string, subjects []subject) (panels [][]barPanel, marks []bool) {
	marks = make([]bool, len(stats))
	for _, s := range subjects {
		row := make([]barPanel, len(stats))
		for j, st := range stats {
			row[j] = newBars(in, phase, s, st)
			marks[j] = marks[j] || slices.Max(row[j].measured) >= 0
		}
		panels = append(panels, row)
	}
	return panels, marks
}

// nameWidth is the room that the policies' names get.
func nameWidth(lines []lineStyle) vg.Length {
	var widest vg.Length
	for _, l := range lines {
		widest = max(widest, bodyText(l.name).width())
	}
	return min(widest, 170) + 8
}

func reviewKeys(source string) []key {
	if source == "" {
		source = "review"
	}
	mark := func(name string, filled bool) key {
		return glyphKey(name, func(c draw.Canvas, at vg.Point) { diamond(c, at, filled) })
	}
	return []key{mark("measured before ("+source+")", false), mark("measured after", true)}
}

// barPanel holds one statistic of one operation on one table for every policy.
type barPanel struct {
	table    string
	title    string    // what is behind the table's name
	values   []float64 // us; -1 without operations, NaN with too few of them to tell
	counts   []int64   // of operations
	needs    string    // how many operations it takes to tell
	measured []float64 // us; -1 where the review says nothing
	before   []bool    // the measured number is the review's "before"
}

func newBars(in Input, phase string, s subject, st stat) barPanel {
	b := barPanel{table: s.table, title: fmt.Sprintf(": %s %s", s.op, st.shown)}
	if percent, ok := results.PercentOf(st.name); ok {
		b.needs = fmt.Sprintf("- (n): a %s needs %d %s", st.name, results.Needed(percent), plural(s.op))
	}
	for _, r := range in.Runs {
		v, n := -1.0, int64(0)
		if l := find(r, phase, s.table, s.op); l != nil {
			v, n = l.Stat(st.name), l.Count
		}
		b.values, b.counts = append(b.values, v), append(b.counts, n)
		m, before := measuredValue(in.Measured, r.Line, phase, s, st)
		b.measured = append(b.measured, m)
		b.before = append(b.before, before)
	}
	return b
}

// measuredValue is the review's number for a policy line, or -1.
func measuredValue(m *configs.Measured, line, phase string, s subject, st stat) (us float64, before bool) {
	if m == nil {
		return -1, false
	}
	for _, row := range m.Rows {
		if row.Phase != phase || row.Table != s.table || row.Op != s.op || row.Stat != st.name {
			continue
		}
		switch line {
		case m.Before:
			return row.Before, true
		case m.After:
			return row.After, false
		}
	}
	return -1, false
}

// limit is where the scale ends. Measured numbers far beyond the bars would flatten them, so they get an arrow instead.
func (b barPanel) limit() float64 {
	var bar, mark float64
	for i := range b.values {
		mark = max(mark, b.measured[i])
		if b.values[i] > bar { // which NaN is not
			bar = b.values[i]
		}
	}
	if bar == 0 {
		return max(mark, 1)
	}
	return max(bar, min(mark, 3*bar))
}

// told says whether there is anything to draw.
func (b barPanel) told() bool {
	drawn := func(us float64) bool { return us >= 0 }
	return slices.ContainsFunc(b.values, drawn) || slices.ContainsFunc(b.measured, drawn) || !slices.ContainsFunc(b.values, math.IsNaN)
}

func (b barPanel) step(c draw.Canvas) vg.Length {
	return (c.Max.Y - c.Min.Y) / vg.Length(len(b.values))
}

// middle is the height of the i-th bar's middle line.
func (b barPanel) middle(c draw.Canvas, i int) vg.Length {
	return c.Max.Y - (vg.Length(i)+0.5)*b.step(c)
}

// names writes the policies' names to the left of a panel.
func (b barPanel) names(cell draw.Canvas, lines []lineStyle, width vg.Length) {
	c := crop(cell, 0, 0, barFoot, barHead)
	for i, l := range lines {
		bodyText(l.name).within(width-8).put(c, c.Min.X-8, b.middle(c, i), fromRight)
	}
}

// draw draws the panel into a cell: bars to the left, values, changes and the review's numbers in columns to the right.
func (b barPanel) draw(cell draw.Canvas, lines []lineStyle, marks bool) {
	right := valueWidth + changeWidth
	if marks {
		right += reviewWidth
	}
	limit := b.limit() * 1.06
	p := panel{Canvas: crop(cell, 0, right, barFoot, barHead), x: axis{max: limit}, y: axis{bare: true}}
	if b.told() {
		p.x.ticks = p.xTicks(4, func(n int) []plot.Tick { return linearTicks(limit, n, microseconds) })
	}
	p.frame()
	if !b.told() {
		p.note(b.needs)
	}
	title := headText(b.title)
	title.text = headText(b.table).within(p.Max.X+valueWidth-p.Min.X-title.width()).text + b.title
	title.put(cell, cell.Min.X, cell.Max.Y-8, fromLeft)
	values := p.Max.X + valueWidth
	tickText("change").put(cell, values+changeWidth, cell.Max.Y-8, fromRight)
	if marks {
		tickText("measured").put(cell, cell.Max.X, cell.Max.Y-8, fromRight)
	}
	thick := min(b.step(p.Canvas)*0.74, 30)
	for i, v := range b.values {
		y := b.middle(p.Canvas, i)
		if v < 0 {
			tickText("none").put(cell, values, y, fromRight)
			continue
		}
		if math.IsNaN(v) {
			tickText(fmt.Sprintf("- (%s)", formatCount(b.counts[i]))).put(cell, values, y, fromRight)
			continue
		}
		p.SetColor(lines[i].Color)
		p.Fill(vg.Rectangle{Min: vg.Point{X: p.Min.X, Y: y - thick/2}, Max: vg.Point{X: p.point(v, 0).X, Y: y + thick/2}}.Path())
		bodyText(formatUs(v)).put(cell, values, y, fromRight)
		if i > 0 && !math.IsNaN(b.values[0]) {
			bodyText(formatChange(b.values[0], v)).put(cell, values+changeWidth, y, fromRight)
		}
	}
	for i, m := range b.measured {
		if m >= 0 {
			b.mark(p, i, m, limit)
			tickText(formatUs(m)).put(cell, cell.Max.X, b.middle(p.Canvas, i), fromRight)
		}
	}
}

// mark draws the review's number on the i-th bar, and an arrow if it lies beyond the scale.
func (b barPanel) mark(p panel, i int, us, limit float64) {
	y := b.middle(p.Canvas, i)
	if us <= limit {
		diamond(p.Canvas, vg.Point{X: p.point(us, 0).X, Y: y}, !b.before[i])
		return
	}
	diamond(p.Canvas, vg.Point{X: p.Max.X - 14, Y: y}, !b.before[i])
	p.StrokeLines(draw.LineStyle{Color: ink, Width: 1.2},
		[]vg.Point{{X: p.Max.X - 7, Y: y}, {X: p.Max.X, Y: y}},
		[]vg.Point{{X: p.Max.X - 3, Y: y + 3}, {X: p.Max.X, Y: y}, {X: p.Max.X - 3, Y: y - 3}})
}
