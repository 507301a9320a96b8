// Package sim builds a cluster from an experiment, runs its phases under a policy and returns what happened.
package sim

import (
	"cmp"
	"slices"

	"mmsim/sim/engine"
)

// placement deals the replicas of one table's tablets to the servers: the first of each tablet leads.
type placement struct {
	random   bool // Kudu's power of two choices, and a leader by chance; else as even as can be
	replicas []int
	leaders  []int
	rand     *engine.Rand
}

func newPlacement(servers int, random bool, rand *engine.Rand) *placement {
	return &placement{random: random, replicas: make([]int, servers), leaders: make([]int, servers), rand: rand}
}

// tablet chooses the servers of the next tablet.
func (p *placement) tablet(replication int) []int {
	var chosen []int
	for len(chosen) < replication {
		var free []int
		for s := range p.replicas {
			if !slices.Contains(chosen, s) {
				free = append(free, s)
			}
		}
		if p.random && len(free) > 2 {
			i := int(p.rand.Int64N(int64(len(free))))
			free[0], free[i] = free[i], free[0]
			j := 1 + int(p.rand.Int64N(int64(len(free)-1)))
			free = []int{free[0], free[j]}
		}
		s := p.least(free, p.replicas)
		p.replicas[s]++
		chosen = append(chosen, s)
	}
	lead := chosen[int(p.rand.Int64N(int64(len(chosen))))]
	if !p.random {
		lead = p.least(chosen, p.leaders)
	}
	p.leaders[lead]++
	slices.SortFunc(chosen, func(a, b int) int {
		if a == lead || b == lead {
			return cmp.Compare(b2i(b == lead), b2i(a == lead))
		}
		return cmp.Compare(a, b)
	})
	return chosen
}

// least is the server with the lowest count, by chance among equals.
func (p *placement) least(among, count []int) int {
	best, ties := among[0], int64(1)
	for _, s := range among[1:] {
		switch {
		case count[s] < count[best]:
			best, ties = s, 1
		case count[s] == count[best]:
			if ties++; p.rand.Int64N(ties) == 0 {
				best = s
			}
		}
	}
	return best
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shuffled is a permutation of 0..n-1.
func shuffled(n int, rand *engine.Rand) []int32 {
	out := make([]int32, n)
	for i := range out {
		j := int(rand.Int64N(int64(i + 1)))
		out[i] = out[j]
		out[j] = int32(i)
	}
	return out
}
