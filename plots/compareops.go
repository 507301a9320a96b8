package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"mmsim/results/oplog"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// DrawOps draws the ops of a real server above simulated ones on one time axis, and each table's height beneath, for an .svg or .png file
// of that name.
func DrawOps(w io.Writer, path string, real, sim *oplog.Log, c *oplog.Comparison) error {
	if _, ok := KindOf(path); !ok {
		return fmt.Errorf("plots: %q does not end in one of %v", path, endings)
	}
	if err := comparedOps(real, sim, c).draw(w, path); err != nil {
		return fmt.Errorf("plots: %w", err)
	}
	return nil
}

// Places in a figure of two op logs, in points.
const (
	laneNames  = vg.Length(88) // of the tables' names
	stripGap   = vg.Length(21) // above a strip, for its title
	heightGap  = vg.Length(7)  // between the tables' heights
	around     = vg.Length(133)
	leastLane  = vg.Length(3.5)
	leastPanel = vg.Length(34)
	mostLanes  = 60 // more tablets than these are not told apart
)

// opLanes is how ops are placed: a lane for each tablet, those of a table together.
type opLanes struct {
	tables []string       // sorted, "" for tablets of which the table is not known
	first  []int          // the first lane of each table
	lane   map[string]int // by tablet
	n      int
}

// lanesOf gives the tablets of both sides their lanes, or each table one if there are too many. Where no tablet has a name on both
// sides, each side's have the lanes to themselves.
func lanesOf(logs ...*oplog.Log) opLanes {
	var tablets, tables []string
	sides, together := make([]map[string]bool, len(logs)), false
	for k, l := range logs {
		sides[k] = map[string]bool{}
		for i := range l.Ops {
			tablets = append(tablets, l.Ops[i].Tablet)
			sides[k][l.Ops[i].Tablet] = true
			together = together || k > 0 && sides[0][l.Ops[i].Tablet]
			tables = append(tables, l.Ops[i].Table())
		}
		for i := range l.Tables {
			tables = append(tables, l.Tables[i].Name)
		}
	}
	slices.SortFunc(tablets, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }) // ta/2 before ta/10
	slices.Sort(tables)
	tablets, tables = slices.Compact(tablets), slices.Compact(tables)
	lanes := opLanes{tables: tables, lane: map[string]int{}}
	for _, table := range tables {
		lanes.first = append(lanes.first, lanes.n)
		before := lanes.n
		for _, group := range lanesWithin(table, tablets, sides, together) {
			for k, tablet := range group {
				if len(tablets) > mostLanes {
					k = 0
				}
				lanes.lane[tablet] = before + k
				lanes.n = max(lanes.n, before+k+1)
			}
		}
		lanes.n = max(lanes.n, before+1) // a table without ops keeps a lane, which says so
	}
	return lanes
}

func comparedOps(real, sim *oplog.Log, c *oplog.Comparison) figure {
	lanes := lanesOf(real, sim)
	heights := namedTables(lanes.tables)
	room := slideHeight - around - 3*stripGap - vg.Length(max(len(heights)-1, 0))*heightGap
	panelHeight := max(room*0.42/vg.Length(max(len(heights), 1)), leastPanel)
	if len(heights) == 0 {
		panelHeight = 0
	}
	below := vg.Length(len(heights)) * (panelHeight + heightGap)
	strip := max((slideHeight-around-3*stripGap-below)/2, vg.Length(lanes.n)*leastLane)
	return figure{
		width:  slideWidth,
		height: around + 3*stripGap + below + 2*strip,
		paint: func(canvas draw.Canvas) {
			area := page(canvas, "Do the same maintenance ops run at the same time?", agreementOf(c))
			area = crop(legend(area, opKeys(real, sim, c)), laneNames, 14, 36, 0)
			x := axis{max: max(float64(c.Window), 1e-3), title: "time since " + c.Zero}
			x.ticks = panel{Canvas: area, x: x}.xTicks(12, func(n int) []plot.Tick { return clockTicks(x.max, n) })
			bare := x
			bare.bare = true
			top := area.Max.Y - area.Min.Y
			at := func(y, height vg.Length, x axis) panel {
				return panel{Canvas: crop(area, 0, 0, top-y-height, y), x: x}
			}
			realStrip := at(stripGap, strip, bare)
			realStrip.title(capital(c.Real.Label), shortPath(real.Name))
			realStrip.opStrip(real, lanes, differsAt(c, true))
			last := bare
			if len(heights) == 0 {
				last = x
			}
			simStrip := at(2*stripGap+strip, strip, last)
			simStrip.title(capital(c.Sim.Label), shortPath(sim.Name))
			simStrip.opStrip(sim, lanes, differsAt(c, false))
			for i, table := range heights {
				axis := bare
				if i == len(heights)-1 {
					axis = x
				}
				p := at(3*stripGap+2*strip+vg.Length(i)*(panelHeight+heightGap), panelHeight, axis)
				if i == 0 {
					p.title("Average rowset height", aboutHeights(real, sim, c))
				}
				p.tableHeights(table, real, sim)
			}
		},
	}
}

