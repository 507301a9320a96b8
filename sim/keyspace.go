package sim

import (
	"encoding/binary"

	"mmsim/configs"
	"mmsim/sim/client"
	"mmsim/workloads"
)

// keysOf is how a table's keys are named: YCSB's in the order in which its first client that inserts does so.
func keysOf(e *configs.Experiment, t *configs.Table) *workloads.Keys {
	order, digits := e.InsertOrder(t.Name)
	switch {
	case t.Keys == "padded":
		return workloads.NewKeys(workloads.Padded)
	case t.Keys == "uniform":
		return workloads.NewKeys(workloads.Uniform)
	case configs.Appends(order, digits):
		return workloads.NewAppended(digits, e.Room(t.Name))
	case order == "ordered":
		return workloads.NewKeys(workloads.Ordered)
	}
	return workloads.NewKeys(workloads.Hashed)
}

// deal gives the threads that insert in a phase ranges of keys of their own: each of those that have a certain number of rows to load, and those that take turns.
func (w *world) deal(p *configs.Phase, table int, loads []*client.Load) {
	var turns *client.Turns
	var longest int64
	give := func(t *client.Turns, span int64) {
		w.keys[table].Deal(t.First, w.dealt[table], t.Of, span)
		w.dealt[table] += t.Of * span
	}
	for i := range p.Clients {
		c, l := &p.Clients[i], loads[i]
		if w.table(c.Table) != table || !c.Workload.Inserts() {
			continue
		}
		if span := w.exp.Span(p, c); c.Workload.Loads() {
			give(&l.Insert, span)
		} else {
			turns, longest = &l.Insert, max(longest, span)
		}
	}
	if turns != nil {
		give(turns, longest)
	}
}

// keySpace gives a tablet's keys their places, and places their keys. Keys that are spread evenly lie between the smallest and the largest that the tablet holds at
// the start, if those are known: the 8 bytes after what these two have in common tell the place, as in Kudu's compaction policy.
type keySpace struct {
	keys        *workloads.Keys
	from, width float64 // of the table's key space, where the tablet has a range of it; width 0 = all
	between     bool
	prefix      string
	first, last uint64
}

// newKeySpace makes the key space of a tablet; initial is what it holds at the start, nil = nothing.
func newKeySpace(keys *workloads.Keys, initial *configs.Initial) *keySpace {
	s := &keySpace{keys: keys}
	smallest, largest := ends(initial)
	if keys.Order() != workloads.Uniform || largest == "" {
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
	if s.width > 0 {
		return s.keys.At(s.from + float64(place*s.width))
	}
	if !s.between {
		return s.keys.At(place)
	}
	step := min(uint64(place*float64(s.last-s.first)), s.last-s.first)
	return string(binary.BigEndian.AppendUint64([]byte(s.prefix), s.first+step))
}
