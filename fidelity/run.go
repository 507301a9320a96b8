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
	s, err := picks(kuduPolicy())
	if err := add("compaction policy", s, err); err != nil {
		return nil, err
	}
	s, err = decisions()
	if err := add("decisions", s, err); err != nil {
		return nil, err
	}
	s, err = steps(ctx)
	if err := add("compaction steps", s, err); err != nil {
		return nil, err
	}
	all, err := play(ctx)
	if err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	r.Sections = append(r.Sections, order(all), pace(all), scanTimes(all))
	s, err = hotAndCold(ctx)
	if err := add("starvation", s, err); err != nil {
		return nil, err
	}
	s, err = costs()
	if err := add("costs", s, err); err != nil {
		return nil, err
	}
	r.explain()
	return r, nil
}
