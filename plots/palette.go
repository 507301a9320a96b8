package plots

import (
	"image/color"

	"mmsim/results"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	white = color.NRGBA{255, 255, 255, 255}
	ink   = color.NRGBA{34, 34, 34, 255}
	faint = color.NRGBA{95, 95, 95, 255}
	frame = color.NRGBA{160, 160, 160, 255}
	grid  = color.NRGBA{226, 226, 226, 255}
	band  = color.NRGBA{245, 245, 245, 255}
	alarm = color.NRGBA{170, 0, 0, 255}
)

// okabeIto is the palette of Okabe and Ito (2008), which people with any kind of colour blindness can tell apart, in an order that puts
// strong contrasts first. Its black is a dark grey here, so that bars are not heavy. Its yellow is too pale for lines on white.
var okabeIto = []color.NRGBA{
	{77, 77, 77, 255},    // black
	{0, 114, 178, 255},   // blue
	{213, 94, 0, 255},    // vermilion
	{0, 158, 115, 255},   // bluish green
	{204, 121, 167, 255}, // reddish purple
	{230, 159, 0, 255},   // orange
	{86, 180, 233, 255},  // sky blue
}

// dashes tell lines apart without colour. There is one fewer than colours, so pairs repeat only after 42 lines.
var dashes = [][]vg.Length{
	nil,
	{9, 3},
	{2.5, 2.5},
	{9, 2.5, 2.5, 2.5},
	{5, 5},
	{12, 2.5, 2.5, 2.5, 2.5, 2.5},
}

// lineStyle is how a policy line looks in every figure.
type lineStyle struct {
	name string
	draw.LineStyle
}

// lineStyles gives each run its look. Lines grow thinner, so that those drawn first show beside and between the
// dashes of later ones that lie on top of them.
func lineStyles(runs []*results.Run) []lineStyle {
	styles := make([]lineStyle, len(runs))
	for i, r := range runs {
		styles[i] = lineStyle{r.Line, draw.LineStyle{
			Color:  okabeIto[i%len(okabeIto)],
			Dashes: dashes[i%len(dashes)],
			Width:  max(3-vg.Length(i)*0.5, 1.5),
		}}
	}
	return styles
}

// kindColors are of Tol's muted scheme, safe for the colour-blind too and unlike the lines' colours.
var kindColors = map[string]color.NRGBA{
	"CompactRowSetsOp":       {51, 34, 136, 255},
	"FlushMRSOp":             {204, 102, 119, 255},
	"FlushDeltaMemStoresOp":  {68, 170, 153, 255},
	"MajorDeltaCompactionOp": {136, 34, 85, 255},
	"MinorDeltaCompactionOp": {170, 68, 153, 255},
	"LogGCOp":                {153, 153, 51, 255},
	"UndoDeltaBlockGCOp":     {17, 119, 51, 255},
	"DeletedRowSetGCOp":      {136, 204, 238, 255},
}

func kindColor(kind string) color.NRGBA {
	if c, ok := kindColors[kind]; ok {
		return c
	}
	return faint
}

// paler mixes a colour with white; share 1 leaves it as it is.
func paler(c color.NRGBA, share float64) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(255 - share*float64(255-v) + 0.5) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}
