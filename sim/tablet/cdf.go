package tablet

import "slices"

// cdf places the rowsets of a tablet on the axis of its data volume: 0 is the tablet's smallest key, 1 its largest, and
// the way between two keys is the share of the bytes that lie between them, as far as spans tell. Gaps without data have no
// width (Kudu's RowSetInfo).
type cdf struct {
	endpoints
	from, to     []float64 // by rowset: place of its smallest and largest key
	byMin, byMax []int32   // rowsets in the order of smallest and largest keys
	total        float64   // bytes on the axis; 0 when every span is one key, then all places are 0
	slopes       []slope
}

// slope adds up the bytes a unit of window of all active rowsets whose spans share the same number of bytes. Those rowsets
// hold the key being passed, so they share the bytes themselves and read the same windows: one sum serves them all.
//
// A rowset of a narrow span has a slope that can be 2^50 times another's. The sum is therefore kept in two floats
// (Neumaier 1974), so that what is left after it has gone is right.
type slope struct {
	prefix   int
	active   int
	last     uint64 // window of the key passed last
	sum, low float64
}

func (s *slope) add(v float64) {
	t := s.sum + v
	back := t - s.sum
	s.low += (s.sum - (t - back)) + (v - back)
	s.sum = t
}

// advance moves to key and returns the bytes passed.
func (s *slope) advance(key string) float64 {
	w := window(key, s.prefix)
	bytes := float64(w-s.last) * max(0, s.sum+s.low)
	s.last = w
	return bytes
}

// place computes the axis. Its time is that of sorting and of one step an endpoint, whatever the height.
func (c *cdf) place(rowsets []Sized) {
	n := len(rowsets)
	c.sort(rowsets)
	c.from = slices.Grow(c.from[:0], n)[:n]
	c.to = slices.Grow(c.to[:0], n)[:n]
	c.slopes = c.slopes[:0]
	c.sweep(rowsets)
	if c.total == 0 {
		return
	}
	for i := range n {
		c.from[i] /= c.total
		c.to[i] /= c.total
	}
}

// sweep passes all endpoints in the order of their keys. Nothing lies between equal keys.
func (c *cdf) sweep(rowsets []Sized) {
	c.total = 0
	c.byMin, c.byMax = c.byMin[:0], c.byMax[:0]
	for _, e := range c.sorted {
		key := e.key(rowsets)
		for i := range c.slopes {
			if c.slopes[i].active > 0 {
				c.total += c.slopes[i].advance(key)
			}
		}
		at := e.rowset()
		if e.stops() {
			c.to[at] = c.total
			c.byMax = append(c.byMax, at)
			c.leave(&rowsets[at])
		} else {
			c.from[at] = c.total
			c.byMin = append(c.byMin, at)
			c.enter(&rowsets[at])
		}
	}
}

// enter makes r active. A span whose windows are equal spreads no bytes.
func (c *cdf) enter(r *Sized) {
	if r.Span.lo == r.Span.hi {
		return
	}
	s := c.slope(r.Span.prefix)
	if s.active == 0 {
		*s = slope{prefix: s.prefix, last: r.Span.lo}
	}
	s.active++
	s.add(r.slope())
}

func (c *cdf) leave(r *Sized) {
	if r.Span.lo == r.Span.hi {
		return
	}
	s := c.slope(r.Span.prefix)
	s.active--
	s.add(-r.slope())
}

// slope returns the sum for spans that share prefix bytes.
func (c *cdf) slope(prefix int) *slope {
	for i := range c.slopes {
		if c.slopes[i].prefix == prefix {
			return &c.slopes[i]
		}
	}
	c.slopes = append(c.slopes, slope{prefix: prefix})
	return &c.slopes[len(c.slopes)-1]
}

// slope returns the bytes a unit of window.
func (r *Sized) slope() float64 { return float64(r.Weight) / float64(r.Span.hi-r.Span.lo) }

// height returns the average number of rowsets above a point of the axis.
func (c *cdf) height() float64 {
	h := 0.0
	for i := range c.from {
		h += c.to[i] - c.from[i]
	}
	return h
}
