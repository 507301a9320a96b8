package sim

import (
	"fmt"
	"math"

	"mmsim/configs"
)

// expand writes out what stands for many in the initial state: a tablet with the key "same" stands for so many from it on; a rowset with "times" is there as
// often, with "tiles" it lies so many times side by side in its span, and with "scatter" there are so many up to as large, wherever.
func expand(e map[string]any) error {
	list, _ := e["initial"].([]any)
	var all []any
	for _, x := range list {
		n, ok := x.(map[string]any)
		if !ok {
			return fmt.Errorf("initial: %v is no mapping", x)
		}
		var rowsets []any
		list, _ := n["rowsets"].([]any)
		for _, x := range list {
			r, ok := x.(map[string]any)
			if !ok {
				return fmt.Errorf("rowsets: %v is no mapping", x)
			}
			some, err := rowsetsOf(r)
			if err != nil {
				return err
			}
			rowsets = append(rowsets, some...)
		}
		same, _ := n["same"].(int)
		delete(n, "same")
		first, _ := n["tablet"].(int)
		for i := range max(same, 1) {
			all = append(all, laid(n, map[string]any{"tablet": first + i, "rowsets": rowsets}))
		}
	}
	if all != nil {
		e["initial"] = all
	}
	return nil
}

// rowsetsOf lists the rowsets that one stands for.
func rowsetsOf(r map[string]any) (all []any, err error) {
	times, _ := r["times"].(int)
	tiles, _ := r["tiles"].(int)
	scatter, _ := r["scatter"].(int)
	for _, key := range []string{"times", "tiles", "scatter"} {
		delete(r, key)
	}
	for range max(times, 1) {
		all = append(all, r)
	}
	if tiles+scatter == 0 {
		return all, nil
	}
	from, to, err := span(r)
	if err != nil {
		return nil, err
	}
	all = nil
	for i := range tiles {
		wide := (to - from) / float64(tiles)
		all = append(all, laid(r, map[string]any{"span": []any{from + float64(float64(i)*wide), from + float64((float64(i)+.999)*wide)}}))
	}
	size, err := configs.ParseBytes(fmt.Sprint(r["size"]))
	if scatter > 0 && err != nil {
		return nil, err
	}
	for i := range scatter { // multiples of irrational numbers, less their whole part, are spread evenly
		part := func(of float64) float64 { return math.Mod(float64(i+1)*of, 1) }
		left := from + float64((to-from)*part(math.Phi))
		right := min(to, left+float64((to-from)*.2*part(math.E)))
		all = append(all, laid(r, map[string]any{"span": []any{left, right}, "size": configs.Bytes(float64(size) * (.1 + float64(.9*part(math.Sqrt2)))).String()}))
	}
	return all, nil
}

func span(r map[string]any) (from, to float64, err error) {
	ends, _ := r["span"].([]any)
	if len(ends) != 2 {
		return 0, 0, fmt.Errorf("span: %v has no two ends", r["span"])
	}
	place := func(x any) float64 {
		if n, ok := x.(int); ok {
			return float64(n)
		}
		f, _ := x.(float64)
		return f
	}
	return place(ends[0]), place(ends[1]), nil
}
