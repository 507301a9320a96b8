package maintenance

import (
	"mmsim/rules"
	"mmsim/sim/tablet"
)

// PolicyByRules is a compaction policy as servers with these rules have it: its numbers as they are, its past where rules are off.
func PolicyByRules(p tablet.PolicyConfig, r *rules.Set) tablet.PolicyConfig {
	p.ExactEverywhere = !r.ApproximateSearch
	p.WidthOnly = !r.SmallRowsetValue
	p.SmallByWeight = !r.SmallByFullSize
	p.SmallUnbounded = !r.SmallValueFloor
	return p
}
