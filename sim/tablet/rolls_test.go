package tablet

import (
	"testing"

	"mmsim/sim/engine"
)

// Full outputs of 1,000 rows on average and blocks of 100: a flush's end with its blocks, a compaction's anywhere in one, as 107 full rowsets of a real server do.
func TestRolls(t *testing.T) {
	sizes := &Sizes{BaseRow: 1000, IndexRow: 10, RowsetFixed: 500, RolledSize: 1_010_500, RolledBlock: 100}
	r := &Replica{Sizes: sizes, rand: engine.Stream(1, 0, "tablet", "rolls")}
	for range 3 {
		if n := r.rolls(false)(); n != 1000 {
			t.Errorf("a flush's output holds %d rows, want 1000", n)
		}
	}
	least, most, sum := int64(2000), int64(0), int64(0)
	roll := r.rolls(true)
	for range 10_000 {
		n := roll()
		least, most, sum = min(least, n), max(most, n), sum+n
	}
	if least != 950 || most != 1049 || sum < 9_985_000 || sum > 10_005_000 {
		t.Errorf("a compaction's outputs hold %d to %d rows, %d in the mean; want 950 to 1049, 1000", least, most, sum/10_000)
	}
	sizes.RolledBlock = 0
	if n := r.rolls(true)(); n != 1000 {
		t.Errorf("without blocks an output holds %d rows, want 1000", n)
	}
	*sizes = Sizes{BaseRow: 1000, RolledSize: 100, RolledBlock: 100}
	if a, b := r.rolls(true)(), r.rolls(false)(); a < 1 || b < 1 {
		t.Errorf("outputs hold %d and %d rows", a, b)
	}
}
