package policies

// WorkloadScaled raises the perf_improvement of ops of hot tablets, by adding Kudu's workload score or by scaling with it.
func WorkloadScaled() Spec {
	combine := Param{Name: "combine", Type: Choice, Default: "add", Choices: []string{"add", "multiply"},
		Help: "How the workload score changes perf: add gives perf + workload (Kudu), multiply gives perf * (1 + workload)."}
	return Spec{
		Name:    "workload-scaled",
		Version: builtinVersion,
		Summary: "Ranks ops by perf_improvement, raised by how hot their tablet is.",
		Params:  append(append([]Param{boundParam(1)}, hotParams()...), combine),
		Columns: ColPerf | workloadColumns,
		New: func(v Values) (Policy, error) {
			return workloadScaled{newWorkload(v), v.Text("combine") == "multiply"}, nil
		},
	}
}

type workloadScaled struct {
	workload workload
	multiply bool
}

func (p workloadScaled) Score(_ int64, _ int, c *Candidates, scores []float64) error {
	for i, perf := range c.Perf {
		switch {
		case perf == 0: // an op that improves nothing stays out, however hot its tablet (Kudu's AdjustedPerfScore)
			scores[i] = 0
		case p.multiply:
			scores[i] = float64(perf * (1 + p.workload.score(c, i)))
		default:
			scores[i] = perf + p.workload.score(c, i)
		}
	}
	return nil
}
