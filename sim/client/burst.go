package client

import (
	"mmsim/sim/engine"
	"mmsim/workloads"
)

// tallied is the number of whole microseconds that a burst counts by itself.
const tallied = 32

// burst plays inserts ahead in a row: all that go into the open buffer before it is one short of full and before its timer fires. It is append
// without what does not change from one to the next, and most of what a load phase does. It says whether it played any.
func (t *Thread) burst() bool {
	l, b := t.load, t.open
	n := min(int64(l.Session.BufferOps-1-b.ops), t.left)
	if b.ops == 0 || t.tick > 0 || l.Ordered || t.until != engine.Never {
		return false
	}
	var counts [tallied]int32
	var sum engine.Time
	h := &l.Latency[workloads.Insert]
	rand := t.cost
	dist, between := l.Costs.AppendHot, l.Costs.Between
	at, deadline := t.at, b.deadline
	step := l.Insert.Of
	key := t.firstKey + t.inserted*step
	inserts := b.inserts
	done := int64(0)
	for ; done < n && at < deadline; done++ {
		u := rand.Float64()
		v := dist.Quick(u)
		if v != v {
			v = dist.At(u)
		}
		cost := engine.Time(v)
		if us := uint64(cost) / 1000; us < tallied {
			counts[us]++
			sum += cost
		} else {
			h.Record(cost)
		}
		at += cost + between
		inserts[workloads.Bucket(key, len(inserts))]++
		key += step
	}
	t.cost = rand
	h.Tally(counts[:], sum)
	b.ops += int(done)
	t.at = at
	t.inserted += done
	t.left -= done
	t.done += done
	return done > 0
}
