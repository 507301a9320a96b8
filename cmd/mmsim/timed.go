package main

import (
	"time"

	"mmsim/policies"
)

// timed is a policy whose time on this machine is measured.
type timed struct {
	policies.Policy
	asked int64
	took  time.Duration
}

func (t *timed) Score(now int64, server int, c *policies.Candidates, scores []float64) error {
	began := time.Now()
	err := t.Policy.Score(now, server, c, scores)
	t.took += time.Since(began)
	t.asked++
	return err
}
