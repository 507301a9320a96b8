package fidelity

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"mmsim/files"
)

// Run holds everything measured against the simulator. It calls begin as it begins with a part of the work.
func Run(ctx context.Context, begin func(part string)) (*Report, error) {
	r := &Report{Server: "a Kudu 1.18.1 tablet server on a shared virtual machine of 2 cores"}
	add := func(what string, s Section, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		r.Sections = append(r.Sections, s)
		return nil
	}
	begin("compaction policy and decisions")
	s, err := picks()
	if err := add("compaction policy", s, err); err != nil {
		return nil, err
	}
	s, err = retakes()
	if err := add("decisions", s, err); err != nil {
		return nil, err
	}
	if err := r.simulated(ctx, begin); err != nil {
		return nil, err
	}
	begin("costs")
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
func (r *Report) simulated(ctx context.Context, begin func(string)) error {
	dir, err := files.TempFolder(os.TempDir())
	if err != nil {
		return err
	}
	defer dir.Remove()
	begin("fitting a machine to the runs elsewhere")
	faster, err := fasterMachine(dir.Path)
	if err != nil {
		return fmt.Errorf("a faster machine: %w", err)
	}
	without, err := machinesWithout(dir.Path)
	if err != nil {
		return fmt.Errorf("machines fitted to one run under load: %w", err)
	}
	first := len(r.Sections)
	held, simulated := map[string]int{}, map[string][]string{}
	for seed := 1; seed <= seeds; seed++ {
		begin(fmt.Sprintf("simulating the measured runs with seed %d of %d", seed, seeds))
		all, err := simulations(ctx, seed, faster, without)
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		if seed == 1 {
			r.Sections = append(r.Sections, all...)
		}
		for i := range all {
			for _, c := range all[i].Checks {
				simulated[c.What] = append(simulated[c.What], c.Simulated)
				if c.OK {
					held[c.What]++
				}
			}
		}
	}
	for i := first; i < len(r.Sections); i++ {
		for j := range r.Sections[i].Checks {
			c := &r.Sections[i].Checks[j]
			c.Seeds = simulated[c.What]
			c.Held, c.Of = held[c.What], seeds // one that has no such op does not hold
			if strings.HasSuffix(c.What, coldCheck) && len(slices.Compact(slices.Clone(c.Seeds))) > 1 {
				r.Sections[i].Notes = append(r.Sections[i].Notes, outcomes(c))
			}
		}
	}
	return nil
}

// simulations are the sections of one seed, with the paths of the machines of elsewhere and of underLoad.
func simulations(ctx context.Context, seed int, faster string, without map[string]string) ([]Section, error) {
	stepped, err := steps(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("compaction steps: %w", err)
	}
	all, err := play(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	under, err := underLoad(ctx, seed, without)
	if err != nil {
		return nil, fmt.Errorf("under load: %w", err)
	}
	starved, err := hotAndCold(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("starvation: %w", err)
	}
	again, err := elsewhere(ctx, seed, faster)
	if err != nil {
		return nil, fmt.Errorf("another machine: %w", err)
	}
	return []Section{stepped, order(all), pace(all), scanTimes(all), under, starved, again}, nil
}
