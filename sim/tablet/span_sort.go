package tablet

import (
	"math/bits"
	"slices"
)

// endpoint is the smallest or largest key of a rowset's span.
type endpoint struct {
	head uint64 // the key's first bytes after those all keys of the tablet share
	id   int32  // 2 * rowset, + 1 for the largest key
	code uint32 // three digits of head, see radix
}

func (e endpoint) rowset() int32 { return e.id >> 1 }
func (e endpoint) stops() bool   { return e.id&1 == 1 }

func (e endpoint) key(rowsets []Sized) string {
	s := rowsets[e.rowset()].Span
	if e.stops() {
		return s.max
	}
	return s.min
}

// endpoints holds the ends of all spans of a tablet in the order of their keys. Among equal keys the order of the input
// decides (in Kudu that of the rowsets' addresses), and a span of one key starts before it stops.
type endpoints struct {
	sorted, spare []endpoint
	rowsets       []Sized // while sorting
}

func (e *endpoints) sort(rowsets []Sized) {
	e.rowsets = rowsets
	p := tabletPrefix(rowsets)
	e.sorted = slices.Grow(e.sorted[:0], 2*len(rowsets))
	all, none := uint64(0), ^uint64(0)
	for i := range rowsets {
		s := rowsets[i].Span
		lo, hi := window(s.min, p), window(s.max, p)
		all |= lo | hi
		none &= lo & hi
		e.sorted = append(e.sorted, endpoint{head: lo, id: int32(2 * i)}, endpoint{head: hi, id: int32(2*i + 1)})
	}
	if len(e.sorted) > 64 {
		e.radix(all &^ none)
	}
	if !e.insertion() {
		slices.SortFunc(e.sorted, e.compare)
	}
	e.rowsets = nil
}

// tabletPrefix returns how many leading bytes all keys share.
func tabletPrefix(rowsets []Sized) int {
	if len(rowsets) == 0 {
		return 0
	}
	first := rowsets[0].Span.min
	p := len(first)
	for i := range rowsets {
		s := rowsets[i].Span
		p = min(p, s.prefix)
		if s.min[:p] != first[:p] {
			p = commonPrefix(s.min[:p], first)
		}
	}
	return p
}

// insertion sorts unless that takes more than a few moves an endpoint, and tells which.
func (e *endpoints) insertion() bool {
	ends := e.sorted
	left := 16 * len(ends)
	for i := 1; i < len(ends); i++ {
		v, j := ends[i], i
		for j > 0 && (v.head < ends[j-1].head || v.head == ends[j-1].head && e.compare(v, ends[j-1]) < 0) {
			ends[j] = ends[j-1]
			j--
		}
		ends[j] = v
		if left -= i - j; left < 0 {
			return false
		}
	}
	return true
}

// compare orders by key, then by id.
func (e *endpoints) compare(a, b endpoint) int {
	ka, kb := a.key(e.rowsets), b.key(e.rowsets)
	switch {
	case ka < kb:
		return -1
	case ka > kb:
		return 1
	}
	return int(a.id) - int(b.id)
}

// digit reads up to 8 bits of a head that are not the same in all heads: those of one byte, or of two that vary in few bits,
// as decimal digits do.
type digit struct {
	shift, shift2, width2 uint8
	mask, mask2           uint64
}

func (d *digit) of(head uint64) uint32 {
	return uint32((head>>(d.shift&63)&d.mask)<<(d.width2&7) | head>>(d.shift2&63)&d.mask2)
}

// radix sorts by the first three digits, the last of them first. varying has the bits in which heads differ.
func (e *endpoints) radix(varying uint64) {
	var digits [3]digit
	shift := 56
	for i := range digits {
		shift = digits[i].choose(varying, shift)
	}
	var counts [3][256]int32
	for i := range e.sorted {
		v := &e.sorted[i]
		d2, d1, d0 := digits[0].of(v.head), digits[1].of(v.head), digits[2].of(v.head)
		v.code = d2<<16 | d1<<8 | d0
		counts[0][uint8(d0)]++
		counts[1][uint8(d1)]++
		counts[2][uint8(d2)]++
	}
	e.spare = slices.Grow(e.spare[:0], len(e.sorted))[:len(e.sorted)]
	for i := range counts {
		next := &counts[i]
		at := int32(0)
		for d, n := range next {
			next[d] = at
			at += n
		}
		for _, v := range e.sorted {
			d := uint8(v.code >> (8 * i))
			e.spare[next[d]] = v
			next[d]++
		}
		e.sorted, e.spare = e.spare, e.sorted
	}
}

// choose makes d the digit of the byte at shift, and of the next if there is room, and returns the shift after it. Past the
// last byte all digits are 0.
func (d *digit) choose(varying uint64, shift int) int {
	width := func(shift int) int {
		if shift < 0 {
			return 0
		}
		return bits.Len8(uint8(varying >> shift))
	}
	w, w2 := width(shift), width(shift-8)
	if w+w2 > 8 {
		*d = digit{shift: uint8(shift), mask: 1<<w - 1}
		return shift - 8
	}
	*d = digit{
		shift: uint8(max(shift, 0)), mask: 1<<w - 1,
		shift2: uint8(max(shift-8, 0)), mask2: 1<<w2 - 1, width2: uint8(w2),
	}
	return shift - 16
}
