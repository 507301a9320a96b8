package tablet

// Places returns where a rowset of those last given to Select or Height begins and ends on the axis of the tablet's data
// volume, from 0 to 1. i is its place in that input.
func (p *Planner) Places(i int) (from, to float64) { return p.cdf.from[i], p.cdf.to[i] }

// HeightAfter returns the average height once the picked rowsets of the last Select are merged. Their rows then lie in rowsets that
// do not overlap and follow each other from the first to the last key of them all, each but the last of the full size. So wherever
// the picked rowsets lie, and in gaps between them, one rowset is left of them. The data stays where it is, and with it the axis.
//
// It may exceed the height before, when small rowsets are merged across a gap that others fill.
func (p *Planner) HeightAfter(out *Selection) float64 {
	if len(out.Picked) == 0 {
		return out.Height
	}
	removed := 0.0
	first, last := p.Places(int(out.Picked[0]))
	for _, i := range out.Picked {
		from, to := p.Places(int(i))
		removed += to - from
		first, last = min(first, from), max(last, to)
	}
	return out.Height - removed + (last - first)
}
