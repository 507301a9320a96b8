package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Font sizes in points, at slide size.
const (
	titleSize = vg.Length(18)
	headSize  = vg.Length(12)
	bodySize  = vg.Length(10.5)
	tickSize  = vg.Length(9.5)
)

// Where a text lies relative to its point: the share of its width to the left of it.
const (
	fromLeft  = 0.0
	centered  = 0.5
	fromRight = 1.0
)

// bold is golang.org/x/image/font's WeightBold.
const bold = 3

// words is a text with its look.
type words struct {
	text  string
	size  vg.Length
	color color.Color
	bold  bool
	up    bool // reads from bottom to top
}

func (w words) face() font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if w.bold {
		f.Weight = bold
	}
	return plot.DefaultTextHandler.Cache().Lookup(f, w.size)
}

func (w words) width() vg.Length {
	face := w.face()
	return face.Width(w.text)
}

// put writes the text with its middle line at y, of which align is to the left of x.
func (w words) put(c vg.Canvas, x, y vg.Length, align float64) {
	if w.text == "" {
		return
	}
	const middle = 0.36 // of the font's size: half the height of a capital
	c.Push()
	defer c.Pop()
	c.SetColor(w.color)
	c.Translate(vg.Point{X: x, Y: y})
	if w.up {
		c.Rotate(math.Pi / 2)
	}
	c.FillString(w.face(), vg.Point{X: -vg.Length(align) * w.width(), Y: -middle * w.size}, w.text)
}

// within shortens the text until it fits into width, and ends it with an ellipsis if it had to.
func (w words) within(width vg.Length) words {
	if w.width() <= width {
		return w
	}
	runes := []rune(w.text)
	for n := len(runes) - 1; n > 0; n-- {
		if w.text = string(runes[:n]) + "…"; w.width() <= width {
			return w
		}
	}
	w.text = ""
	return w
}

func tickText(s string) words { return words{text: s, size: tickSize, color: faint} }
func bodyText(s string) words { return words{text: s, size: bodySize, color: ink} }
func headText(s string) words { return words{text: s, size: headSize, color: ink, bold: true} }
