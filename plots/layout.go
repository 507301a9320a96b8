package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Layout is a tablet's disk rowsets and what a compaction would merge.
type Layout struct {
	Title               string // one line below the figure's name
	Rowsets             []Bar
	Height, HeightAfter float64 // average number of rowsets that hold a key, before and after
}

// Bar is where a rowset lies on the axis of the tablet's data volume, from 0 to 1.
type Bar struct {
	From, To float64
	Picked   bool
}

// DrawLayout draws a layout for an .svg or .png file of that name. Bars lie on top of each other where rowsets share keys, so that a place has as
// many as rowsets hold its key. If the picked ones are too narrow to be seen, a second panel shows their surroundings.
func DrawLayout(w io.Writer, path string, l Layout) error {
	if _, ok := KindOf(path); !ok {
		return fmt.Errorf("plots: %q does not end in one of %v", path, endings)
	}
	if err := layout(l).draw(w, path); err != nil {
		return fmt.Errorf("plots: %w", err)
	}
	return nil
}

// narrow is the share of the axis below which the picked rowsets get a panel of their own.
const narrow = 0.2

func layout(l Layout) figure {
	views := []axis{{max: 1}}
	if from, to, some := l.picked(); some && to-from < narrow {
		around := max(to-from, 1e-9)
		views = append(views, axis{min: max(0, from-around), max: min(1, to+around)})
	}
	return figure{
		width: slideWidth, height: slideHeight,
		paint: func(c draw.Canvas) {
			c = page(c, "Which rowsets would a compaction merge?", l.Title)
			c = crop(legend(c, layoutKeys), 66, 14, 36, 18)
			lanes, height := l.lanes()
			for i, area := range rows(c, len(views), 62) {
				p := panel{Canvas: area, x: views[i], y: axis{max: float64(height), title: "rowsets"}}
				p.y.ticks = linearTicks(p.y.max, 6, plain)
				p.x.title = "share of the tablet's data, in key order"
				p.x.ticks = shareTicks(p.x.min, p.x.max)
				p.frame()
				p.bars(l.Rowsets, lanes)
				p.outline(frame)
				if i == 0 {
					p.title("The whole tablet", fmt.Sprintf("average height %.4f, after the compaction %.4f", l.Height, l.HeightAfter))
				} else {
					p.title("Around the picked", "")
				}
			}
		},
	}
}

var layoutKeys = []key{
	glyphKey("picked", func(c draw.Canvas, at vg.Point) { swatch(c, at, pickedColor) }),
	glyphKey("other rowset", func(c draw.Canvas, at vg.Point) { swatch(c, at, restColor) }),
}

var (
	pickedColor = okabeIto[2]
	restColor   = paler(okabeIto[1], 0.4)
)

func swatch(c draw.Canvas, at vg.Point, fill color.Color) {
	const r = 5
	c.SetColor(fill)
	c.Fill(vg.Rectangle{Min: vg.Point{X: at.X - r, Y: at.Y - r}, Max: vg.Point{X: at.X + r, Y: at.Y + r}}.Path())
}

// picked gives the range that the picked rowsets span together.
func (l *Layout) picked() (from, to float64, some bool) {
	from = 1
	for _, b := range l.Rowsets {
		if b.Picked {
			from, to, some = min(from, b.From), max(to, b.To), true
		}
	}
	return from, to, some
}

// lanes gives each bar the lowest lane that is free where it begins, and the number of lanes. Bars that end where others begin share a
// lane, but not those without width, which would be hidden.
func (l *Layout) lanes() (lane []int, n int) {
	order := make([]int, len(l.Rowsets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.Rowsets[a].From, l.Rowsets[b].From) })
	lane = make([]int, len(order))
	var last []Bar // of each lane
	for _, i := range order {
		b := l.Rowsets[i]
		at := slices.IndexFunc(last, func(before Bar) bool {
			return before.To < b.From || before.To == b.From && before.From < before.To && b.From < b.To
		})
		if at < 0 {
			at, last = len(last), append(last, b)
		}
		lane[i], last[at] = at, b
	}
	return lane, max(len(last), 1)
}

// bars draws the rowsets in their lanes, the picked on top. All of a colour are one path, which keeps a figure of many rowsets small.
func (p panel) bars(rowsets []Bar, lanes []int) {
	for _, look := range []struct {
		picked bool
		color  color.Color
		least  vg.Length // width, so that what is narrow can be seen
	}{{false, restColor, 0.4}, {true, pickedColor, 1}} {
		var path vg.Path
		for i, b := range rowsets {
			if b.Picked == look.picked && b.To >= p.x.min && b.From <= p.x.max {
				path = append(path, p.bar(b, lanes[i], look.least).Path()...)
			}
		}
		if len(path) > 0 {
			p.SetColor(look.color)
			p.Fill(path)
		}
	}
}

// bar gives a rowset's area within the panel, a little apart from those of its neighbours if it is large enough.
func (p panel) bar(b Bar, lane int, least vg.Length) vg.Rectangle {
	const gap = 0.5
	r := vg.Rectangle{Min: p.point(max(b.From, p.x.min), float64(lane)), Max: p.point(min(b.To, p.x.max), float64(lane+1))}
	if r.Max.X-r.Min.X > 3*gap {
		r.Max.X -= gap
	}
	if r.Max.Y-r.Min.Y > 3*gap {
		r.Max.Y -= gap
	}
	r.Min.X = min(r.Min.X, p.Max.X-least)
	r.Max.X = max(r.Max.X, r.Min.X+least)
	return r
}

// shareTicks marks shares between two as percentages.
func shareTicks(from, to float64) []plot.Tick {
	step := roundStep((to-from)*100/8) / 100
	decimals := 0
	for s := step * 100; s < 0.999 && decimals < 12; s *= 10 {
		decimals++
	}
	var ticks []plot.Tick
	for i := int(from / step); float64(i)*step <= to*(1+1e-9) && len(ticks) < 20; i++ {
		if v := float64(i) * step; v >= from {
			ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v*100, 'f', decimals, 64) + " %"})
		}
	}
	return ticks
}
