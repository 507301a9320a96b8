package sim

import (
	"container/heap"
	"context"
	"slices"

	"mmsim/sim/client"
	"mmsim/sim/engine"
)

// referenceLoop is the plain engine that the fast one must equal to the last bit: one event for every client operation, no playing ahead,
// and the standard library's heap for everything.
func (w *world) referenceLoop(ctx context.Context, fleet *client.Fleet, op *operator, report func(int64)) error {
	threads := fleet.Threads()
	sampler := threads + len(w.managers)
	queue := plainQueue{}
	for i := range threads {
		heap.Push(&queue, plainEvent{fleet.Start(i), i})
	}
	for i, m := range w.managers {
		heap.Push(&queue, plainEvent{max(m.Next(), w.now), threads + i})
	}
	heap.Push(&queue, plainEvent{w.log.nextSample, sampler})
	again := func(actor int, at engine.Time) {
		if at != engine.Never {
			heap.Push(&queue, plainEvent{at, actor})
		}
	}
	again(sampler+1, op.next())
	for n := 1; fleet.Running() > 0; n++ {
		if n%eventsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			report(fleet.Done())
		}
		if w.events.Len() > 0 && (len(queue) == 0 || w.events.MinAt() <= queue[0].at) {
			e := w.events.Pop()
			w.now = e.At
			if thread, next, changed := fleet.Handle(e, false); changed {
				again(thread, next)
			}
			continue
		}
		e := heap.Pop(&queue).(plainEvent)
		w.now = e.at
		switch {
		case e.actor < threads:
			again(e.actor, fleet.Step(e.actor, e.at, false))
		case e.actor < sampler:
			m := w.managers[e.actor-threads]
			if err := m.Step(e.at); err != nil {
				return err
			}
			again(e.actor, m.Next())
		case e.actor == sampler:
			w.log.sample(e.at)
			again(sampler, w.log.nextSample)
		default:
			if err := op.step(e.at); err != nil {
				return err
			}
			for i, m := range w.managers {
				queue.forget(threads + i)
				again(threads+i, max(m.Next(), e.at))
			}
			again(e.actor, op.next())
		}
	}
	return nil
}

// plainEvent says that an actor must be stepped at a time.
type plainEvent struct {
	at    engine.Time
	actor int
}

// plainQueue orders events by time, then actor.
type plainQueue []plainEvent

// forget drops the events of an actor.
func (q *plainQueue) forget(actor int) {
	*q = slices.DeleteFunc(*q, func(e plainEvent) bool { return e.actor == actor })
	heap.Init(q)
}

func (q plainQueue) Len() int { return len(q) }
func (q plainQueue) Less(i, j int) bool {
	return q[i].at < q[j].at || (q[i].at == q[j].at && q[i].actor < q[j].actor)
}
func (q plainQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *plainQueue) Push(x any)   { *q = append(*q, x.(plainEvent)) }
func (q *plainQueue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}
