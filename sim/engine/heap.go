package engine

// Event is something that happens at a time. What Kind, A, B and C mean is the business of who pushes and pops it.
type Event struct {
	At      Time
	Kind    int32
	A, B, C int32
}

// Heap is a queue of events by time; events of equal time pop in the order they were pushed. The zero value is empty
// and ready. It is a plain binary heap of values, written for this one type because a call to compare would cost
// more than the comparison.
type Heap struct {
	items []item
	seq   uint64
}

type item struct {
	Event
	seq uint64
}

func (a *item) before(b *item) bool {
	return a.At < b.At || a.At == b.At && a.seq < b.seq
}

// Len is the number of events waiting.
func (h *Heap) Len() int { return len(h.items) }

// MinAt is the time of the next event, Never if there is none.
func (h *Heap) MinAt() Time {
	if len(h.items) == 0 {
		return Never
	}
	return h.items[0].At
}

// Push adds an event.
func (h *Heap) Push(e Event) {
	it := item{e, h.seq}
	h.seq++
	h.items = append(h.items, it)
	i := len(h.items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !it.before(&h.items[parent]) {
			break
		}
		h.items[i] = h.items[parent]
		i = parent
	}
	h.items[i] = it
}

// Pop removes and returns the next event. An empty heap gives an event at Never.
func (h *Heap) Pop() Event {
	if len(h.items) == 0 {
		return Event{At: Never}
	}
	top := h.items[0].Event
	n := len(h.items) - 1
	last := h.items[n]
	h.items = h.items[:n]
	if n > 0 {
		h.sink(last)
	}
	return top
}

// sink puts it into the hole at the root and lets it sink to its place.
func (h *Heap) sink(it item) {
	items, i := h.items, 0
	for {
		child := 2*i + 1
		if child >= len(items) {
			break
		}
		if right := child + 1; right < len(items) && items[right].before(&items[child]) {
			child = right
		}
		if !items[child].before(&it) {
			break
		}
		items[i] = items[child]
		i = child
	}
	items[i] = it
}
