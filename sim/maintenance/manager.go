package maintenance

import (
	"cmp"
	"slices"

	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
)

// Manager is the maintenance manager of one server: one scheduler and a fixed pool of threads, shared by all replicas.
type Manager struct {
	cfg      *Config
	costs    *OpCosts
	srv      *server.Server
	decider  decider
	tablets  []*replicaState
	waits    [][policies.NumKinds]engine.Time // since when each replica's op of a kind waits; -1 = it does not
	threads  []*running
	poll     engine.Time
	rand     engine.Rand // spread of op times
	priority []int32     // of each table
	observe  Observer

	planner    tablet.Planner
	sized      []tablet.Sized
	candidates policies.Candidates
	owner      []int // candidate row -> position in tablets
	chosen     []*running

	Decisions, PolicyRuns int64
}

// Observer is told what the manager does.
type Observer interface {
	OpDone(*Record)
	WaitDone(server int, r *tablet.Replica, k policies.Kind, since, until engine.Time, served bool)
}

// replicaState is what the manager keeps of a replica between decisions.
type replicaState struct {
	*tablet.Replica
	lastMRSFlush, lastDMSFlush engine.Time
	flushing                   bool // the flush semaphore
	logGC                      bool // the log GC semaphore
	window                     window
	compaction                 compactionStats
	minor, major               deltaStats
}

// New makes a manager with idle threads. order gives the rank of each tablet's id: Kudu's ids are random, and the
// smallest wins every tie.
func New(cfg *Config, costs *OpCosts, srv *server.Server, policy policies.Policy, ranksAll bool, order []int32, priority []int32, observe Observer, decide, spread engine.Rand) *Manager {
	m := &Manager{cfg: cfg, costs: costs, srv: srv, priority: priority, observe: observe, rand: spread}
	m.decider = decider{cfg: cfg, policy: policy, ranks: ranksAll, rand: &decide}
	replicas := slices.Clone(srv.Replicas)
	slices.SortFunc(replicas, func(a, b *tablet.Replica) int { return cmp.Compare(order[a.Tablet], order[b.Tablet]) })
	for _, r := range replicas {
		m.tablets = append(m.tablets, &replicaState{Replica: r})
	}
	m.waits = make([][policies.NumKinds]engine.Time, len(m.tablets))
	for i := range m.waits {
		for k := range m.waits[i] {
			m.waits[i][k] = -1
		}
	}
	m.threads = make([]*running, cfg.Threads)
	return m
}

// Next is when the manager must be stepped again.
func (m *Manager) Next() engine.Time {
	next := m.poll
	for _, t := range m.threads {
		if t != nil {
			next = min(next, t.due)
		}
	}
	return next
}

// Step ends the ops that are due and fills free threads: immediately after an op ends, and every polling interval while
// there is nothing to do. While all threads are busy no stats are looked at.
func (m *Manager) Step(now engine.Time) error {
	ended := false
	for i, t := range m.threads {
		if t == nil || t.due > now {
			continue
		}
		if t.due = m.srv.Disk.Due(now, t.job); t.due <= now {
			m.finish(now, t)
			m.threads[i] = nil
			ended = true
		}
	}
	if ended || now >= m.poll {
		if err := m.fill(now); err != nil {
			return err
		}
	}
	for _, t := range m.threads {
		if t != nil {
			t.due = m.srv.Disk.Due(now, t.job)
		}
	}
	return nil
}

// fill chooses ops until threads or reasons run out, then starts them: rowset locks are taken when an op runs, not when it
// is chosen, so that two threads filled together can choose the same compaction.
func (m *Manager) fill(now engine.Time) error {
	m.poll = engine.Never
	m.chosen = m.chosen[:0]
	for i := range m.threads {
		if m.threads[i] != nil {
			continue
		}
		op, err := m.findBest(now)
		if err != nil {
			return err
		}
		if op == nil {
			m.poll = now + m.cfg.PollingInterval
			break
		}
		m.prepare(now, op)
		m.threads[i] = op
		m.chosen = append(m.chosen, op)
	}
	for _, op := range m.chosen {
		if err := m.perform(now, op); err != nil {
			return err
		}
	}
	return nil
}

// findBest refreshes the stats of every op, decides, and notes who waits. nil means nothing is worth doing.
func (m *Manager) findBest(now engine.Time) (*running, error) {
	m.Decisions++
	c, err := m.collect(now)
	if err != nil {
		return nil, err
	}
	mem := &m.srv.Memory
	state := Memory{mem.UsedPercent(), mem.PressurePercent, mem.SoftPercent}
	choice, err := m.decider.choose(now, m.srv.ID, c, state)
	if err != nil {
		return nil, err
	}
	m.noteWaits(now, c, choice, state)
	if choice.Row < 0 {
		return nil, nil
	}
	return m.newRunning(now, choice, c, state), nil
}
