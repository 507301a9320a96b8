package maintenance

import (
	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// Why says why a rowset compaction of a tablet can't run though the tablet is higher than it need be.
type Why uint8

// Reasons, by the state that they put the op in: ineligible, blocked or settled.
const (
	WhyManager Why = iota // ineligible: the maintenance manager is off
	WhyTable              // ineligible: the table wants no compaction
	WhyKind               // ineligible: rowset compaction is switched off
	WhyVeto               // ineligible: too much of the picked rowsets' UNDO is old enough to be dropped first
	WhyHeld               // blocked: other ops hold its rowsets, or held them when it was last valued
	WhyRules              // settled: rules before the scores decided at every look since it was valued
	WhyScore              // settled: the policy gives it a score of 0 or less
	WhyMemory             // settled: the deltas of its rowsets do not fit into the memory that is left
	WhyBudget             // settled: the inputs of no selection that is worth while fit into the budget
	WhyNoGain             // settled: no selection gains the least improvement
)

// Stuck is a rowset compaction that neither waits nor runs though its tablet is higher than it need be.
type Stuck struct {
	Replica *tablet.Replica
	Why     Why
	Height  float64     // of the tablet, as Kudu's metric has it
	Since   engine.Time // when it last waited or ran, or the tablet became that high
}

// tooHigh tells whether a compaction of a tablet of that height could gain something: it is above 1 by more than the least improvement.
func (m *Manager) tooHigh(height float64) bool { return height > 1+m.cfg.Compaction.MinimumImprovement }

// rested notes since when the compaction of the op's tablet neither waits nor runs though the tablet is too high.
func (m *Manager) rested(now engine.Time, op *running) {
	if op.Kind == policies.CompactRowSets || m.tooHigh(op.HeightAfter) && !m.tooHigh(op.HeightBefore) {
		op.state.rest = now
	}
}

// EachStuck calls f for every compaction that is stuck now, which is the run's end: it uses the manager's scratch space.
func (m *Manager) EachStuck(now engine.Time, f func(Stuck)) error {
	for _, t := range m.tablets {
		k := policies.CompactRowSets
		if t.waiting.Has(k) || m.runs(t.Tablet, k) {
			continue
		}
		height := m.height(t)
		if !m.tooHigh(height) {
			continue
		}
		why, stuck, err := m.whyStuck(now, t)
		if err != nil {
			return err
		}
		if stuck {
			f(Stuck{t.Replica, why, height, t.rest})
		}
	}
	return nil
}

// whyStuck finds the reason. A compaction that has not been valued since it could gain something is not stuck.
func (m *Manager) whyStuck(now engine.Time, t *replicaState) (why Why, stuck bool, err error) {
	switch {
	case !m.enabled:
		return WhyManager, true, nil
	case m.disabled(t):
		return WhyTable, true, nil
	case t.off.Has(policies.CompactRowSets):
		return WhyKind, true, nil
	}
	s := &t.compaction
	if err := m.selectRowsets(t); err != nil {
		return 0, false, err
	}
	if s.selection.out.Quality == 0 {
		why, err = m.whyWorthless(t)
		return why, true, err
	}
	switch {
	case m.cfg.Rules.AncientUndoVeto && m.vetoed(now, s.selection.picked):
		return WhyVeto, true, nil
	case !s.valid || s.vetoed:
		return 0, false, nil
	case s.quality == 0:
		return WhyHeld, true, nil
	case s.at > m.askedAt:
		return WhyRules, m.lookedAt > m.askedAt, nil
	}
	return WhyScore, true, nil
}

// whyWorthless asks the compaction policy again without one limit after the other: the first without which there is something to gain is the reason.
func (m *Manager) whyWorthless(t *replicaState) (Why, error) {
	unlimited := PolicyByRules(m.cfg.Compaction, &m.cfg.Rules)
	unlimited.Budget, unlimited.ExactEverywhere = 0, false
	for _, rs := range t.Rowsets {
		unlimited.Budget += max(m.sizedOf(rs).Weight, unlimited.WeightUnit)
	}
	limited := unlimited
	limited.Budget = m.cfg.Compaction.Budget
	for _, without := range []struct {
		why    Why
		limits bool // the limit is there
		policy *tablet.PolicyConfig
		has    func(*tablet.Rowset) bool
	}{
		{WhyHeld, t.Held(), &limited, m.fits},
		{WhyMemory, m.cfg.Rules.MemoryBudget, &limited, func(*tablet.Rowset) bool { return true }},
		{WhyBudget, true, &unlimited, func(*tablet.Rowset) bool { return true }},
	} {
		if !without.limits {
			continue
		}
		m.sized = m.sized[:0]
		for _, rs := range t.Rowsets {
			if without.has(rs) {
				m.sized = append(m.sized, m.sizedOf(rs))
			}
		}
		var out tablet.Selection
		if err := m.planner.Select(without.policy, m.sized, &out); err != nil {
			return 0, err
		}
		if out.Quality > 0 {
			return without.why, nil
		}
	}
	return WhyNoGain, nil
}
