package tablet

import (
	"fmt"
	"math"
	"slices"
)

// Sized is one rowset offered to the compaction policy.
type Sized struct {
	Span   *Span
	Weight int64 // bytes that count against the budget and make up the axis: base data and REDO (and UNDO since KUDU-3734), at least 0
	Full   int64 // whole size on disk in bytes
}

// PolicyConfig holds the knobs of the budgeted compaction policy, which are flags of Kudu.
type PolicyConfig struct {
	Budget     int64 // bytes one compaction may read, at least WeightUnit
	TargetSize int64 // bytes from which a rowset no longer counts as small, above 0
	WeightUnit int64 // bytes in which weights and the budget are counted, rounded down, above 0; 1 MiB in Kudu

	MinimumImprovement  float64 // quality a selection must exceed, at least 0
	SmallRowsetTradeoff float64 // value of the smallest rowset for being small, at least 0 and below MinimumImprovement, else small rowsets are merged for ever
	ApproximationRatio  float64 // gain from which an exact search is worth while, at least 1
	SupportAdjust       float64 // how much more than its width the union of overlapping rowsets counts, at least 1; 1.003 in Kudu

	// What Kudu's policy did in the past.
	ExactEverywhere bool // before KUDU-1582: every start is searched exactly, whatever approximation says of it
	WidthOnly       bool // before KUDU-1400: a rowset is worth its width; SmallRowsetTradeoff counts as 0 and SupportAdjust as 1.01
	SmallByWeight   bool // before KUDU-2701: a rowset is small by its weight instead of its full size
	SmallUnbounded  bool // before KUDU-2704: a rowset above the target size loses value for it
}

// widthOnlyAdjust is SupportAdjust as it was before KUDU-1400.
const widthOnlyAdjust = 1.01

// KuduPolicy is the policy with the constants of every Kudu since KUDU-1400, and a budget in bytes.
func KuduPolicy(budget int64) PolicyConfig {
	const mebi = 1 << 20
	return PolicyConfig{Budget: budget, TargetSize: 32 * mebi, WeightUnit: mebi,
		MinimumImprovement: 0.01, SmallRowsetTradeoff: 0.009, ApproximationRatio: 1.05, SupportAdjust: 1.003}
}

// Selection is the answer of the policy.
type Selection struct {
	Quality       float64 // fall in average height, and more for small rowsets; 0 if nothing is worth while
	Picked        []int32 // places in the input in the order of largest keys; reused by the next Select
	Weight        int64   // of the picked, in units
	Height        float64 // average height of all offered
	HeightRemoved float64 // widths of the picked less that of the range they span together, at least 0
	Knapsacks     int     // rowsets from which the exact search starts, each a knapsack problem: all with ExactEverywhere, else at most those of Kudu, whose bounds are looser
}

// Planner runs the budgeted compaction policy. It only holds scratch space: one can serve any number of tablets, one at a
// time. The zero value is ready for use.
type Planner struct {
	cdf    cdf
	search search
}

// Height returns the average height of the tablet: how many rowsets' ranges hold a key, averaged over its data
// (Kudu's metric average_diskrowset_height).
func (p *Planner) Height(rowsets []Sized) float64 {
	p.cdf.place(rowsets)
	return p.cdf.height()
}

// Select picks the rowsets whose compaction lowers the tablet's average height most within the budget (Kudu's
// BudgetedCompactionPolicy). It allocates nothing once p and out have grown.
//
// Kudu writes the defaults of MinimumImprovement and ApproximationRatio as single precision constants. Both are rounded
// likewise.
func (p *Planner) Select(cfg *PolicyConfig, rowsets []Sized, out *Selection) error {
	if err := cfg.check(); err != nil {
		return err
	}
	for i := range rowsets {
		if r := &rowsets[i]; r.Span == nil || r.Weight < 0 || r.Full < 0 {
			return fmt.Errorf("rowset %d of %d: weight %d and full size %d bytes must be at least 0 and the span set", i, len(rowsets), r.Weight, r.Full)
		}
	}
	p.cdf.place(rowsets)
	*out = Selection{Picked: out.Picked[:0], Height: p.cdf.height()}
	if len(rowsets) < 2 {
		return nil
	}
	p.search.load(cfg, rowsets, &p.cdf)
	out.Quality, out.Knapsacks = p.search.run()
	if out.Quality == 0 {
		return nil
	}
	p.fill(out)
	return nil
}

// fill describes the selection found.
func (p *Planner) fill(out *Selection) {
	s := &p.search
	picked := s.picked()
	slices.Sort(picked)
	from, to := math.Inf(1), math.Inf(-1)
	for _, i := range picked {
		out.Picked = append(out.Picked, s.rowset[i])
		out.Weight += s.items[i].weight
		out.HeightRemoved += s.to[i] - s.from[i]
		from, to = min(from, s.from[i]), max(to, s.to[i])
	}
	out.HeightRemoved = max(0, out.HeightRemoved-(to-from))
}

// smallness is what a rowset is worth beyond its width: the most for an empty one, and nothing from the target size on.
func (c *PolicyConfig) smallness(r *Sized) float64 {
	if c.WidthOnly {
		return 0
	}
	size := r.Full
	if c.SmallByWeight {
		size = r.Weight
	}
	missing := 1 - float64(size)/float64(c.TargetSize)
	if missing < 0 && !c.SmallUnbounded {
		return 0
	}
	return c.SmallRowsetTradeoff * missing
}

// adjust is what the union of overlapping rowsets counts for each unit of its width.
func (c *PolicyConfig) adjust() float64 {
	if c.WidthOnly {
		return widthOnlyAdjust
	}
	return c.SupportAdjust
}

func (c *PolicyConfig) check() error {
	switch {
	case c.WeightUnit <= 0:
		return fmt.Errorf("weight unit %d must be above 0 bytes", c.WeightUnit)
	case c.Budget < c.WeightUnit:
		return fmt.Errorf("compaction budget %d must be at least the weight unit of %d bytes", c.Budget, c.WeightUnit)
	case c.TargetSize <= 0:
		return fmt.Errorf("target rowset size %d must be above 0 bytes", c.TargetSize)
	case !(c.MinimumImprovement >= 0):
		return fmt.Errorf("minimum improvement %v must be at least 0", c.MinimumImprovement)
	case !(c.SmallRowsetTradeoff >= 0):
		return fmt.Errorf("small rowset tradeoff %v must be at least 0", c.SmallRowsetTradeoff)
	case !(c.ApproximationRatio >= 1):
		return fmt.Errorf("approximation ratio %v must be at least 1", c.ApproximationRatio)
	case !(c.SupportAdjust >= 1):
		return fmt.Errorf("support adjustment %v must be at least 1", c.SupportAdjust)
	}
	return nil
}
