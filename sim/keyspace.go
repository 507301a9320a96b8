package sim

import (
	"encoding/binary"

	"mmsim/configs"
	"mmsim/workloads"
)

// keySpace gives a tablet's keys their places, and places their keys. Keys that are spread evenly lie between the smallest and the largest that the tablet holds at
// the start, if those are known: the 8 bytes after what these two have in common tell the place, as in Kudu's compaction policy.
type keySpace struct {
	keys        *workloads.Keys
	between     bool
	prefix      string
	first, last uint64
}

// newKeySpace makes the key space of a tablet; initial is what it holds at the start, nil = nothing.
func newKeySpace(order workloads.Order, keys *workloads.Keys, initial *configs.Initial) *keySpace {
	s := &keySpace{keys: keys}
	smallest, largest := ends(initial)
	if order != workloads.Uniform || largest == "" {
		return s
	}
	n := 0
	for n < min(len(smallest), len(largest)) && smallest[n] == largest[n] {
		n++
	}
	s.between, s.prefix = true, smallest[:n]
	s.first, s.last = s.after(smallest), s.after(largest)
	return s
}

// ends are the smallest and the largest key of a tablet's rowsets; empty if none is given.
func ends(initial *configs.Initial) (smallest, largest string) {
	if initial == nil {
		return "", ""
	}
	found := false
	for i := range initial.Rowsets {
		k := initial.Rowsets[i].Keys
		if len(k) != 2 {
			continue
		}
		if !found {
			smallest, largest, found = k[0], k[1], true
		}
		smallest, largest = min(smallest, k[0]), max(largest, k[1])
	}
	return smallest, largest
}

// after is the 8 bytes of a key after the prefix.
func (s *keySpace) after(key string) uint64 {
	var b [8]byte
	copy(b[:], key[min(len(s.prefix), len(key)):])
	return binary.BigEndian.Uint64(b[:])
}

// place is the place of a key, from 0 to 1.
func (s *keySpace) place(key string) (float64, bool) {
	if !s.between {
		return s.keys.Place(key)
	}
	if s.last == s.first {
		return 0, true
	}
	return float64(s.after(key)-s.first) / float64(s.last-s.first), true
}

// at is a key at a place.
func (s *keySpace) at(place float64) string {
	if !s.between {
		return s.keys.At(place)
	}
	step := min(uint64(place*float64(s.last-s.first)), s.last-s.first)
	return string(binary.BigEndian.AppendUint64([]byte(s.prefix), s.first+step))
}
