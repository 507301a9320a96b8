package plots

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const margin = vg.Length(24)

// page starts a figure: it paints the ground, writes title and subtitle, which may have several lines, and gives the area below them.
func page(c draw.Canvas, title, subtitle string) draw.Canvas {
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	c = crop(c, margin, margin, margin*2/3, margin)
	width := c.Max.X - c.Min.X
	words{text: title, size: titleSize, color: ink, bold: true}.within(width).put(c, c.Min.X, c.Max.Y-titleSize*0.36, fromLeft)
	below := titleSize + 9
	for _, line := range strings.Split(subtitle, "\n") {
		words{text: line, size: bodySize, color: faint}.within(width).put(c, c.Min.X, c.Max.Y-below, fromLeft)
		below += 15
	}
	if strings.Contains(subtitle, "\n") {
		below += 4
	}
	return crop(c, 0, 0, 0, below-4)
}

// key is one entry of a legend.
type key struct {
	name string
	mark func(c draw.Canvas, left, right, y vg.Length) // draws the sample
	slim bool                                          // the sample is a single mark
}

func (k key) width() vg.Length {
	if k.slim {
		return 12
	}
	return sampleWidth
}

const (
	sampleWidth  = vg.Length(34)
	legendHeight = vg.Length(17) // of one row
)

// lineKeys are the legend's entries of the policy lines.
func lineKeys(lines []lineStyle) []key {
	var keys []key
	for _, l := range lines {
		keys = append(keys, key{name: l.name, mark: sample(l.LineStyle)})
	}
	return keys
}

// sample draws a piece of a line.
func sample(style draw.LineStyle) func(draw.Canvas, vg.Length, vg.Length, vg.Length) {
	return func(c draw.Canvas, left, right, y vg.Length) { c.StrokeLine2(style, left, y, right, y) }
}

// glyphKey is the legend's entry of a single mark.
func glyphKey(name string, mark func(c draw.Canvas, at vg.Point)) key {
	return key{name: name, slim: true, mark: func(c draw.Canvas, left, right, y vg.Length) { mark(c, vg.Point{X: (left + right) / 2, Y: y}) }}
}

// legend writes the keys in rows at the top of an area and gives the rest of it.
func legend(c draw.Canvas, keys []key) draw.Canvas {
	if len(keys) == 0 {
		return c
	}
	x, y := c.Min.X, c.Max.Y-legendHeight/2
	for _, k := range keys {
		text := k.width() + 6
		name := bodyText(k.name).within(c.Max.X - c.Min.X - text)
		if x > c.Min.X && x+text+name.width() > c.Max.X {
			x, y = c.Min.X, y-legendHeight
		}
		k.mark(c, x, x+k.width(), y)
		name.put(c, x+text, y, fromLeft)
		x += text + name.width() + 22
	}
	return crop(c, 0, 0, 0, c.Max.Y-y+legendHeight/2+4)
}

// diamond is the review's mark: filled for after, hollow for before.
func diamond(c draw.Canvas, at vg.Point, filled bool) {
	const r = 5
	var path vg.Path
	path.Move(vg.Point{X: at.X - r, Y: at.Y})
	path.Line(vg.Point{X: at.X, Y: at.Y + r})
	path.Line(vg.Point{X: at.X + r, Y: at.Y})
	path.Line(vg.Point{X: at.X, Y: at.Y - r})
	path.Close()
	c.SetColor(white)
	if filled {
		c.SetColor(ink)
	}
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: 1.2})
	if filled {
		c.SetLineStyle(draw.LineStyle{Color: white, Width: 0.8})
	}
	c.Stroke(path)
}