// capital begins a label with a capital letter.
func capital(label string) string {
	_, n := utf8.DecodeRuneInString(label)
	return strings.ToUpper(label[:n]) + label[n:]
}

// shortPath keeps the last two parts of a path.
func shortPath(path string) string {
	parts := strings.Split(path, "/")
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}

func namedTables(tables []string) []string {
	return slices.DeleteFunc(slices.Clone(tables), func(t string) bool { return t == "" })
}

// lanesWithin gives the tablets of a table in the order of their lanes: those of all sides together, or side by side.
func lanesWithin(table string, tablets []string, sides []map[string]bool, together bool) [][]string {
	groups := make([][]string, len(sides))
	for _, tablet := range tablets {
		if oplog.TableOf(tablet) != table {
			continue
		}
		for i, side := range sides {
			if together || side[tablet] {
				groups[i] = append(groups[i], tablet)
			}
		}
	}
	return groups
}

// agreementOf says in a line how far the sides agree.
func agreementOf(c *oplog.Comparison) string {
	kind := shortKind(c.Kind)
	o := &c.Order
	if o.By == oplog.ByNone || o.Real == 0 || o.Sim == 0 {
		return fmt.Sprintf("%s: %d %s, %d %s; their order could not be compared", kind, o.Real, c.Real.Label, o.Sim, c.Sim.Label)
	}
	text := fmt.Sprintf("%s: %d %s, %d %s, ", kind, o.Real, c.Real.Label, o.Sim, c.Sim.Label)
	if o.First == nil {
		text += fmt.Sprintf("all %d in the same order", o.Prefix)
	} else {
		text += fmt.Sprintf("the first %d in the same order", o.Prefix)
	}
	if o.By == oplog.ByTable {
		text += " by table"
	}
	if tau := float64(o.Tau); !math.IsNaN(tau) {
		text += fmt.Sprintf(", Kendall tau %.3f over %d", tau, o.Common)
	}
	if d := c.Scores.Prefix; d != nil {
		text += fmt.Sprintf("; scores differ by %.2g at most there", math.Abs(float64(d.Difference)))
	}
	return text
}

// differsAt is when the first op ran that the other side has not in its place; NaN if there is none.
func differsAt(c *oplog.Comparison, real bool) float64 {
	d := c.Order.First
	switch {
	case d == nil || d.Real == nil || d.Sim == nil:
		return math.NaN()
	case real:
		return float64(d.Real.Chosen)
	default:
		return float64(d.Sim.Chosen)
	}
}

var (
	realLine = draw.LineStyle{Color: okabeIto[0], Width: 2.4}
	simLine  = draw.LineStyle{Color: okabeIto[2], Width: 1.5, Dashes: []vg.Length{5, 2}}
	parts    = draw.LineStyle{Color: alarm, Width: 1.1, Dashes: []vg.Length{2, 2}}
)

func opKeys(real, sim *oplog.Log, c *oplog.Comparison) []key {
	var kinds []string
	for _, l := range []*oplog.Log{real, sim} {
		for i := range l.Ops {
			if at := seconds(l.Ops[i].Chosen); 0 <= at && at <= float64(c.Window) {
				kinds = append(kinds, l.Ops[i].Kind)
			}
		}
	}
	slices.Sort(kinds)
	var keys []key
	for _, kind := range slices.Compact(kinds) {
		keys = append(keys, glyphKey(shortKind(kind), func(c draw.Canvas, at vg.Point) { swatch(c, at, kindColor(kind)) }))
	}
	if !math.IsNaN(differsAt(c, true)) {
		keys = append(keys, key{name: "order parts here", mark: sample(parts)})
	}
	return append(keys, key{name: "height, " + c.Real.Label, mark: sample(realLine)}, key{name: "height, " + c.Sim.Label, mark: sample(simLine)})
}

// aboutHeights says what the heights are and which side tells none.
func aboutHeights(real, sim *oplog.Log, c *oplog.Comparison) string {
	text := "mean over the tablets of each table"
	switch {
	case len(real.Tables) == 0 && len(sim.Tables) > 0:
		text += "; the " + c.Real.Label + " side tells none"
	case len(sim.Tables) == 0 && len(real.Tables) > 0:
		text += "; the " + c.Sim.Label + " side tells none"
	}
	return text
}

// opStrip draws the ops of one side as bars in the lanes of their tablets, those that take long on top.
func (p panel) opStrip(l *oplog.Log, lanes opLanes, parting float64) {
	p.y = axis{min: float64(lanes.n), max: 0, bare: true}
	for i := range lanes.tables {
		if i%2 == 1 {
			p.SetColor(band)
			p.Fill(vg.Rectangle{Min: p.point(p.x.min, float64(lanes.end(i))), Max: p.point(p.x.max, float64(lanes.first[i]))}.Path())
		}
	}
	p.frame()
	for i, table := range lanes.tables {
		p.laneName(table, lanes.first[i], lanes.end(i))
	}
	for _, kind := range byLength(l) {
		p.opBars(l, kind, lanes)
	}
	if at := p.point(parting, 0); !math.IsNaN(parting) && p.ContainsX(at.X) {
		p.StrokeLine2(parts, at.X, p.Min.Y, at.X, p.Max.Y)
	}
	p.outline(frame)
}

