package tablet

import (
	"encoding/binary"
	"fmt"
)

// Span is the key range of one rowset as the compaction policy sees it: both ends belong to it. It is computed once a
// rowset and never changes.
type Span struct {
	min, max string
	prefix   int    // bytes that min and max have in common
	lo, hi   uint64 // what follows the prefix in min and max, see window
}

// NewSpan returns the span from the smallest to the largest key of a rowset. Keys may be any bytes. It fails when min
// is above max.
func NewSpan(min, max string) (Span, error) {
	if min > max {
		return Span{}, fmt.Errorf("rowset's smallest key %q is above its largest %q", min, max)
	}
	p := commonPrefix(min, max)
	return Span{min: min, max: max, prefix: p, lo: window(min, p), hi: window(max, p)}, nil
}

// Min returns the smallest key.
func (s *Span) Min() string { return s.min }

// Max returns the largest key.
func (s *Span) Max() string { return s.max }

// commonPrefix returns how many leading bytes a and b share.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// window reads the 8 bytes of key from offset at as a big-endian number, as if zero bytes followed the key. Kudu spreads
// a rowset's bytes evenly over the windows between its two keys.
func window(key string, at int) uint64 {
	if at+8 <= len(key) {
		b := key[at : at+8]
		return uint64(b[7]) | uint64(b[6])<<8 | uint64(b[5])<<16 | uint64(b[4])<<24 |
			uint64(b[3])<<32 | uint64(b[2])<<40 | uint64(b[1])<<48 | uint64(b[0])<<56
	}
	return shortWindow(key, at)
}

func shortWindow(key string, at int) uint64 {
	var b [8]byte
	copy(b[:], key[min(at, len(key)):])
	return binary.BigEndian.Uint64(b[:])
}
