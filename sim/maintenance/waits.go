package maintenance

import (
	"mmsim/policies"
	"mmsim/sim/engine"
)

// noteWaits brings up to date since when each op waits. An op waits while it could win a decision: it has a score above 0, or one of the
// rules before the scores would take it. It is settled, and does not wait, while it is runnable but worth nothing. When rules R1 to R3 decided, the
// policy was not asked, and ops that only a score could choose stay as they were.
func (m *Manager) noteWaits(now engine.Time, d *Decision) {
	c, scored, ranks := d.Candidates, d.Scores != nil, m.decider.ranks
	urgent := m.cfg.urgency(d.Memory)
	for _, t := range m.tablets {
		t.offered = 0
	}
	for row, t := range m.owner {
		k := c.Kind[row]
		t.offered = t.offered.With(k)
		could := !ranks && urgent.rule(c, row) != None
		known := scored || could
		could = could || (scored && d.Scores[row] > 0)
		switch waits := t.waiting.Has(k); {
		case could && !waits:
			t.wait(now, k)
		case known && !could && waits:
			m.endWait(now, t, k, false)
		}
	}
	for _, t := range m.tablets {
		if t.waiting&^t.offered != 0 {
			m.endWaits(now, t, t.waiting&^t.offered)
		}
	}
}

// wait begins an op's wait.
func (t *replicaState) wait(now engine.Time, k policies.Kind) {
	t.waits[k] = now
	t.waiting = t.waiting.With(k)
}

// endWaits reports waits of some kinds that lapsed.
func (m *Manager) endWaits(now engine.Time, t *replicaState, kinds Kinds) {
	for k := range policies.NumKinds {
		if kinds.Has(k) && t.waiting.Has(k) {
			m.endWait(now, t, k, false)
		}
	}
}

// endWait reports a wait that is over.
func (m *Manager) endWait(now engine.Time, t *replicaState, k policies.Kind, served bool) {
	m.observe.WaitDone(m.srv.ID, t.Replica, k, t.waits[k], now, served)
	if k == policies.CompactRowSets {
		t.rest = now
	}
	t.waits[k] = -1
	t.waiting = t.waiting.Without(k)
}

// OpenWaits calls f for every op that still waits.
func (m *Manager) OpenWaits(f func(tablet, bucket, table int32, k policies.Kind, since engine.Time)) {
	for _, t := range m.tablets {
		for k := range policies.NumKinds {
			if t.waits[k] >= 0 {
				f(t.Tablet, t.Bucket, t.Table, k, t.waits[k])
			}
		}
	}
}
