package policies

// Raw ranks by Kudu's perf_improvement alone, as Kudu did before it knew table priorities and workloads.
func Raw() Spec {
	return Spec{
		Name:    "raw",
		Version: builtinVersion,
		Summary: "Ranks ops by Kudu's perf_improvement alone.",
		Columns: ColPerf,
		New:     func(Values) (Policy, error) { return raw{}, nil },
	}
}

type raw struct{}

func (raw) Score(_ int64, _ int, c *Candidates, scores []float64) error {
	copy(scores, c.Perf)
	return nil
}
