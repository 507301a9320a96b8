package engine

import "testing"

// What runs for every operation allocates nothing.
func TestNoAllocations(t *testing.T) {
	r, d, h := Stream(1, 0, "x", "y"), LogNormal(1e6, 1), new(Histogram)
	tree, heap, station, pool := NewTree(9), new(Heap), NewStation(4, 8), NewPool(3)
	heap.Push(Event{})
	heap.Push(Event{})
	var at Time
	allocs := testing.AllocsPerRun(1000, func() {
		at += Time(d.Sample(&r))
		h.Record(at)
		tree.Set(int(r.Int64N(9)), at)
		tree.Min()
		e := heap.Pop()
		e.At = at
		heap.Push(e)
		station.Arrive(at, 3e6)
		pool.Arrive(at, 1e6)
		h.Reset()
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
