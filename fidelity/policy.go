package fidelity

import "mmsim/sim/tablet"

// kuduPolicy is the compaction policy with Kudu 1.18's constants, but for the budget.
func kuduPolicy() tablet.PolicyConfig {
	const mebi = 1 << 20
	return tablet.PolicyConfig{TargetSize: 32 * mebi, WeightUnit: mebi, MinimumImprovement: 0.01, SmallRowsetTradeoff: 0.009, ApproximationRatio: 1.05, SupportAdjust: 1.003}
}
