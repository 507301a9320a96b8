package sim

import (
	"context"
	"fmt"
	"time"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
	"mmsim/sim/client"
	"mmsim/sim/engine"
)

// Line is a policy as one run uses it.
type Line struct {
	Name     string // of the line
	Policy   string // of the policy
	RanksAll bool   // Kudu's rules before the scores are skipped
	New      func() (policies.Policy, error)
}

// Progress is how far a run is.
type Progress struct {
	Line, Phase string
	Now         int64 // simulated ns
	Done, Total int64 // client operations; of clients that go on until they are stopped, Total counts those their target asks for
	Finished    bool
}

// Options are how a run is run; none changes its results.
type Options struct {
	Replication int            // which of several runs with the same seed
	Progress    func(Progress) // called every few ten thousand events; nil is allowed
	Reference   bool           // one event for every client operation, in the plainest queue
}

// Run simulates an experiment under one policy. It stops early with ctx's error.
func Run(ctx context.Context, e *configs.Experiment, line Line, o Options) (*results.Run, error) {
	policy, err := line.New()
	if err != nil {
		return nil, fmt.Errorf("policy line %q: %w", line.Name, err)
	}
	w, err := newWorld(e, policy, line.RanksAll, o.Replication)
	if err != nil {
		return nil, err
	}
	total := operations(e)
	done := int64(0)
	for i := range e.Phases {
		if err := ctx.Err(); err != nil { // a small phase ends before it looks
			return nil, err
		}
		p := &e.Phases[i]
		report := func(n int64) {
			if o.Progress != nil {
				o.Progress(Progress{Line: line.Name, Phase: p.Name, Now: w.now, Done: done + n, Total: max(total, done+n)})
			}
		}
		n, err := w.phase(ctx, i, o.Reference, report)
		if err != nil {
			return nil, fmt.Errorf("policy line %q, phase %q: %w", line.Name, p.Name, w.named(err))
		}
		done += n
	}
	if o.Progress != nil {
		o.Progress(Progress{Line: line.Name, Now: w.now, Done: done, Total: done, Finished: true})
	}
	out, err := w.log.result(line, done)
	if err != nil {
		return nil, fmt.Errorf("policy line %q: %w", line.Name, err)
	}
	w.cluster, w.managers = nil, nil // the run is over: only what it leaves is needed
	w.log.handOver(out)
	return out, nil
}

// operations is the number of client operations that all phases ask for.
func operations(e *configs.Experiment) (n int64) {
	for i := range e.Phases {
		for j := range e.Phases[i].Clients {
			n += wanted(&e.Phases[i], &e.Phases[i].Clients[j])
		}
	}
	return n
}

// wanted is how many operations a client is to do. One that goes on until it is stopped does as many as its target allows; 0 if it has none.
func wanted(p *configs.Phase, c *configs.Client) int64 {
	if n := max(c.Workload.Records, c.Workload.Operations); n > 0 {
		return n
	}
	return int64(float64(c.Target) * time.Duration(p.Duration).Seconds())
}

// phase runs one phase to its end, which is that of its duration or of its last client, and gives the operations done.
func (w *world) phase(ctx context.Context, number int, reference bool, report func(int64)) (int64, error) {
	p := &w.exp.Phases[number]
	start := w.now + ns(p.PauseBefore)
	op := newOperator(w, p, start)
	loads, entities, err := w.loads(number, op)
	if err != nil {
		return 0, err
	}
	w.cluster.StartClients()
	fleet := client.NewFleet(w.cluster, &w.events, loads, start, w.exp.Seed, w.replication, entities)
	op.attend(fleet, loads)
	loop := w.loop
	if reference {
		loop = w.referenceLoop
	}
	if err := loop(ctx, fleet, op, report); err != nil {
		return 0, err
	}
	if err := op.leave(); err != nil {
		return 0, err
	}
	w.account(p, fleet, loads)
	w.log.endPhase(p.Name, start)
	return fleet.Done(), nil
}

// account keeps what a phase's clients met, table by table, and which rows they left.
func (w *world) account(p *configs.Phase, fleet *client.Fleet, loads []*client.Load) {
	for i := range p.Clients {
		name := p.Clients[i].Table
		all := ofTable(p, loads, name)
		if all[0] != loads[i] {
			continue
		}
		w.log.latencies(p.Name, name, all)
		rows := &w.rows[w.table(name)]
		for _, l := range all {
			inserted, deleted := fleet.Moved(l)
			rows.Inserted += inserted
			rows.Deleted += deleted
		}
	}
}

// ofTable are the loads of a phase's clients of a table.
func ofTable(p *configs.Phase, loads []*client.Load, table string) (out []*client.Load) {
	for i := range p.Clients {
		if p.Clients[i].Table == table {
			out = append(out, loads[i])
		}
	}
	return out
}

// loop plays the phase: threads, managers, the sampler and the operator, if there is one, are fixed actors in a winner tree, answers and retries are
// events in a heap. At equal times events come first, then actors by number.
func (w *world) loop(ctx context.Context, fleet *client.Fleet, op *operator, report func(int64)) error {
	threads, managers := fleet.Threads(), len(w.managers)
	sampler := threads + managers
	actors := sampler + 1
	if op.next() != engine.Never {
		actors++
	}
	tree := engine.NewTree(actors)
	for i := range threads {
		tree.Set(i, fleet.Start(i))
	}
	for i, m := range w.managers {
		tree.Set(threads+i, max(m.Next(), w.now))
	}
	tree.Set(sampler, w.log.nextSample)
	if actors > sampler+1 {
		tree.Set(sampler+1, op.next())
	}
	stall := stall{since: w.now}
	for n := 1; fleet.Running() > 0; n++ {
		if n%eventsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if op.next() == engine.Never {
				if err := stall.check(w, fleet.Done()); err != nil {
					return err
				}
			}
			report(fleet.Done())
		}
		at, actor := tree.Min()
		if w.events.MinAt() <= at {
			e := w.events.Pop()
			w.now = e.At
			if thread, next, changed := fleet.Handle(e, true); changed {
				tree.Set(thread, next)
			}
			continue
		}
		w.now = at
		switch {
		case actor < threads:
			tree.Set(actor, fleet.Step(actor, at, true))
		case actor < sampler:
			m := w.managers[actor-threads]
			if err := m.Step(at); err != nil {
				return err
			}
			tree.Set(actor, m.Next())
		case actor == sampler:
			w.log.sample(at)
			tree.Set(sampler, w.log.nextSample)
		default:
			if err := op.step(at); err != nil {
				return err
			}
			for i, m := range w.managers {
				tree.Set(threads+i, max(m.Next(), at))
			}
			tree.Set(actor, op.next())
		}
	}
	return nil
}

// eventsPerCheck is how many events pass between looks at the context and reports of progress.
const eventsPerCheck = 1 << 14
