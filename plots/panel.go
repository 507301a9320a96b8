package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// axis is one side of a panel.
type axis struct {
	min, max float64
	ticks    []plot.Tick // those without a label are minor
	title    string      // what is measured, with the unit where the ticks do not say it
	bare     bool        // true: another panel that shares the axis has the labels
}

// at gives v's place as a share of the axis.
func (a axis) at(v float64) float64 {
	if a.max == a.min {
		return 0
	}
	return (v - a.min) / (a.max - a.min)
}

// panel is one pair of axes. Its canvas is the area of the data; titles and labels lie outside.
type panel struct {
	draw.Canvas
	x, y axis
}

func (p panel) point(x, y float64) vg.Point {
	return vg.Point{X: p.X(p.x.at(x)), Y: p.Y(p.y.at(y))}
}

// Distances around a panel, in points.
const (
	tickGap  = vg.Length(4)  // from the data area to the labels of its ticks
	xTitleAt = vg.Length(27) // from the data area down to the middle of the x axis's title
	headAt   = vg.Length(9)  // from the data area up to the middle of the panel's title
)

// frame draws grid, ticks and titles; data goes on top.
func (p panel) frame() {
	line := draw.LineStyle{Color: grid, Width: 0.6}
	for _, t := range p.x.ticks {
		if x := p.X(p.x.at(t.Value)); t.Label != "" && p.ContainsX(x) {
			p.StrokeLine2(line, x, p.Min.Y, x, p.Max.Y)
		}
	}
	for _, t := range p.y.ticks {
		if y := p.Y(p.y.at(t.Value)); t.Label != "" && p.ContainsY(y) {
			p.StrokeLine2(line, p.Min.X, y, p.Max.X, y)
		}
	}
	p.outline(frame)
	p.xLabels()
	p.yLabels()
}

func (p panel) outline(c color.Color) {
	p.StrokeLines(draw.LineStyle{Color: c, Width: 0.6}, []vg.Point{p.Min, {X: p.Max.X, Y: p.Min.Y}, p.Max, {X: p.Min.X, Y: p.Max.Y}, p.Min})
}

// xLabels writes the labels from the left, leaving out those that would touch the one before.
func (p panel) xLabels() {
	if p.x.bare {
		return
	}
	for _, l := range p.placeLabels(p.x.ticks) {
		tickText(l.text).put(p, l.left, p.Min.Y-tickGap-tickSize/2, fromLeft)
	}
	bodyText(p.x.title).within(p.Max.X-p.Min.X).put(p, p.Center().X, p.Min.Y-xTitleAt, centered)
}

// placed is a label with the place of its left end.
type placed struct {
	text string
	left vg.Length
}

// placeLabels finds the labels of the x axis that have room. Those at the ends keep off the panels beside this one.
func (p panel) placeLabels(ticks []plot.Tick) []placed {
	const beyond, gap = 6, 5
	var labels []placed
	free := p.Min.X - 1000
	for _, t := range ticks {
		x, width := p.X(p.x.at(t.Value)), tickText(t.Label).width()
		left := min(max(x-width/2, p.Min.X-beyond), p.Max.X+beyond-width)
		if t.Label != "" && p.ContainsX(x) && left >= free {
			labels = append(labels, placed{t.Label, left})
			free = left + width + gap
		}
	}
	return labels
}

// xTicks gives the x axis the finest of up to n steps whose labels all have room.
func (p panel) xTicks(n int, ticks func(n int) []plot.Tick) []plot.Tick {
	for ; n > 1; n-- {
		if fine := ticks(n); len(p.placeLabels(fine)) == len(fine) {
			return fine
		}
	}
	return ticks(1)
}

func (p panel) yLabels() {
	if p.y.bare {
		return
	}
	widest := vg.Length(36) // so that titles of panels on top of each other align
	free := p.Min.Y - 1000
	for _, t := range p.y.ticks {
		y, w := p.Y(p.y.at(t.Value)), tickText(t.Label)
		if t.Label == "" || !p.ContainsY(y) || y-tickSize/2 < free {
			continue
		}
		w.put(p, p.Min.X-tickGap, y, fromRight)
		widest, free = max(widest, w.width()), y+tickSize/2
	}
	title := bodyText(p.y.title).within(p.Max.Y - p.Min.Y + 20)
	title.up = true
	title.put(p, p.Min.X-2*tickGap-widest-bodySize/2, p.Center().Y, centered)
}

// title names the panel, above its left corner; more is written behind it in a lighter tone if there is room.
func (p panel) title(name, more string) {
	width := p.Max.X - p.Min.X
	head := headText(name).within(width)
	head.put(p, p.Min.X, p.Max.Y+headAt, fromLeft)
	tail := tickText(more)
	if x := head.width() + 8; x+tail.width() <= width {
		tail.put(p, p.Min.X+x, p.Max.Y+headAt, fromLeft)
	}
}

// note says in the middle of an empty panel why it is empty.
func (p panel) note(text string) {
	w := tickText(text).within(p.Max.X - p.Min.X - 12)
	half := vg.Point{X: w.width()/2 + 5, Y: tickSize * 0.7}
	p.SetColor(white)
	p.Fill(vg.Rectangle{Min: p.Center().Sub(half), Max: p.Center().Add(half)}.Path())
	w.put(p, p.Center().X, p.Center().Y, centered)
}

// line draws a line through points given in data coordinates, cut off at the panel's edges.
func (p panel) line(style draw.LineStyle, data plotter.XYs) {
	points := make([]vg.Point, len(data))
	for i, d := range data {
		points[i] = p.point(d.X, d.Y)
	}
	p.StrokeLines(style, p.ClipLinesXY(points)...)
}

// crop gives an area without its margins.
func crop(c draw.Canvas, left, right, bottom, top vg.Length) draw.Canvas {
	return draw.Crop(c, left, -right, bottom, -top)
}

// columns and rows cut an area into parts of equal size with gaps between them.
func columns(c draw.Canvas, n int, gap vg.Length) []draw.Canvas {
	width := (c.Max.X - c.Min.X - vg.Length(n-1)*gap) / vg.Length(n)
	parts := make([]draw.Canvas, n)
	for i := range parts {
		left := vg.Length(i) * (width + gap)
		parts[i] = crop(c, left, c.Max.X-c.Min.X-left-width, 0, 0)
	}
	return parts
}

func rows(c draw.Canvas, n int, gap vg.Length) []draw.Canvas {
	height := (c.Max.Y - c.Min.Y - vg.Length(n-1)*gap) / vg.Length(n)
	parts := make([]draw.Canvas, n)
	for i := range parts {
		top := vg.Length(i) * (height + gap)
		parts[i] = crop(c, 0, 0, c.Max.Y-c.Min.Y-top-height, top)
	}
	return parts
}
