package policies

// PriorityWeighted is Kudu's whole formula (MaintenanceManager::AdjustedPerfScore): (perf + workload) * multiplier^priority.
// Its bound is 0 by default, which is a server with the workload score switched off.
func PriorityWeighted() Spec {
	multiplier := Param{Name: "multiplier", Type: Float, Default: 1.1, Min: 1, Max: 100,
		Help: "Factor for each step of a table's priority (Kudu's maintenance_op_multiplier)."}
	limit := Param{Name: "range", Type: Int, Default: int64(5), Min: 0, Max: 20,
		Help: "Priorities beyond plus or minus this many steps count as this many (Kudu's max_priority_range)."}
	return Spec{
		Name:    "priority-weighted",
		Version: builtinVersion,
		Summary: "Ranks ops by perf_improvement and workload, weighted by their table's priority.",
		Params:  append([]Param{boundParam(0), multiplier, limit}, hotParams()...),
		Columns: ColPerf | ColPriority | workloadColumns,
		New: func(v Values) (Policy, error) {
			return priorityWeighted{newWorkload(v), powers(v.Float("multiplier"), v.Int("range"))}, nil
		},
	}
}

type priorityWeighted struct {
	workload workload
	up       []float64 // up[n] = multiplier^n, n from 0 to the range
}

func (p priorityWeighted) Score(_ int64, _ int, c *Candidates, scores []float64) error {
	for i, perf := range c.Perf {
		if perf == 0 { // an op that improves nothing stays out
			scores[i] = 0
			continue
		}
		scores[i] = p.weigh(perf+p.workload.score(c, i), c.Priority[i])
	}
	return nil
}

// weigh multiplies by multiplier^priority, the priority clamped to the range.
func (p priorityWeighted) weigh(score float64, priority int32) float64 {
	limit := int32(len(p.up) - 1)
	n := max(-limit, min(priority, limit))
	if n < 0 {
		return score / p.up[-n]
	}
	return float64(score * p.up[n])
}

// powers gives base^0 to base^n by repeated multiplication, which rounds alike on every architecture; math.Pow need not.
func powers(base float64, n int64) []float64 {
	up := []float64{1}
	for range n {
		up = append(up, float64(up[len(up)-1]*base))
	}
	return up
}
