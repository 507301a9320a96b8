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
	time, latency, height, memory axis
}

// timelineLimits spans every run.
func timelineLimits(runs []*results.Run) limits {
	var end, height, memory float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range runs {
		end = max(end, seconds(r.End))
		for _, s := range r.Samples {
			end = max(end, seconds(s.At))
			height = max(height, s.Height, s.HotHeight)
			memory = max(memory, float64(s.Memory))
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
		latency: axis{min: low - 0.1, max: max(high+0.1, low+0.9), title: "scan p95"},
		height:  axis{max: max(height*1.08, 1), title: "rowset height"},
		memory:  axis{max: max(memory*1.08, 1024), title: "memory"},
	}
	l.latency.ticks = latencyTicks(l.latency.min, l.latency.max)
	l.height.ticks = linearTicks(l.height.max, 4, plain)
	l.memory.ticks = linearTicks(l.memory.max, 4, byteUnits)
	return l
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// Places in a timeline figure, in points.
const (
	stripRow   = vg.Length(15)  // of one kind in the Gantt strip
	stripNames = vg.Length(112) // of the kinds' names
)

// timeline draws, for one policy and each table (columns), scan p95, rowset height and memory over time, and beneath them the
// maintenance ops that ran for the table on the server of its hot tablet.
func timeline(in Input, r *results.Run, look lineStyle, l limits, kinds []string) figure {
	strip := vg.Length(max(len(kinds), 1)) * stripRow
	return figure{
		width:  max(slideWidth, 150+vg.Length(len(r.Tables))*270),
		height: max(slideHeight, strip+410),
		paint: func(c draw.Canvas) {
			c = page(c, "When do scans slow down, and what runs then? Policy "+r.Line, in.subtitle())
			if len(r.Tables) == 0 {
				panel{Canvas: c}.note("no tables")
				return
			}
			c = crop(legend(c, timelineKeys(look)), stripNames, 14, 36, 34)
			for i, column := range columns(c, len(r.Tables), 22) {
				timelineColumn(column, r, i, look, l, kinds, strip)
			}
		},
	}
}

// hotStyle is how the hot tablet's line looks beside the mean's.
func hotStyle(look lineStyle) draw.LineStyle {
	return draw.LineStyle{Color: look.Color, Width: 1.1, Dashes: []vg.Length{3, 2}}
}

func solid(look lineStyle) draw.LineStyle { return draw.LineStyle{Color: look.Color, Width: 1.6} }

func timelineKeys(look lineStyle) []key {
	block := func(share float64) func(draw.Canvas, vg.Length, vg.Length, vg.Length) {
		return func(c draw.Canvas, left, right, y vg.Length) {
			c.SetColor(paler(faint, share))
			c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: y - 4}, Max: vg.Point{X: right, Y: y + 4}}.Path())
		}
	}
	return []key{
		{name: "whole table (mean height, sum of memory)", mark: sample(solid(look))},
		{name: "leader of the hot tablet", mark: sample(hotStyle(look))},
		{name: "op runs", mark: block(1)},
		{name: "op runs part of the time", mark: block(0.4)},
	}
}

// timelineColumn draws one table's panels, the top one first.
func timelineColumn(c draw.Canvas, r *results.Run, table int, look lineStyle, l limits, kinds []string, strip vg.Length) {
	t := r.Tables[table]
	head := panel{Canvas: crop(c, 0, 0, 0, -15)}
	head.title(t.Name, fmt.Sprintf("with the ops on server %d, which leads its hot tablet", t.HotServer))
	phaseNames(panel{Canvas: c, x: l.time}, r.Phases)
	l.time.ticks = panel{Canvas: c, x: l.time}.xTicks(8, func(n int) []plot.Tick { return clockTicks(l.time.max, n) })
	series := rows(crop(c, 0, 0, strip+12, 0), 3, 10)
	for i, s := range []struct {
		y     axis
		empty string
		value func(results.Sample) float64
		hot   func(results.Sample) float64
	}{
		{l.latency, withoutP95(r.Samples, table), scanP95, nil},
		{l.height, "", func(s results.Sample) float64 { return s.Height }, func(s results.Sample) float64 { return s.HotHeight }},
		{l.memory, "", func(s results.Sample) float64 { return float64(s.Memory) }, nil},
	} {
		p := panel{Canvas: series[i], x: l.time, y: s.y}
		p.x.bare, p.y.bare = true, table > 0
		phaseBands(p, r.Phases)
		p.frame()
		drawn := p.series(solid(look), r.Samples, table, s.value)
		if s.hot != nil {
			p.series(hotStyle(look), r.Samples, table, s.hot)
		}
		if !drawn && s.empty != "" {
			p.note(s.empty)
		}
		phaseLines(p, r.Phases)
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
