package maintenance

import (
	"mmsim/policies"
	"mmsim/sim/engine"
)

// noteWaits brings up to date since when each op waits. An op waits while it could win a decision: it has a score above 0, or one of the
// rules before the scores would take it. It is settled, and does not wait, while it is runnable but worth nothing. When rules R1 to R3 decided, the
// policy was not asked, and ops that only a score could choose stay as they were.
func (m *Manager) noteWaits(now engine.Time, c *policies.Candidates, choice Choice, state Memory) {
	scored := choice.Rule == None || choice.Rule == PerfScore || choice.Rule == DataGC
	row := 0
	for k := policies.Kind(0); k < policies.NumKinds; k++ {
		for i := range m.tablets {
			since := &m.waits[i][k]
			offered := row < c.Len() && c.Kind[row] == k && m.owner[row] == i
			if !offered {
				if *since >= 0 {
					m.endWait(now, i, k, false)
				}
				continue
			}
			could := m.taken(c, row, state)
			known := scored || could
			if scored && m.decider.scores[row] > 0 {
				could = true
			}
			if could && *since < 0 {
				*since = now
			} else if known && !could && *since >= 0 {
				m.endWait(now, i, k, false)
			}
			row++
		}
	}
}

// taken says whether a rule before the scores could take the op.
func (m *Manager) taken(c *policies.Candidates, row int, state Memory) bool {
	return !m.decider.ranks && m.cfg.ruleBefore(c, row, state) != None
}

// endWait reports a wait that is over.
func (m *Manager) endWait(now engine.Time, i int, k policies.Kind, served bool) {
	m.observe.WaitDone(m.srv.ID, m.tablets[i].Replica, k, m.waits[i][k], now, served)
	m.waits[i][k] = -1
}

// OpenWaits calls f for every op that still waits.
func (m *Manager) OpenWaits(f func(tablet, bucket, table int32, k policies.Kind, since engine.Time)) {
	for i, t := range m.tablets {
		for k := policies.Kind(0); k < policies.NumKinds; k++ {
			if m.waits[i][k] >= 0 {
				f(t.Tablet, t.Bucket, t.Table, k, m.waits[i][k])
			}
		}
	}
}
