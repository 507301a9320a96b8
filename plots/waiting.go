package plots

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"mmsim/results"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// kinds in the order in which figures show them: what moves data first, what only frees space last. Others stand between.
var rankedKinds, collectedKinds = results.FeltKinds, results.CollectedKinds

// kindRank is a kind's place in the order.
func kindRank(kind string) int {
	if i := slices.Index(rankedKinds, kind); i >= 0 {
		return i
	}
	if i := slices.Index(collectedKinds, kind); i >= 0 {
		return len(rankedKinds) + 1 + i
	}
	return len(rankedKinds)
}

// addKind keeps kinds in order, each once.
func addKind(kinds []string, kind string) []string {
	if slices.Contains(kinds, kind) {
		return kinds
	}
	kinds = append(kinds, kind)
	slices.SortFunc(kinds, func(a, b string) int {
		if d := kindRank(a) - kindRank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return kinds
}

// shortKind is a kind's name without Kudu's ending.
func shortKind(kind string) string { return strings.TrimSuffix(kind, "Op") }

// waiting draws how long ops of each kind (columns) waited on each table (rows), as the distribution function of each policy. Its
// scale is that of percentiles, because starvation lies in the last percent.
func waiting(in Input, lines []lineStyle, kinds []string) figure {
	tables := in.Runs[0].Tables
	return figure{
		width:  max(slideWidth, 110+vg.Length(len(kinds))*160),
		height: max(slideHeight, 130+vg.Length(len(tables))*190),
		paint: func(c draw.Canvas) {
			c = page(c, "How long do maintenance ops wait for their turn?", in.subtitle())
			if len(kinds) == 0 || len(tables) == 0 {
				panel{Canvas: c}.note("no maintenance op waited")
				return
			}
			c = crop(legend(c, waitKeys(in, lines)), 66, 14, 36, 34)
			w := newWaitAxes(in, kinds)
			for i, row := range rows(c, len(tables), 42) {
				for j, cell := range columns(row, len(kinds), 20) {
					p := panel{Canvas: cell, x: w.x, y: w.y}
					p.x.bare = i < len(tables)-1
					p.y.bare = j > 0
					p.y.title = tables[i].Name + ": share of waits"
					waitPanel(p, in, lines, tables[i].Name, kinds[j])
				}
			}
		},
	}
}

func waitKeys(in Input, lines []lineStyle) []key {
	keys := lineKeys(lines)
	if in.Starvation > 0 {
		keys = append(keys, key{name: "starvation threshold", mark: sample(thresholdLine)})
	}
	if slices.ContainsFunc(in.Runs, func(r *results.Run) bool {
		return slices.ContainsFunc(r.Waits, func(w results.Wait) bool { return w.Outcome == results.Open })
	}) {
		keys = append(keys, glyphKey("still waiting at the end", func(c draw.Canvas, at vg.Point) { openMark(c, at, ink) }))
	}
	return keys
}

var thresholdLine = draw.LineStyle{Color: alarm, Width: 1.2, Dashes: []vg.Length{4, 3}}

// waitAxes are shared by all panels, so that tables and kinds compare.
type waitAxes struct{ x, y axis }

const shortestWait = 1e-3 // s: shorter waits are drawn as this long

// logWait places a wait of ns on the log axis of seconds.
func logWait(ns int64) float64 { return math.Log10(max(float64(ns)/1e9, shortestWait)) }

func newWaitAxes(in Input, kinds []string) waitAxes {
	low, high, most := 0.0, 0.0, 1
	if in.Starvation > 0 {
		high = logWait(int64(in.Starvation))
	}
	for _, r := range in.Runs {
		counts := map[subject]int{}
		for i := range r.Waits {
			w := &r.Waits[i]
			if !slices.Contains(kinds, w.Kind) {
				continue
			}
			age := logWait(age(r, w))
			low, high = min(low, age), max(high, age)
			s := subject{r.Tables[w.Table].Name, w.Kind}
			counts[s]++
			most = max(most, counts[s])
		}
	}
	a := waitAxes{
		x: axis{min: math.Floor(low + 1e-9), max: high + 0.15, title: "wait (log scale)"},
		y: axis{max: max(1, math.Log10(float64(most))) + 0.4},
	}
	a.x.ticks = waitTicks(a.x.min, a.x.max)
	if a.x.min == math.Log10(shortestWait) {
		a.x.ticks[0].Label = "≤ " + a.x.ticks[0].Label
	}
	a.y.ticks = append(percentileTicks(" %", a.y.max-0.3), plot.Tick{Value: a.y.max, Label: "max"})
	return a
}

// age is how long an op waited; an open wait counts up to the end of the run.
func age(r *results.Run, w *results.Wait) int64 {
	if w.Outcome == results.Open {
		return max(r.End, w.Until) - w.Since
	}
	return w.Until - w.Since
}

// ages of the waits of one kind on one table, in order, and of those among them that were open at the end.
func ages(r *results.Run, table, kind string) (all, open []int64) {
	for i := range r.Waits {
		w := &r.Waits[i]
		if w.Kind != kind || r.Tables[w.Table].Name != table {
			continue
		}
		all = append(all, age(r, w))
		if w.Outcome == results.Open {
			open = append(open, age(r, w))
		}
	}
	slices.Sort(all)
	slices.Sort(open)
	return all, open
}

// waitPanel draws one curve a policy, with a mark where a wait was open at the end.
func waitPanel(p panel, in Input, lines []lineStyle, table, kind string) {
	headText(shortKind(kind)).within(p.Max.X-p.Min.X).put(p, p.Min.X, p.Max.Y+headAt+13, fromLeft)
	p.frame()
	free := p.Max.X
	if in.Starvation > 0 {
		free = threshold(p, int64(in.Starvation))
	}
	most := 0
	for i, r := range in.Runs {
		waits, open := ages(r, table, kind)
		most = max(most, len(waits))
		p.line(lines[i].LineStyle, waitCurve(waits, p.y.max))
		openMarks(p, waits, open, lines[i].Color)
	}
	if most == 0 {
		p.note("no waits")
		return
	}
	if count := tickText(upTo(most)); p.Min.X+count.width()+4 < free {
		count.put(p, p.Min.X, p.Max.Y+headAt-1, fromLeft)
	}
}

// upTo says how many waits the policy with the most had.
func upTo(waits int) string {
	if waits == 1 {
		return "up to 1 wait"
	}
	return "up to " + formatCount(int64(waits)) + " waits"
}

// threshold draws the line beyond which a wait starves, names it above the panel and gives the name's left end.
func threshold(p panel, ns int64) vg.Length {
	x := p.point(logWait(ns), 0).X
	p.StrokeLine2(thresholdLine, x, p.Min.Y, x, p.Max.Y)
	name := tickText(formatSpan(float64(ns) / 1e9))
	name.color = alarm
	left := min(x-name.width()/2, p.Max.X-name.width())
	name.put(p, left, p.Max.Y+headAt-1, fromLeft)
	return left
}

// waitCurve is the distribution function of waits in order, with shares on the log-percentile scale; it rises to the top at the longest wait.
func waitCurve(waits []int64, top float64) plotter.XYs {
	var curve plotter.XYs
	last := plotter.XY{X: math.Inf(-1)}
	for i, w := range waits {
		at := plotter.XY{X: logWait(w), Y: min(nines(float64(i+1)/float64(len(waits))), top)}
		if i == 0 {
			curve = append(curve, plotter.XY{X: at.X})
		}
		if final := i == len(waits)-1; !final && at.X-last.X < 0.01 && at.Y-last.Y < 0.01 {
			continue // too short a step to be seen
		}
		if len(curve) > 1 {
			curve = append(curve, plotter.XY{X: at.X, Y: last.Y})
		}
		curve = append(curve, at)
		last = at
	}
	return curve
}

// openMarks puts a mark on the curve for each open wait, as far as there is room between marks.
func openMarks(p panel, waits, open []int64, c color.Color) {
	last := p.Min.X - 1000
	for _, a := range open {
		after, _ := slices.BinarySearch(waits, a+1)
		at := p.point(logWait(a), min(nines(float64(after)/float64(len(waits))), p.y.max))
		if at.X-last >= 7 {
			openMark(p.Canvas, at, c)
			last = at.X
		}
	}
}

// openMark is a hollow triangle that points to where the wait goes on.
func openMark(c draw.Canvas, at vg.Point, ink color.Color) {
	const r = 4.5
	var path vg.Path
	path.Move(vg.Point{X: at.X - r*0.6, Y: at.Y + r})
	path.Line(vg.Point{X: at.X + r, Y: at.Y})
	path.Line(vg.Point{X: at.X - r*0.6, Y: at.Y - r})
	path.Close()
	c.SetColor(white)
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: 1.2})
	c.Stroke(path)
}
