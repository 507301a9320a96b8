package maintenance

import "mmsim/sim/tablet"

// bestDMS is the DeltaMemStore that a flush of the tablet would take now, by the rules; used is the memory used in percent under pressure, else 0.
func (m *Manager) bestDMS(t *replicaState, used float64) (best *tablet.Rowset, retained, oldest int64) {
	if !m.cfg.Rules.DMSWeighsMemory {
		used = 0
	}
	if !m.cfg.Rules.DMSTiesBySize {
		return t.FirstDMS(used)
	}
	return t.BestDMS(used)
}
