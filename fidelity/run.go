package fidelity

import (
	"context"
	"fmt"
)

// Run holds everything measured against the simulator.
func Run(ctx context.Context) (*Report, error) {
	r := &Report{Server: "a Kudu 1.18.1 tablet server on a shared virtual machine of 2 cores"}
	add := func(what string, s Section, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		r.Sections = append(r.Sections, s)
		return nil
	}
	s, err := picks()
	if err := add("compaction policy", s, err); err != nil {
		return nil, err
	}
	s, err = decisions()
	if err := add("decisions", s, err); err != nil {
		return nil, err
	}
	if err := r.simulated(ctx); err != nil {
		return nil, err
	}
	s, err = costs()
	if err := add("costs", s, err); err != nil {
		return nil, err
	}
	r.explain()
	return r, nil
}

// seeds are the random numbers with which everything is simulated; the numbers shown are those of the first, which is that of the experiments.
const seeds = 8

// simulated adds what rests on simulations, and counts over the seeds how often each check holds.
func (r *Report) simulated(ctx context.Context) error {
	first := len(r.Sections)
	held, of := map[string]int{}, map[string]int{}
	for seed := 1; seed <= seeds; seed++ {
		all, err := simulations(ctx, seed)
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		if seed == 1 {
			r.Sections = append(r.Sections, all...)
		}
		for i := range all {
			for _, c := range all[i].Checks {
				if of[c.What]++; c.OK {
					held[c.What]++
				}
			}
		}
	}
	for i := first; i < len(r.Sections); i++ {
		for j := range r.Sections[i].Checks {
			c := &r.Sections[i].Checks[j]
			c.Held, c.Of = held[c.What], of[c.What]
		}
	}
	return nil
}

// simulations are the sections of one seed.
func simulations(ctx context.Context, seed int) ([]Section, error) {
	stepped, err := steps(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("compaction steps: %w", err)
	}
	all, err := play(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	starved, err := hotAndCold(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("starvation: %w", err)
	}
	return []Section{stepped, order(all), pace(all), scanTimes(all), starved}, nil
}
