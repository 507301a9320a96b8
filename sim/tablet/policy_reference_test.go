package tablet

import (
	"cmp"
	"slices"
)

// What follows is the policy as plainly as it can be said: all pairs, all intervals, all active rowsets. The tests hold the
// fast one against it.

// placedRowset is a rowset on the axis.
type placedRowset struct {
	input                    int
	min, max                 string
	from, to, value, density float64
	weight                   int64
}

// referencePlaces returns the axis as two slices by input.
func referencePlaces(rowsets []Sized) (from, to []float64) {
	type end struct {
		key   string
		input int
		stop  bool
	}
	var ends []end
	for i, r := range rowsets {
		ends = append(ends, end{r.Span.Min(), i, false}, end{r.Span.Max(), i, true})
	}
	slices.SortStableFunc(ends, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.input, b.input))
	})
	from, to = make([]float64, len(rowsets)), make([]float64, len(rowsets))
	var active []int
	total, last := 0.0, ""
	for _, e := range ends {
		for _, i := range active {
			r := rowsets[i]
			p := commonPrefix(r.Span.Min(), r.Span.Max())
			lo, hi := window(r.Span.Min(), p), window(r.Span.Max(), p)
			if lo != hi {
				total += float64(r.Weight) * (float64(window(e.key, p)-window(last, p)) / float64(hi-lo))
			}
		}
		last = e.key
		if e.stop {
			to[e.input] = total
			active = slices.DeleteFunc(active, func(i int) bool { return i == e.input })
		} else {
			from[e.input] = total
			active = append(active, e.input)
		}
	}
	if total > 0 {
		for i := range rowsets {
			from[i] /= total
			to[i] /= total
		}
	}
	return from, to
}

// referenceSelect picks from rowsets at the given places. picked are inputs in the order of largest keys.
func referenceSelect(cfg PolicyConfig, rowsets []Sized, from, to []float64) (quality float64, picked []int32, knapsacks int) {
	if len(rowsets) < 2 {
		return 0, nil, 0
	}
	budget := cfg.Budget / cfg.WeightUnit
	least, ratio := float64(float32(cfg.MinimumImprovement)), float64(float32(cfg.ApproximationRatio))
	if cfg.WidthOnly {
		cfg.SmallRowsetTradeoff, cfg.SupportAdjust = 0, 1.01
	}
	var byMin []placedRowset
	for i, r := range rowsets {
		weight := max(1, r.Weight/cfg.WeightUnit)
		size := r.Full
		if cfg.SmallByWeight {
			size = r.Weight
		}
		missing := 1 - float64(size)/float64(cfg.TargetSize)
		if !cfg.SmallUnbounded {
			missing = max(0, missing)
		}
		value := to[i] - from[i] + float64(cfg.SmallRowsetTradeoff*missing)
		byMin = append(byMin, placedRowset{i, r.Span.Min(), r.Span.Max(), from[i], to[i], value, value / float64(weight), weight})
	}
	byMax := slices.Clone(byMin)
	slices.SortFunc(byMin, func(a, b placedRowset) int { return cmp.Or(cmp.Compare(a.min, b.min), cmp.Compare(a.input, b.input)) })
	slices.SortFunc(byMax, func(a, b placedRowset) int { return cmp.Or(cmp.Compare(a.max, b.max), cmp.Compare(a.input, b.input)) })
	score := func(value, width float64) float64 {
		if value <= width {
			return value - width
		}
		return value - float64(cfg.SupportAdjust*width)
	}

	best, set := 0.0, []placedRowset(nil)
	var uppers []float64
	for _, a := range byMin {
		var heap []placedRowset // in the order added
		weight, value, end, upperBest := int64(0), 0.0, a.to, 0.0
		top := func() int { // the first added of the least dense
			t := 0
			for i := range heap {
				if heap[i].density < heap[t].density {
					t = i
				}
			}
			return t
		}
		for _, b := range byMax {
			if b.from < a.from {
				continue
			}
			end = max(end, b.to)
			if weight < budget || b.density > heap[top()].density {
				heap = append(heap, b)
				weight += b.weight
				value += b.value
				for weight-heap[top()].weight > budget {
					t := top()
					weight -= heap[t].weight
					value -= heap[t].value
					heap = slices.Delete(heap, t, t+1)
				}
			}
			lower, upper, chosen := value, value, heap
			if excess := weight - budget; excess > 0 {
				t := top()
				upper = value - float64(float64(excess)*heap[t].density)
				if lower = value - heap[t].value; lower > heap[t].value {
					chosen = slices.Delete(slices.Clone(heap), t, t+1)
				} else {
					lower, chosen = heap[t].value, heap[t:t+1]
				}
			}
			upperBest = max(upperBest, score(upper, end-a.from))
			if s := score(lower, end-a.from); s > best {
				best, set = s, slices.Clone(chosen)
			}
		}
		uppers = append(uppers, upperBest)
	}
	if cfg.ExactEverywhere {
		best, set = 0, nil
	} else if 2*best <= least || slices.Max(uppers) <= least {
		return 0, nil, 0
	}

	for i, a := range byMin {
		if !cfg.ExactEverywhere && uppers[i] <= best*ratio {
			continue
		}
		knapsacks++
		values := make([]float64, budget+1)
		var taken [][]bool
		var items []placedRowset
		end := a.to
		for _, b := range byMax {
			if b.from < a.from {
				continue
			}
			end = max(end, b.to)
			items = append(items, b)
			gain := make([]bool, budget+1)
			for c := budget; c >= b.weight; c-- {
				if v := values[c-b.weight] + b.value; v > values[c] {
					values[c], gain[c] = v, true
				}
			}
			taken = append(taken, gain)
			if s := score(values[budget], end-a.from); s > best {
				best, set = s, nil
				for c, k := budget, len(items)-1; k >= 0; k-- {
					if taken[k][c] {
						set = append(set, items[k])
						c -= items[k].weight
					}
				}
			}
		}
	}
	if best <= least {
		return 0, nil, knapsacks
	}
	for _, b := range byMax {
		if slices.ContainsFunc(set, func(p placedRowset) bool { return p.input == b.input }) {
			picked = append(picked, int32(b.input))
		}
	}
	return best, picked, knapsacks
}
