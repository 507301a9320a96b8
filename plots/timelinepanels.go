package plots

import (
	"image/color"
	"math"

	"mmsim/results"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MemoryLines are the marks on a server's memory.
type MemoryLines struct {
	Limit                        int64   // bytes; 0 = not known
	PressurePercent, SoftPercent float64 // of it
}

// Colours of the marks on a server's memory.
var (
	pressureColor = color.NRGBA{230, 159, 0, 255} // okabeIto's orange
	softColor     = alarm
)

func markStyle(c color.Color) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: 1, Dashes: []vg.Length{5, 2}}
}

// strand is a line of a table over time: one value a sample.
type strand struct {
	style draw.LineStyle
	value func(results.Sample) float64
}

// timelinePanel is a panel of a timeline.
type timelinePanel struct {
	title   string
	more    string // beneath the title
	y       axis
	weight  vg.Length // of its height
	strands []strand
	server  bool                                             // it shows the memory of the hot tablet's server
	empty   func(samples []results.Sample, table int) string // says why there is no value
}

// panels lists the panels of a timeline from the top.
func (l *limits) panels(look lineStyle) []timelinePanel {
	line, hot := solid(look), hotStyle(look)
	one := func(value func(results.Sample) float64) []strand { return []strand{{line, value}} }
	return []timelinePanel{
		{title: "scan p95", y: l.latency, weight: 1.5, strands: one(scanP95), empty: withoutP95},
		{title: "rowset height", more: "mean over all keys", y: l.height, weight: 1.3, strands: []strand{{line, height}, {hot, hotHeight}}},
		{title: "rowsets", y: l.rowsets, weight: 0.7, strands: one(rowsets)},
		{title: "REDO files", y: l.redo, weight: 0.7, strands: one(redoFiles)},
		{title: "memory stores", y: l.memory, weight: 0.7, strands: one(storeBytes)},
		{title: "WAL held", y: l.wal, weight: 0.7, strands: one(walBytes)},
		{title: "server memory", more: l.serverUnit, y: l.server, weight: 1.3, server: true},
	}
}

func height(s results.Sample) float64     { return s.Height }
func hotHeight(s results.Sample) float64  { return s.HotHeight }
func rowsets(s results.Sample) float64    { return float64(s.Rowsets) }
func redoFiles(s results.Sample) float64  { return float64(s.RedoFiles) }
func storeBytes(s results.Sample) float64 { return float64(s.Memory) }
func walBytes(s results.Sample) float64   { return float64(s.WAL) }

// name writes the panel's title in the middle of the left, and more beneath.
func (t *timelinePanel) name(p panel) {
	const room = stripNames - 30
	x, y := p.Min.X-stripNames, p.Center().Y
	if t.more != "" {
		tickText(t.more).within(room+6).put(p, x, y-bodySize*0.65, fromLeft)
		y += bodySize * 0.5
	}
	bodyText(t.title).within(room).put(p, x, y, fromLeft)
}

// linear is an axis from 0 to a little above the most, which is at least least.
func linear(most, least float64, ticks int, units []unit) axis {
	a := axis{max: max(most*1.08, least)}
	a.ticks = linearTicks(a.max, ticks, units)
	return a
}

// serverAxis is in percent of the limit, and marks the lines that a server goes by; in bytes if the limit is not known.
func (m MemoryLines) serverAxis(runs []*results.Run) axis {
	var most float64
	for _, r := range runs {
		for _, s := range r.ServerSamples {
			most = max(most, float64(s.Memory))
		}
	}
	if m.Limit == 0 {
		return linear(most, 1024, 3, byteUnits)
	}
	a := axis{max: max(100, most*100/float64(m.Limit)) * 1.08, ticks: []plot.Tick{{Value: 0, Label: "0"}}}
	for _, mark := range []float64{m.PressurePercent, m.SoftPercent, 100} {
		a.ticks = append(a.ticks, plot.Tick{Value: mark, Label: percentUnits.format(mark)})
	}
	return a
}

var percentUnits = unit{"%", 1}

// drawIn draws one table's part of the panel.
func (t *timelinePanel) drawIn(p panel, in Input, r *results.Run, table int, look lineStyle) {
	if t.server {
		p.serverMemory(in.Memory, r, r.Tables[table].HotServer, solid(look))
		return
	}
	drawn := false
	for _, s := range t.strands {
		drawn = p.series(s.style, r.Samples, table, s.value) || drawn
	}
	if !drawn && t.empty != nil {
		p.note(t.empty(r.Samples, table))
	}
}

// serverMemory draws the memory that a server uses, on the marks of its limits.
func (p panel) serverMemory(m MemoryLines, r *results.Run, server int, style draw.LineStyle) {
	scale := 1.0
	if m.Limit > 0 {
		scale = 100 / float64(m.Limit)
		for _, mark := range []struct {
			percent float64
			color   color.Color
		}{{m.PressurePercent, pressureColor}, {m.SoftPercent, softColor}} {
			y := p.point(0, mark.percent).Y
			p.StrokeLine2(markStyle(mark.color), p.Min.X, y, p.Max.X, y)
		}
	}
	var line plotter.XYs
	for _, s := range r.ServerSamples {
		if s.Server == server {
			line = append(line, plotter.XY{X: seconds(s.At), Y: float64(s.Memory) * scale})
		}
	}
	p.line(style, envelope(line, p.x, int(p.Max.X-p.Min.X)))
}

// weighed cuts an area into rows with heights in proportion to the panels' weights.
func weighed(c draw.Canvas, panels []timelinePanel, gap vg.Length) []draw.Canvas {
	var all vg.Length
	for i := range panels {
		all += panels[i].weight
	}
	unit := (c.Max.Y - c.Min.Y - vg.Length(len(panels)-1)*gap) / all
	parts := make([]draw.Canvas, len(panels))
	top := vg.Length(0)
	for i := range panels {
		height := unit * panels[i].weight
		parts[i] = crop(c, 0, 0, c.Max.Y-c.Min.Y-top-height, top)
		top += height + gap
	}
	return parts
}

// mostOf is the largest value of all samples.
func mostOf(runs []*results.Run, value func(results.Sample) float64) (most float64) {
	for _, r := range runs {
		for _, s := range r.Samples {
			most = math.Max(most, value(s))
		}
	}
	return most
}
