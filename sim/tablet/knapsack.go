package tablet

// knapsack solves the 0-1 knapsack problem item by item (dynamic programming by capacity, Bellman 1957).
type knapsack struct {
	capacity int64
	value    []float64 // best value by capacity, up to the weight of all items: what is beyond is of no use
	rows     []float64 // of trace: value after each item
	starts   []int     // of trace: where each item's row starts in rows
}

func (k *knapsack) reset(capacity int64) {
	k.capacity = capacity
	k.value = append(k.value[:0], 0)
}

// best returns the value of the best choice of the items added.
func (k *knapsack) best() float64 { return k.value[len(k.value)-1] }

// add offers an item. What weighs more than the capacity never enters.
func (k *knapsack) add(it *item) {
	if it.weight > k.capacity {
		return
	}
	all := k.best()
	for grow := min(it.weight, k.capacity+1-int64(len(k.value))); grow > 0; grow-- {
		k.value = append(k.value, all)
	}
	with := k.value[it.weight:]
	without := k.value[:len(with)]
	for c := len(with) - 1; c >= 0; c-- {
		if v := without[c] + it.value; v > with[c] {
			with[c] = v
		}
	}
}

// trace appends to picked those of places whose items are the best choice. It solves the problem anew and keeps all steps.
func (k *knapsack) trace(capacity int64, items []item, places, picked []int32) []int32 {
	k.reset(capacity)
	k.rows, k.starts = append(k.rows[:0], 0), append(k.starts[:0], 0)
	for _, at := range places {
		k.add(&items[at])
		k.starts = append(k.starts, len(k.rows))
		k.rows = append(k.rows, k.value...)
	}
	c := int64(len(k.value) - 1)
	for i := len(places) - 1; i >= 0; i-- {
		if k.after(i+1, c) > k.after(i, c) {
			picked = append(picked, places[i])
			c = min(c, k.width(i+1)-1) - items[places[i]].weight
		}
	}
	return picked
}

// after returns the best value of the first n items at a capacity.
func (k *knapsack) after(n int, capacity int64) float64 {
	return k.rows[int64(k.starts[n])+min(capacity, k.width(n)-1)]
}

// width returns the number of capacities in use after n items.
func (k *knapsack) width(n int) int64 {
	end := len(k.rows)
	if n+1 < len(k.starts) {
		end = k.starts[n+1]
	}
	return int64(end - k.starts[n])
}
