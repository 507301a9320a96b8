package plots

import (
	"fmt"
	"math"

	"mmsim/results"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const maxNines = 5 // the scale ends at 99.999 %

// percentiles draws the latency of each operation (columns) on each table (rows) in one phase against its percentile.
func percentiles(in Input, lines []lineStyle, phase string) figure {
	tables, ops := in.Runs[0].Tables, phaseOps(in.Runs, phase)
	f := figure{width: slideWidth, height: slideHeight}
	layout := [2]int{len(tables), len(ops)} // rows, columns
	if len(ops) == 1 {
		layout = [2]int{(len(tables) + 1) / 2, min(len(tables), 2)}
	}
	f.height = max(f.height, vg.Length(layout[0])*190+110)
	f.width = max(f.width, vg.Length(layout[1])*230+90)
	f.paint = func(c draw.Canvas) {
		c = page(c, fmt.Sprintf("How long do %s take? Phase %s", list(ops), phase), in.subtitle())
		if len(ops) == 0 || len(tables) == 0 {
			panel{Canvas: c}.note("no client operations in this phase")
			return
		}
		c = crop(legend(c, lineKeys(lines)), 58, 14, 36, 22)
		y := latencyAxis(in.Runs, phase)
		for i, row := range rows(c, layout[0], 46) {
			for j, cell := range columns(row, layout[1], 40) {
				p := panel{Canvas: cell, x: axis{max: maxNines, ticks: percentileTicks("", maxNines), title: "percentile (log scale)"}, y: y}
				p.x.bare = i < layout[0]-1
				p.y.bare = j > 0
				table, op := i, ops[j%len(ops)]
				if len(ops) == 1 {
					table = i*layout[1] + j
				}
				if table < len(tables) {
					percentilePanel(p, in.Runs, lines, phase, tables[table].Name, op)
				}
			}
		}
	}
	return f
}

// percentilePanel draws one line a policy.
func percentilePanel(p panel, runs []*results.Run, lines []lineStyle, phase, table, op string) {
	p.frame()
	var most int64
	for i, r := range runs {
		if l := find(r, phase, table, op); l != nil {
			p.line(lines[i].LineStyle, percentileCurve(l))
			most = max(most, l.Count)
		}
	}
	if most == 0 {
		p.title(table+": "+op, "")
		p.note("no " + plural(op) + " on " + table + " in this phase")
		return
	}
	p.title(table+": "+op, formatCount(most)+" "+plural(op)+" a policy")
}

// percentileCurve is the inverse of the distribution function: nines against log10 of us. It ends where one
// operation of the histogram's count is left, because nothing is known beyond.
func percentileCurve(l *results.Latency) plotter.XYs {
	total, seen, last := float64(l.Hist.TotalCount()), 0.0, -1.0
	end := min(maxNines, math.Log10(total))
	var curve plotter.XYs
	for us, count := range l.Buckets() {
		y := logUs(float64(us))
		from := min(nines(seen/total), end)
		seen += float64(count)
		to := min(nines(min(seen/total, 1)), end)
		if to-last < 0.01 && to < end {
			continue // too short a step to be seen
		}
		curve = append(curve, plotter.XY{X: max(from, last), Y: y}, plotter.XY{X: to, Y: y})
		if last = to; to >= end {
			break
		}
	}
	return curve
}

// logUs places a latency on a log axis whose floor is 1 us: YCSB counts in whole us, and what took less is 0 to it.
func logUs(us float64) float64 { return math.Log10(max(us, 1)) }

// latencyAxis spans the latencies of a phase up to the highest percentile shown, so that all its panels compare.
func latencyAxis(runs []*results.Run, phase string) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range runs {
		for _, l := range r.Latencies {
			if l.Phase != phase || l.Count == 0 || l.Hist == nil {
				continue
			}
			low = min(low, logUs(float64(l.Hist.Min())))
			high = max(high, logUs(float64(l.Hist.ValueAtPercentile(99.999))))
		}
	}
	if low > high {
		low, high = 0, 1
	}
	const clear = 0.08 // decades between the lines and the frame
	low = math.Floor(low)
	a := axis{min: low - clear, max: max(high, low+1) + clear, ticks: latencyTicks(low, max(high, low+1)+clear), title: "latency (log scale)"}
	if low == 0 {
		a.ticks[0].Label = "≤ 1 us"
	}
	return a
}
