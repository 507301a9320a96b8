package main

import (
	"mmsim/plugins/sdk"
	"mmsim/policies"
)

// naivePolicy is a policy binary as an author's first might be: an op is worth something whatever it does.
func naivePolicy() {
	sdk.Serve(policies.Spec{Name: "naive", Version: "0.1.0", Columns: policies.ColPerf,
		Params: []policies.Param{{Name: "until", Type: policies.Float, Default: 1e9, Min: 0, Max: 1e9, Help: "Seconds after which it knows better."}},
		New:    func(v policies.Values) (policies.Policy, error) { return naive{v.Float("until")}, nil }})
}

type naive struct{ until float64 }

func (p naive) Score(now int64, _ int, c *policies.Candidates, scores []float64) error {
	copy(scores, c.Perf)
	for i := range scores {
		if float64(now)/1e9 < p.until {
			scores[i]++
		}
	}
	return nil
}
