package tablet

// item is a rowset as the knapsack sees it.
type item struct {
	value   float64
	density float64 // value a unit of weight
	weight  int64   // at least 1
}

// filling is a knapsack filled with the densest of the items added: as many as fit, and one more that may only fit in part.
// It bounds the value of the best whole items from below and above (Kudu's BoundCalculator, Dantzig 1957).
type filling struct {
	capacity int64
	weight   int64
	value    float64
	taken    []taken // by falling density, of equals the first added last
}

type taken struct {
	item
	at int32
}

func (f *filling) reset(capacity int64) {
	f.capacity, f.weight, f.value = capacity, 0, 0
	f.taken = f.taken[:0]
}

// add offers an item. A full knapsack ignores what is no denser than its least dense item.
func (f *filling) add(it *item, at int32) {
	n := len(f.taken)
	if f.weight >= f.capacity && it.density <= f.taken[n-1].density {
		return
	}
	f.taken = append(f.taken, taken{})
	for n > 0 && f.taken[n-1].density <= it.density {
		f.taken[n] = f.taken[n-1]
		n--
	}
	f.taken[n] = taken{*it, at}
	f.weight += it.weight
	f.value += it.value
	last := len(f.taken) - 1
	for f.weight-f.taken[last].weight > f.capacity {
		f.weight -= f.taken[last].weight
		f.value -= f.taken[last].value
		last--
	}
	f.taken = f.taken[:last+1]
}

// lower returns the value of a choice of whole items: all, or all but the least dense, or it alone, even where it does not
// fit.
func (f *filling) lower() float64 {
	if f.weight <= f.capacity {
		return f.value
	}
	last := &f.taken[len(f.taken)-1]
	return larger(f.value-last.value, last.value)
}

// upper returns what no choice that fits exceeds: the value with as much of the least dense item as fits.
func (f *filling) upper() float64 {
	if f.weight <= f.capacity {
		return f.value
	}
	last := &f.taken[len(f.taken)-1]
	return f.value - float64(float64(f.weight-f.capacity)*last.density)
}

// choice appends the items behind the lower bound to picked.
func (f *filling) choice(picked []int32) []int32 {
	chosen := f.taken
	if f.weight > f.capacity {
		last := len(chosen) - 1
		if f.value-chosen[last].value > chosen[last].value {
			chosen = chosen[:last]
		} else {
			chosen = chosen[last:]
		}
	}
	for i := range chosen {
		picked = append(picked, chosen[i].at)
	}
	return picked
}
