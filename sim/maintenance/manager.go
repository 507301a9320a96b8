package maintenance

import (
	"cmp"
	"fmt"
	"slices"

	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
)

// Manager is the maintenance manager of one server: a loop over the ops of all its replicas.
type Manager struct {
	*Loop
	srv      *server.Server
	tablets  []*replicaState // by rank
	order    []int32         // rank of each tablet's id
	off      Kinds           // switched off for all tablets
	rand     engine.Rand     // spread of op times
	priority []int32         // of each table
	observe  Observer
	unsynced bool // a rowset compaction has ended since the last MemRowSet flush began

	watch      watch
	planner    tablet.Planner
	sized      []tablet.Sized
	candidates policies.Candidates
	owner      []*replicaState // of each candidate
	recomputed int             // rowsets of replicas whose compaction was valued anew in this look

	PolicyRuns int64
}

// Observer is told what the manager does.
type Observer interface {
	OpDone(*Record)
	WaitDone(server int, r *tablet.Replica, k policies.Kind, since, until engine.Time, served bool)
}

// replicaState is what the manager keeps of a replica between decisions.
type replicaState struct {
	*tablet.Replica
	off                        Kinds                          // ops that are not offered: switched off or cancelled
	gone                       Kinds                          // of these, cancelled
	dropped                    bool                           // unregistered
	waits                      [policies.NumKinds]engine.Time // since when each op waits; -1 = it does not
	waiting                    Kinds                          // those that wait
	offered                    Kinds                          // at the last look
	lastMRSFlush, lastDMSFlush engine.Time
	flushing                   bool // the flush semaphore
	logGC                      bool // the log GC semaphore
	deletedGC                  bool // a deleted rowset GC runs
	window                     window
	compaction                 compactionStats
	rest                       engine.Time // when its compaction last waited or ran, or the tablet became too high
	layout                     uint64      // of which
	average                    float64     // is the average height
	minor, major               deltaStats
}

// New makes a manager with idle threads. order gives the rank of each tablet's id: Kudu's ids are random, and the
// smallest wins every tie.
func New(cfg *Config, costs *OpCosts, srv *server.Server, policy policies.Policy, ranksAll bool, order []int32, priority []int32, observe Observer, decide, spread engine.Rand) *Manager {
	m := &Manager{srv: srv, order: order, off: cfg.Off, priority: priority, observe: observe, rand: spread}
	m.Loop = NewLoop(cfg, costs, srv.ID, policy, ranksAll, tabletOps{m}, &decide)
	for _, r := range srv.Replicas {
		m.add(0, r)
	}
	return m
}

// add puts a replica that opens now where its id belongs.
func (m *Manager) add(now engine.Time, r *tablet.Replica) {
	t := &replicaState{Replica: r, off: m.off, lastMRSFlush: now, lastDMSFlush: now, window: window{base: now}, rest: now}
	for k := range t.waits {
		t.waits[k] = -1
	}
	at, _ := slices.BinarySearchFunc(m.tablets, t, func(a, b *replicaState) int { return cmp.Compare(m.order[a.Tablet], m.order[b.Tablet]) })
	m.tablets = slices.Insert(m.tablets, at, t)
}

// Register adds a replica that opens during the run and tells when it is open: at once, but without the rule
// register_without_lock only when the look under way is over.
func (m *Manager) Register(now engine.Time, r *tablet.Replica) (opened engine.Time, err error) {
	switch {
	case int(r.Tablet) >= len(m.order) || int(r.Table) >= len(m.priority):
		return 0, fmt.Errorf("tablet %d of table %d is not known on server %d", r.Tablet, r.Table, m.srv.ID)
	case m.find(r.Tablet) != nil || m.isLeaving(r.Tablet):
		return 0, fmt.Errorf("tablet %d is registered on server %d already", r.Tablet, m.srv.ID)
	}
	opened = now
	if m.looking && !m.cfg.Rules.RegisterWithoutLock {
		opened = m.wake
	}
	m.add(opened, r)
	return opened, nil
}

// Unregister lets a tablet go: its ops are cancelled and never chosen again, their waits lapse, and what runs of them goes on. done is told when the last of
// them has ended, which is at once if none runs; the replica must live until then. It may be nil.
func (m *Manager) Unregister(now engine.Time, tablet int32, done func(engine.Time)) error {
	t := m.find(tablet)
	if t == nil && !m.isLeaving(tablet) {
		return fmt.Errorf("tablet %d is not registered on server %d", tablet, m.srv.ID)
	}
	return m.Loop.Unregister(now, tablet, func(at engine.Time) {
		t.dropped = true
		if done != nil {
			done(at)
		}
	})
}

// find is the state of a registered tablet; nil = there is none.
func (m *Manager) find(tablet int32) *replicaState {
	for _, t := range m.tablets {
		if t.Tablet == tablet {
			return t
		}
	}
	return nil
}

// Switch says whether ops of a kind are offered (Kudu's enable_rowset_compaction and the like). What runs goes on.
func (m *Manager) Switch(k policies.Kind, on bool) error {
	if k >= policies.NumKinds {
		return fmt.Errorf("no op is of kind %d", k)
	}
	if m.off = m.off.With(k); on {
		m.off = m.off.Without(k)
	}
	for _, t := range m.tablets {
		t.off = m.off | t.gone
	}
	return nil
}
