package maintenance

import (
	"fmt"

	"mmsim/policies"
	"mmsim/rules"
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// compactionStats caches what a rowset compaction of a replica is worth. Kudu recomputes it only when an MRS flush or
// a rowset compaction of the tablet has ended (since KUDU-3406 an UNDO GC too), or the op was prepared (tablet_mm_ops.cc).
type compactionStats struct {
	valid     bool
	at        engine.Time // when it was computed
	finished  tablet.Finished
	quality   float64
	vetoed    bool // too much of the picked rowsets' UNDO is old
	selection selection
}

// selection is a run of the compaction policy, good as long as the replica does not change.
type selection struct {
	known   bool
	version uint64
	out     tablet.Selection
	picked  []*tablet.Rowset
	weight  int64 // bytes of the picked rowsets
}

// deltaStats caches the best score of a minor or major delta compaction.
type deltaStats struct {
	valid    bool
	finished tablet.Finished
	score    float64
	bytes    int64   // that the op would write
	ns       float64 // that it would take
}

// collect writes the runnable ops into the candidates in the order of their names: kind by kind, tablet by tablet.
func (m *Manager) collect(now engine.Time) (*policies.Candidates, error) {
	c := &m.candidates
	resize(c, len(m.tablets)*int(policies.NumKinds))
	m.owner = m.owner[:0]
	for _, t := range m.tablets {
		t.window.update(now, m.cfg.RateMin, m.cfg.RateReset, t.ScansStarted, t.RowsWritten)
	}
	for _, t := range m.tablets {
		if t.off.Has(policies.CompactRowSets) || m.disabled(t) {
			continue
		}
		if err := m.offerCompaction(now, t); err != nil {
			return nil, fmt.Errorf("compaction policy on tablet %d at %.3f s: %w", t.Tablet, float64(now)/1e9, err)
		}
	}
	for _, t := range m.tablets {
		if !t.off.Has(policies.DeletedRowSetGC) {
			m.offerDeletedGC(now, t)
		}
	}
	used := m.pressure()
	for _, t := range m.tablets {
		if !t.off.Has(policies.FlushDeltaMemStores) {
			m.offerDMSFlush(now, t, used)
		}
	}
	for _, t := range m.tablets {
		if !t.off.Has(policies.FlushMRS) {
			m.offerMRSFlush(now, t)
		}
	}
	for _, t := range m.tablets {
		if !t.off.Has(policies.LogGC) {
			m.offerLogGC(t)
		}
	}
	for _, t := range m.tablets {
		if !t.off.Has(policies.MajorDeltaCompaction) && !m.disabled(t) {
			m.offerDelta(now, t, policies.MajorDeltaCompaction)
		}
	}
	for _, t := range m.tablets {
		if !t.off.Has(policies.MinorDeltaCompaction) && !m.disabled(t) {
			m.offerDelta(now, t, policies.MinorDeltaCompaction)
		}
	}
	for _, t := range m.tablets {
		if !t.off.Has(policies.UndoDeltaBlockGC) {
			m.offerUndoGC(now, t)
		}
	}
	resize(c, len(m.owner))
	return c, nil
}

// stat is one op's row.
type stat struct {
	kind           policies.Kind
	perf           float64
	ram, wal, data int64
	height         float64
	bytes          int64
	ns             float64
}

// offer adds a row. There is room for every op.
func (m *Manager) offer(t *replicaState, s *stat) {
	c, i := &m.candidates, len(m.owner)
	m.owner = append(m.owner, t)
	c.Kind[i], c.Table[i], c.Tablet[i] = s.kind, t.Table, t.Tablet
	c.Perf[i], c.RAM[i], c.WAL[i], c.Data[i] = s.perf, s.ram, s.wal, s.data
	c.Priority[i], c.ScansPerSec[i], c.RowsPerSec[i] = m.priority[t.Table], t.window.ScansPerS, t.window.RowsPerS
	c.HeightRemoved[i], c.Bytes[i], c.Seconds[i], c.WaitingSince[i] = s.height, s.bytes, s.ns/1e9, t.waits[s.kind]
}

// disabled says that the table of a tablet wants no compaction (kudu.table.disable_compaction).
func (m *Manager) disabled(t *replicaState) bool {
	return m.cfg.Rules.DisableCompaction && int(t.Table) < len(m.cfg.NoCompaction) && m.cfg.NoCompaction[t.Table]
}

// offerCompaction: runnable, as the policy's quality is never below 0, unless too much of the picked rowsets' UNDO could be dropped first.
func (m *Manager) offerCompaction(now engine.Time, t *replicaState) error {
	s := &t.compaction
	if s.stale(&t.Finished, &m.cfg.Rules) {
		m.recomputed += len(t.Rowsets)
		if err := m.selectRowsets(t); err != nil {
			return err
		}
		s.valid, s.at, s.finished, s.quality = true, now, t.Finished, s.selection.out.Quality
		s.vetoed = m.cfg.Rules.AncientUndoVeto && m.vetoed(now, s.selection.picked)
	}
	if s.vetoed {
		return nil
	}
	sel := &s.selection
	m.offer(t, &stat{kind: policies.CompactRowSets, perf: s.quality, height: sel.out.HeightRemoved, bytes: 2 * sel.weight,
		ns: m.costs.compact(sel.weight, len(sel.picked))})
	return nil
}

// stale says whether an op has ended since that could change what a compaction is worth.
func (s *compactionStats) stale(f *tablet.Finished, rules *rules.Set) bool {
	return !s.valid || !rules.CachedStats || s.finished.MRSFlush != f.MRSFlush || s.finished.Compaction != f.Compaction ||
		(rules.UndoGCDropsStats && s.finished.UndoGC != f.UndoGC)
}

// vetoed says whether more than AncientUndoRatio of the rowsets' UNDO is old enough to be dropped (tablet.cc, since KUDU-3406).
func (m *Manager) vetoed(now engine.Time, picked []*tablet.Rowset) bool {
	var all, old int64
	for _, rs := range picked {
		ancient, unknown := rs.UndoSince(now - m.cfg.HistoryMaxAge)
		all += rs.Undo
		old += ancient
		if !m.cfg.Rules.VetoKnownUndoOnly {
			old += unknown
		}
	}
	return int64(float64(all)*m.cfg.AncientUndoRatio) < old
}

// selectRowsets runs the compaction policy over the replica's available rowsets unless nothing changed since it last did.
func (m *Manager) selectRowsets(t *replicaState) error {
	s := &t.compaction.selection
	if s.known && s.version == t.Version() && m.cfg.Rules.CachedStats && !m.cfg.Rules.MemoryBudget {
		return nil
	}
	m.sized = m.sized[:0]
	s.picked = s.picked[:0]
	available := m.available(t)
	m.PolicyRuns++
	policy := PolicyByRules(m.cfg.Compaction, &m.cfg.Rules)
	if err := m.planner.Select(&policy, m.sized, &s.out); err != nil {
		return err
	}
	s.weight = 0
	for _, p := range s.out.Picked {
		rs := available[p]
		s.picked = append(s.picked, rs)
		s.weight += rs.Weight()
	}
	s.known, s.version = true, t.Version()
	return nil
}

// manyRowsets is from how many rowsets on the average over the key space stands for that over the data, if the policy is not asked: sorting so many keys
// after each flush would take longer than all else.
const manyRowsets = 2000

// height is the tablet's average height as Kudu's metric has it. The compaction policy finds it on its way; what it then picks is kept for the next look.
func (m *Manager) height(t *replicaState) float64 {
	if t.layout == t.Layout() {
		return t.average
	}
	switch {
	case !t.off.Has(policies.CompactRowSets) && !m.cfg.Rules.MemoryBudget && !t.Held() && m.selectRowsets(t) == nil: // an error comes up again at the next look
		t.average = t.compaction.selection.out.Height
	case len(t.Rowsets) > manyRowsets:
		t.average = t.Replica.Height()
	default:
		m.sized = m.sized[:0]
		for _, rs := range t.Rowsets {
			m.sized = append(m.sized, m.sizedOf(rs))
		}
		t.average = m.planner.Height(m.sized)
	}
	t.layout = t.Layout()
	return t.average
}

// CompactionScore is what a rowset compaction of a tablet is worth by the policy, 0 if the server has no replica of it.
func (m *Manager) CompactionScore(tablet int32) (float64, error) {
	t := m.find(tablet)
	if t == nil {
		return 0, nil
	}
	if err := m.selectRowsets(t); err != nil {
		return 0, err
	}
	return t.compaction.selection.out.Quality, nil
}

// available lists the rowsets that can be compacted, and fills sized with what the policy sees of them.
func (m *Manager) available(t *replicaState) []*tablet.Rowset {
	out := t.Rowsets
	for j, rs := range t.Rowsets {
		if !m.compactable(rs) {
			out = append([]*tablet.Rowset(nil), t.Rowsets[:j]...)
			for _, rs := range t.Rowsets[j:] {
				if m.compactable(rs) {
					out = append(out, rs)
				}
			}
			break
		}
	}
	for _, rs := range out {
		m.sized = append(m.sized, m.sizedOf(rs))
	}
	return out
}

// sizedOf is what the policy sees of a rowset.
func (m *Manager) sizedOf(rs *tablet.Rowset) tablet.Sized {
	weight := rs.Weight()
	if m.cfg.Rules.WeighUndo {
		weight += rs.Undo
	}
	return tablet.Sized{Span: &rs.Span, Weight: weight, Full: rs.Full()}
}

// compactable: no op holds the rowset, and its deltas fit into memory (compaction_policy.cc).
func (m *Manager) compactable(rs *tablet.Rowset) bool {
	return !rs.Locked() && m.fits(rs)
}

// fits: by the rule memory_budget the rowset's deltas fit into the memory that is left.
func (m *Manager) fits(rs *tablet.Rowset) bool {
	deltas := rs.RedoBytes + rs.Undo
	mem := &m.srv.Memory
	return !m.cfg.Rules.MemoryBudget || deltas <= m.cfg.MinDeltas || float64(deltas)*m.cfg.DeltaMemoryFactor <= float64(mem.Limit-mem.Used())
}

// offerDMSFlush: runnable while any rowset has a DMS. One op flushes one DMS, the best of the tablet.
func (m *Manager) offerDMSFlush(now engine.Time, t *replicaState, used float64) {
	if !t.HasDMS() {
		return
	}
	best, retained, oldest := m.bestDMS(t, used)
	redo := best.DMS.Redo
	since := t.lastDMSFlush
	if m.cfg.Rules.DMSAgeOfOldest {
		since = oldest
	}
	m.offer(t, &stat{kind: policies.FlushDeltaMemStores, perf: m.cfg.FlushScore(best.DMS.Bytes, now-since), ram: best.DMS.Bytes, wal: retained,
		bytes: redo, ns: m.costs.DMSFixed + float64(m.costs.DMSMiB*mib(redo))})
}

// emptyMemRowset is the memory of a MemRowSet without rows, in bytes, as a real server shows it.
const emptyMemRowset = 265

// offerMRSFlush: runnable while the MemRowSet has rows and no flush of the tablet runs.
func (m *Manager) offerMRSFlush(now engine.Time, t *replicaState) {
	if t.flushing || t.MRS.Rows == 0 && m.cfg.Rules.SkipEmptyMemRowset {
		return
	}
	bytes, ram := t.Sizes.Flushed(t.MRS.Rows), max(t.MRS.Bytes, emptyMemRowset)
	m.offer(t, &stat{kind: policies.FlushMRS, perf: m.cfg.FlushScore(ram, now-t.lastMRSFlush), ram: ram, wal: t.WAL.Retained(t.MRS.Anchor),
		bytes: bytes, ns: m.costs.FlushFixed + float64(m.costs.FlushMiB*mib(bytes))})
}

func (m *Manager) offerLogGC(t *replicaState) {
	if t.logGC {
		return
	}
	if _, bytes := t.CollectableWAL(m.cfg.WALMinSegs); bytes > 0 {
		m.offer(t, &stat{kind: policies.LogGC, wal: bytes, bytes: bytes, ns: m.costs.LogGC})
	}
}

// offerDelta: runnable while it has a score. The score is cached until an op that could change it has ended.
func (m *Manager) offerDelta(now engine.Time, t *replicaState, kind policies.Kind) {
	major := kind == policies.MajorDeltaCompaction
	s := &t.minor
	if major {
		s = &t.major
	}
	f, g := &t.Finished, &s.finished
	if !s.valid || !m.cfg.Rules.CachedStats || f.MRSFlush != g.MRSFlush || f.DMSFlush != g.DMSFlush || f.Compaction != g.Compaction || f.Minor != g.Minor || (major && f.Major != g.Major) {
		worst, score := t.WorstDeltas(major, &m.cfg.Deltas, now-m.cfg.HistoryMaxAge)
		if s.score = score; worst != nil {
			s.bytes, s.ns = t.DeltaBytes(worst, major), m.costs.delta(worst.RedoRows)
		}
		s.valid, s.finished = true, *f
	}
	if s.score > 0 {
		m.offer(t, &stat{kind: kind, perf: s.score, bytes: s.bytes, ns: s.ns})
	}
}

func (m *Manager) offerUndoGC(now engine.Time, t *replicaState) {
	if bytes := t.AncientUndo(now - m.cfg.HistoryMaxAge); bytes > 0 {
		m.offer(t, &stat{kind: policies.UndoDeltaBlockGC, data: bytes, ns: m.costs.UndoGC})
	}
}

// offerDeletedGC: runnable while a rowset has nothing but rows deleted long ago and no such op of the tablet runs.
func (m *Manager) offerDeletedGC(now engine.Time, t *replicaState) {
	if t.deletedGC {
		return
	}
	var bytes int64
	for _, rs := range t.Dead(now - m.cfg.HistoryMaxAge) {
		bytes += rs.Full()
	}
	if bytes > 0 {
		m.offer(t, &stat{kind: policies.DeletedRowSetGC, data: bytes, ns: m.costs.LogGC})
	}
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }
