package server

import "mmsim/sim/engine"

// Memory is what a tablet server accounts for, in bytes. Percentages are of the hard limit.
type Memory struct {
	Limit, RAM, BlockCache, Base int64
	PressurePercent, SoftPercent float64
	stores                       int64 // all MemRowSets and DeltaMemStores
	peak                         int64
}

// Add accounts for bytes taken by (or, if negative, freed from) a store.
func (m *Memory) Add(bytes int64) {
	m.stores += bytes
	m.peak = max(m.peak, m.stores)
}

// Used is the memory in use. The block cache counts whole: it is full within minutes of any load.
func (m *Memory) Used() int64 { return m.Base + m.BlockCache + m.stores }

// UsedPercent is Used in percent of the hard limit.
func (m *Memory) UsedPercent() float64 { return 100 * float64(m.Used()) / float64(m.Limit) }

// Peak is the most that was in use.
func (m *Memory) Peak() int64 { return m.Base + m.BlockCache + m.peak }

// PeakPercent is Peak in percent of the hard limit.
func (m *Memory) PeakPercent() float64 { return 100 * float64(m.Peak()) / float64(m.Limit) }

// UnderPressure is Kudu's rule for preferring flushes (process_memory.cc, memory_pressure_percentage).
func (m *Memory) UnderPressure() bool { return m.UsedPercent() >= m.PressurePercent }

// PageCache is the memory left to cache file pages: the machine's, less what the server uses, plus the block cache.
func (m *Memory) PageCache() int64 { return max(m.RAM-m.Used(), 0) + m.BlockCache }

// rejects draws whether a write is refused (process_memory.cc, SoftLimitExceeded): never below the soft limit, always
// above the hard one, and in between with a probability that rises linearly.
func (m *Memory) rejects(r *engine.Rand) bool {
	soft := int64(float64(m.Limit) * m.SoftPercent / 100)
	used := m.Used()
	if used < soft {
		return false
	}
	if used >= m.Limit {
		return true
	}
	return float64(used)+float64(r.Float64()*float64(m.Limit-soft)) > float64(m.Limit)
}
