package plots

import (
	"fmt"
	"math"

	"mmsim/results"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// limits are the axes that the timelines of all policies share, so that they compare.
type limits struct {
	time, latency, height, rowsets, redo, memory, wal, server axis
	serverUnit                                                string
}

// timelineLimits spans every run.
func timelineLimits(runs []*results.Run, m MemoryLines) limits {
	var end float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range runs {
		end = max(end, seconds(r.End))
		for _, s := range r.Samples {
			end = max(end, seconds(s.At))
			if results.Told(95, s.Scans) {
				low, high = min(low, logUs(s.ScanP95)), max(high, logUs(s.ScanP95))
			}
		}
	}
	if low > high {
		low, high = 2, 4
	}
	if end == 0 {
		end = 1
	}
	l := limits{
		time:    axis{max: end, title: "time since the start"},
		latency: axis{min: low - 0.1, max: max(high+0.1, low+0.9)},
		height:  linear(max(mostOf(runs, height), mostOf(runs, hotHeight)), 1, 4, plain),
		rowsets: linear(mostOf(runs, rowsets), 1, 2, counts),
		redo:    linear(mostOf(runs, redoFiles), 1, 2, counts),
		memory:  linear(mostOf(runs, storeBytes), 1024, 2, byteUnits),
		wal:     linear(mostOf(runs, walBytes), 1024, 2, byteUnits),
		server:  m.serverAxis(runs),
	}
	if m.Limit > 0 {
		l.serverUnit = "of its limit"
	}
	l.latency.ticks = latencyTicks(l.latency.min, l.latency.max)
	return l
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// Places in a timeline figure, in points.
const (
	stripRow   = vg.Length(15)  // of one kind in the Gantt strip
	stripNames = vg.Length(122) // of the kinds' and the panels' names

	timelineHeight = vg.Length(530) // of all but the strip
)

// timeline draws, for one policy and each table (columns), what its tablets are like over time, the memory of the server of its hot tablet, and beneath
// the maintenance ops that ran for the table on that server.
func timeline(in Input, r *results.Run, look lineStyle, l limits, kinds []string) figure {
	strip := vg.Length(max(len(kinds), 1)) * stripRow
	return figure{
		width:  max(slideWidth, 150+vg.Length(len(r.Tables))*270),
		height: max(slideHeight, strip+timelineHeight),
		paint: func(c draw.Canvas) {
			c = page(c, "When do scans slow down, and what runs then? Policy "+r.Line, in.subtitle())
			if len(r.Tables) == 0 {
				panel{Canvas: c}.note("no tables")
				return
			}
			c = crop(legend(c, timelineKeys(look, in.Memory)), stripNames, 14, 36, 34)
			for i, column := range columns(c, len(r.Tables), 22) {
				timelineColumn(column, in, r, i, look, l, kinds, strip)
			}
		},
	}
}

// hotStyle is how the hot tablet's line looks beside the mean's.
func hotStyle(look lineStyle) draw.LineStyle {
	return draw.LineStyle{Color: look.Color, Width: 1.1, Dashes: []vg.Length{3, 2}}
}

func solid(look lineStyle) draw.LineStyle { return draw.LineStyle{Color: look.Color, Width: 1.6} }

func timelineKeys(look lineStyle, m MemoryLines) []key {
	block := func(share float64) func(draw.Canvas, vg.Length, vg.Length, vg.Length) {
		return func(c draw.Canvas, left, right, y vg.Length) {
			c.SetColor(paler(faint, share))
			c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: y - 4}, Max: vg.Point{X: right, Y: y + 4}}.Path())
		}
	}
	keys := []key{
		{name: "whole table (mean height, else sums); server", mark: sample(solid(look))},
		{name: "leader of the hot tablet", mark: sample(hotStyle(look))},
	}
	if m.Limit > 0 {
		keys = append(keys, key{name: "memory pressure", mark: sample(markStyle(pressureColor))}, key{name: "soft limit", mark: sample(markStyle(softColor))})
	}
	return append(keys, key{name: "op runs", mark: block(1)}, key{name: "part of the time", mark: block(0.4)})
}

