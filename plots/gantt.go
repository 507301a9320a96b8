package plots

import (
	"math"

	"mmsim/results"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// gantt draws one row a kind with the ops that ran for a table on the server of its hot tablet.
func gantt(p panel, r *results.Run, table int, kinds []string) {
	p.y = axis{max: 1, bare: true}
	phaseBands(p, r.Phases)
	p.frame()
	if len(kinds) == 0 {
		p.note("no maintenance op ran")
		return
	}
	for i, row := range rows(p.Canvas, len(kinds), 0) {
		if i > 0 {
			p.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.6}, p.Min.X, row.Max.Y, p.Max.X, row.Max.Y)
		}
		if table == 0 {
			name := bodyText(shortKind(kinds[i]))
			name.size = tickSize
			name.within(stripNames-8).put(p, p.Min.X-5, row.Center().Y, fromRight)
		}
		ran := panel{Canvas: crop(row, 0, 0, 2.5, 2.5), x: p.x}
		for _, b := range blocks(ran, r, table, kinds[i]) {
			p.SetColor(paler(kindColor(kinds[i]), b.tone))
			p.Fill(vg.Rectangle{Min: vg.Point{X: b.left, Y: ran.Min.Y}, Max: vg.Point{X: b.right, Y: ran.Max.Y}}.Path())
		}
	}
	phaseLines(p, r.Phases)
	p.outline(frame)
}

// block is a stretch of a row in one tone.
type block struct {
	left, right vg.Length
	tone        float64 // 1 = running all the time
}

// blocks joins the ops of a kind into stretches. The row is cut into columns as narrow as can be seen; each gets one of four
// tones by the share of its time in which an op ran, and neighbours of one tone are one block. So a figure's size
// depends on its width and not on how many ops ran.
func blocks(p panel, r *results.Run, table int, kind string) []block {
	const width = 0.75 // pt: one pixel of a screen
	n := int((p.Max.X - p.Min.X) / width)
	if n < 1 || p.x.max <= 0 {
		return nil
	}
	busy := occupancy(r, table, kind, p.x.max, n)
	var all []block
	for i, share := range busy {
		if share == 0 {
			continue
		}
		tone := math.Ceil(min(share, 1)*4-1e-9)*0.2 + 0.2
		left, right := p.Min.X+vg.Length(i)*width, p.Min.X+vg.Length(i+1)*width
		if k := len(all) - 1; k >= 0 && all[k].tone == tone && left-all[k].right < width/2 {
			all[k].right = right
		} else {
			all = append(all, block{left, right, tone})
		}
	}
	return all
}

// occupancy gives, for each of n equal parts of end seconds, the share in which an op of the kind ran for the table on the
// server of its hot tablet. It may exceed 1 where ops run side by side, and is above 0 wherever one ran at all.
func occupancy(r *results.Run, table int, kind string, end float64, n int) []float64 {
	busy := make([]float64, n)
	for i := range r.Ops {
		o := &r.Ops[i]
		if o.Kind != kind || o.Table != table || o.Server != r.Tables[table].HotServer {
			continue
		}
		until := o.End
		if until < 0 {
			until = r.End
		}
		from, to := seconds(o.Chosen)/end*float64(n), seconds(until)/end*float64(n)
		first, last := min(max(int(from), 0), n-1), min(max(int(to), 0), n-1)
		for k := first; k <= last; k++ {
			covered := min(to, float64(k+1)) - max(from, float64(k))
			if covered > 1e-9 || k == first {
				busy[k] += max(covered, 1e-6)
			}
		}
	}
	return busy
}
