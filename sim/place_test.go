package sim

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mmsim/sim/engine"
)

// deal places tablets and counts replicas and leaders by server.
func deal(t interface{ Fatalf(string, ...any) }, seed uint64, random bool, servers, replication, tablets int) (replicas, leaders []int) {
	rand := engine.Stream(seed, 0, "table", "placement")
	p := newPlacement(servers, random, &rand)
	replicas, leaders = make([]int, servers), make([]int, servers)
	for range tablets {
		on := p.tablet(replication)
		if distinct := slices.Compact(slices.Sorted(slices.Values(on))); len(on) != replication || len(distinct) != replication {
			t.Fatalf("a tablet lies on servers %v, want %d different ones", on, replication)
		}
		leaders[on[0]]++
		for _, s := range on {
			replicas[s]++
		}
	}
	return replicas, leaders
}

// unevenness is the difference between the most and the fewest.
func unevenness(n []int) int { return slices.Max(n) - slices.Min(n) }

func TestBalancedPlacement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		replication := rapid.SampledFrom([]int{1, 3, 5}).Draw(t, "replication")
		servers := rapid.IntRange(replication, 12).Draw(t, "servers")
		replicas, leaders := deal(t, rapid.Uint64().Draw(t, "seed"), false, servers, replication, rapid.IntRange(1, 130).Draw(t, "tablets"))
		if unevenness(replicas) > 1 || unevenness(leaders) > 2 {
			t.Fatalf("servers have replicas %v and leaders %v", replicas, leaders)
		}
	})
}

// Power of two choices keeps replicas near each other; leaders fall by chance.
func TestRandomPlacement(t *testing.T) {
	var sum [6]int
	for seed := range uint64(50) {
		replicas, leaders := deal(t, seed, true, 6, 3, 64)
		if unevenness(replicas) > 6 {
			t.Errorf("seed %d: servers have replicas %v of 192", seed, replicas)
		}
		for s, n := range leaders {
			sum[s] += n
		}
	}
	for s, n := range sum {
		if math.Abs(float64(n)-50*64/6.) > 80 { // four standard deviations
			t.Errorf("server %d leads %d of %d tablets, want about a sixth", s, n, 50*64)
		}
	}
}

func TestShuffledIsAPermutation(t *testing.T) {
	rand := engine.Stream(1, 0, "cluster", "tablet ids")
	order := shuffled(128, &rand)
	sorted := slices.Sorted(slices.Values(order))
	for i, n := range sorted {
		if n != int32(i) {
			t.Fatalf("%v is no permutation", order)
		}
	}
	if slices.IsSorted(order) {
		t.Error("128 numbers were shuffled into their old order")
	}
}