// end is the lane behind the last of a table.
func (l opLanes) end(table int) int {
	if table+1 < len(l.first) {
		return l.first[table+1]
	}
	return l.n
}

// laneName writes a table's name beside its lanes, and how many there are.
func (p panel) laneName(table string, from, to int) {
	if from > 0 {
		y := p.point(0, float64(from)).Y
		p.StrokeLine2(draw.LineStyle{Color: frame, Width: 0.6}, p.Min.X, y, p.Max.X, y)
	}
	name := table
	if name == "" {
		name = "table unknown"
	}
	y := p.point(0, float64(from+to)/2).Y
	count := tickText(fmt.Sprintf("%d tablets", to-from))
	if to-from > 1 && p.point(0, float64(from)).Y-p.point(0, float64(to)).Y >= 24 {
		count.put(p, p.Min.X-tickGap-2, y-6, fromRight)
		y += 6
	}
	words := bodyText(name)
	words.bold = true
	words.within(laneNames-tickGap-2).put(p, p.Min.X-tickGap-2, y, fromRight)
}

// byLength names the kinds of a log, those whose ops are longest last.
func byLength(l *oplog.Log) []string {
	longest := map[string]int64{}
	for i := range l.Ops {
		longest[l.Ops[i].Kind] = max(longest[l.Ops[i].Kind], l.Ops[i].Ran)
	}
	kinds := l.Kinds()
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(longest[a], longest[b]) })
	return kinds
}

// opBars draws the ops of a kind. What has not ended reaches to the end of the log, paler.
func (p panel) opBars(l *oplog.Log, kind string, lanes opLanes) {
	var ended, open vg.Path
	for i := range l.Ops {
		o := &l.Ops[i]
		from, to := seconds(o.Chosen), seconds(o.Chosen+o.Ran)
		if o.Ran == oplog.Unseen {
			to = seconds(l.End)
		}
		if o.Kind != kind || to < p.x.min || from > p.x.max {
			continue
		}
		bar := p.opBar(from, to, lanes.lane[o.Tablet]).Path()
		if o.Ran == oplog.Unseen {
			open = append(open, bar...)
		} else {
			ended = append(ended, bar...)
		}
	}
	for _, bars := range []struct {
		path  vg.Path
		color color.Color
	}{{open, paler(kindColor(kind), 0.5)}, {ended, kindColor(kind)}} {
		if len(bars.path) > 0 {
			p.SetColor(bars.color)
			p.Fill(bars.path)
		}
	}
}

// opBar is an op's place in its lane, wide enough to be seen.
func (p panel) opBar(from, to float64, lane int) vg.Rectangle {
	const least, gap = 0.75, 0.4
	r := vg.Rectangle{Min: p.point(max(from, p.x.min), float64(lane+1)), Max: p.point(min(to, p.x.max), float64(lane))}
	r.Max.X = min(max(r.Max.X, r.Min.X+least), p.Max.X)
	r.Min.X = min(r.Min.X, r.Max.X-least)
	r.Min.Y += gap
	r.Max.Y -= gap
	return r
}

// tableHeights draws the height of a table on both sides.
func (p panel) tableHeights(table string, real, sim *oplog.Log) {
	top, told := 1.0, false
	var lines []plotter.XYs
	for _, l := range []*oplog.Log{real, sim} {
		line := heightSteps(l, table)
		for _, point := range line {
			if point.X <= p.x.max {
				top = max(top, point.Y)
				told = true
			}
		}
		lines = append(lines, line)
	}
	p.y = axis{max: top * 1.12}
	p.y.ticks = linearTicks(top, 3, plain)
	p.frame()
	name := bodyText(table)
	name.bold = true
	name.within(laneNames-36).put(p, p.Min.X-36, p.Center().Y, fromRight)
	for i, style := range []draw.LineStyle{realLine, simLine} {
		p.line(style, lines[i])
	}
	if !told {
		p.note("no heights are told in this time")
	}
	p.outline(frame)
}

// heightSteps makes a staircase of a table's heights, up to the end of the log.
func heightSteps(l *oplog.Log, table string) (line plotter.XYs) {
	i := slices.IndexFunc(l.Tables, func(h oplog.HeightLine) bool { return h.Name == table })
	if i < 0 {
		return nil
	}
	h := &l.Tables[i]
	for k := range h.At {
		at := seconds(h.At[k])
		if k > 0 {
			line = append(line, plotter.XY{X: at, Y: h.Height[k-1]})
		}
		line = append(line, plotter.XY{X: at, Y: h.Height[k]})
	}
	if n := len(h.Height); n > 0 {
		line = append(line, plotter.XY{X: max(seconds(l.End), seconds(h.At[n-1])), Y: h.Height[n-1]})
	}
	return line
}
