package tablet

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func newItem(value float64, weight int64) *item {
	return &item{value: value, weight: weight, density: value / float64(weight)}
}

// TestPile: three heavy rowsets of at least 30, and light ones of 10 and 20 worth .3 and .2 a unit.
func TestPile(t *testing.T) {
	p := pile{least: 30, fit: 3}
	for _, it := range []*item{newItem(1, 31), newItem(5, 30), newItem(4, 20), newItem(7, 40), newItem(3, 10), newItem(6, 30), newItem(2, 30)} {
		p.add(it)
	}
	for _, tt := range []struct {
		room int64
		want float64
	}{
		{-1, 0},
		{0, 0},
		{10, 3},
		{29, 3 + 19*.2},
		{30, 7},             // also both light
		{60, 7 + 7},         // 7, both light
		{95, 7 + 6 + 3 + 4}, // more than 7, 6, 5 and half of the first light
		{119, 7 + 6 + 5 + 3 + 19*.2},
		{500, 7 + 6 + 5 + 3 + 4}, // no more than 3 heavy
	} {
		if got := p.worth(tt.room); !near(got, tt.want, 1e-12) {
			t.Errorf("room %d: worth %v, want %v", tt.room, got, tt.want)
		}
	}
}

// TestPileBounds: no choice that fits is worth more, and if all weigh the same the best is worth as much.
func TestPileBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const budget = 128
		weights := rapid.SampledFrom([]*rapid.Generator[int64]{rapid.Just(int64(32)), rapid.Int64Range(16, 40)}).Draw(t, "weights")
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *item {
			return newItem(rapid.Float64Range(0, 1).Draw(t, "value"), weights.Draw(t, "weight"))
		}), 1, mostLight).Draw(t, "items")
		room := rapid.Int64Range(0, budget).Draw(t, "room")
		least := rapid.SampledFrom(items).Draw(t, "least").weight
		p := pile{least: least, fit: int(budget / least)}
		k := knapsack{}
		k.reset(room)
		for _, it := range items {
			p.add(it)
			k.add(it)
		}
		equal := !slices.ContainsFunc(items, func(it *item) bool { return it.weight != least })
		if got, best := p.worth(room), k.best(); got < best-1e-12 || equal && !near(got, best, 1e-12) {
			t.Fatalf("worth %v, best choice %v", got, best)
		}
	})
}