// timelineColumn draws one table's panels, the top one first.
func timelineColumn(c draw.Canvas, in Input, r *results.Run, table int, look lineStyle, l limits, kinds []string, strip vg.Length) {
	t := r.Tables[table]
	head := panel{Canvas: crop(c, 0, 0, 0, -15)}
	head.title(t.Name, fmt.Sprintf("with memory and ops of server %d, which leads its hot tablet", t.HotServer))
	phaseNames(panel{Canvas: c, x: l.time}, r.Phases)
	l.time.ticks = panel{Canvas: c, x: l.time}.xTicks(8, func(n int) []plot.Tick { return clockTicks(l.time.max, n) })
	panels := l.panels(look)
	for i, area := range weighed(crop(c, 0, 0, strip+10, 0), panels, 8) {
		t := &panels[i]
		p := panel{Canvas: area, x: l.time, y: t.y}
		p.x.bare, p.y.bare = true, table > 0
		phaseBands(p, r.Phases)
		p.frame()
		t.drawIn(p, in, r, table, look)
		phaseLines(p, r.Phases)
		if table == 0 {
			t.name(p)
		}
	}
	gantt(panel{Canvas: crop(c, 0, 0, 0, c.Max.Y-c.Min.Y-strip), x: l.time}, r, table, kinds)
}

// scanP95 places an interval's p95 on the log axis; an interval with too few scans has none.
func scanP95(s results.Sample) float64 {
	if !results.Told(95, s.Scans) {
		return math.NaN()
	}
	return logUs(s.ScanP95)
}

// withoutP95 says why a table has no scan p95 at all.
func withoutP95(samples []results.Sample, table int) string {
	var most int64
	for _, s := range samples {
		if s.Table == table {
			most = max(most, s.Scans)
		}
	}
	if most == 0 {
		return "no scans"
	}
	return fmt.Sprintf("- (at most %d scans an interval; a p95 needs %d)", most, results.Needed(95))
}

// series draws one table's samples, with a gap where there is no value, and says whether there was any.
func (p panel) series(style draw.LineStyle, samples []results.Sample, table int, value func(results.Sample) float64) bool {
	var run plotter.XYs
	drawn := false
	flush := func() {
		if len(run) == 1 { // a lone value: as wide as can be seen
			run = append(run, plotter.XY{X: run[0].X + (p.x.max-p.x.min)/300, Y: run[0].Y})
		}
		p.line(style, envelope(run, p.x, int(p.Max.X-p.Min.X)))
		drawn = drawn || len(run) > 0
		run = run[:0]
	}
	for _, s := range samples {
		if s.Table != table {
			continue
		}
		if v := value(s); math.IsNaN(v) {
			flush()
		} else {
			run = append(run, plotter.XY{X: seconds(s.At), Y: v})
		}
	}
	flush()
	return drawn
}

// envelope thins a line to the first, lowest, highest and last point of each of n parts of the axis, which looks the same.
func envelope(line plotter.XYs, x axis, n int) plotter.XYs {
	if len(line) <= 2*n || n <= 0 {
		return line
	}
	var thin plotter.XYs
	for i := 0; i < len(line); {
		part := int(x.at(line[i].X) * float64(n))
		low, high, j := i, i, i
		for ; j < len(line) && int(x.at(line[j].X)*float64(n)) == part; j++ {
			if line[j].Y < line[low].Y {
				low = j
			}
			if line[j].Y > line[high].Y {
				high = j
			}
		}
		last := -1
		for _, k := range []int{i, min(low, high), max(low, high), j - 1} {
			if k > last {
				thin = append(thin, line[k])
				last = k
			}
		}
		i = j
	}
	return thin
}

// phaseBands shades every other phase.
func phaseBands(p panel, phases []results.Phase) {
	p.SetColor(band)
	for i, ph := range phases {
		if i%2 == 1 {
			p.Fill(vg.Rectangle{Min: p.point(seconds(ph.Start), p.y.min), Max: p.point(seconds(ph.End), p.y.max)}.Path())
		}
	}
}

// phaseLines marks where phases start and end.
func phaseLines(p panel, phases []results.Phase) {
	style := draw.LineStyle{Color: faint, Width: 0.8, Dashes: []vg.Length{2, 2}}
	last := p.Min.X
	for _, ph := range phases {
		for _, t := range []int64{ph.Start, ph.End} {
			if x := p.point(seconds(t), 0).X; x-last >= 0.5 && p.Max.X-x >= 0.5 {
				p.StrokeLine2(style, x, p.Min.Y, x, p.Max.Y)
				last = x
			}
		}
	}
}

// phaseNames writes each phase's name above its stretch of time, unless it would touch the one before.
func phaseNames(p panel, phases []results.Phase) {
	free := p.Min.X - 1000
	for _, ph := range phases {
		left, right := p.point(seconds(ph.Start), 0).X, p.point(seconds(ph.End), 0).X
		name := tickText(fmt.Sprintf("phase %s", ph.Name))
		if name.width() > right-left {
			name.text = ph.Name
		}
		x := (left + right) / 2
		if half := name.width() / 2; x-half >= free && x+half <= p.Max.X+14 {
			name.put(p, x, p.Max.Y+headAt-1, centered)
			free = x + half + 4
		}
	}
}
