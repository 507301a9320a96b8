package maintenance

import (
	"slices"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// thread runs one op at a time.
type thread struct {
	op     Op // nil = free
	kind   policies.Kind
	tablet int32
	begins engine.Time // when it takes its locks; Never = it has
	due    engine.Time
	ended  bool // but the scheduler did not let it tell yet
	lost   bool // for good, to an op that could not be prepared
}

// free is a free thread; nil = none.
func (l *Loop) free() *thread {
	for i := range l.threads {
		if t := &l.threads[i]; t.op == nil && !t.lost {
			return t
		}
	}
	return nil
}

// starting is the time from an op's launch until its thread holds its locks. With a single thread nobody could see it.
func (l *Loop) starting() engine.Time {
	if len(l.threads) == 1 {
		return 0
	}
	for i := range l.threads {
		if l.threads[i].op != nil {
			return engine.Time(l.costs.Start)
		}
	}
	return engine.Time(l.costs.StartIdle)
}

// begin lets the ops run whose threads are there, in the order in which they were launched.
func (l *Loop) begin(now engine.Time) error {
	for i := 0; i < len(l.chosen); {
		t := l.threadOf(l.chosen[i])
		if t.begins > now {
			i++
			continue
		}
		t.begins = engine.Never
		l.chosen = slices.Delete(l.chosen, i, i+1)
		if err := t.op.Perform(now); err != nil {
			return err
		}
	}
	return nil
}

func (l *Loop) threadOf(op Op) *thread {
	return &l.threads[slices.IndexFunc(l.threads, func(t thread) bool { return t.op == op })]
}

// endOps ends the ops whose work is done and tells whether a thread became free. Without the rule complete_without_lock, an op that ends during a look
// keeps its thread until the look is over.
func (l *Loop) endOps(now engine.Time) (freed bool) {
	for i := range l.threads {
		t := &l.threads[i]
		if t.op == nil || t.due > now || t.begins < engine.Never {
			continue
		}
		if t.due = t.op.Due(now); t.due > now {
			continue
		}
		t.op.Finish(now)
		if l.looking && !l.cfg.Rules.CompleteWithoutLock {
			t.due, t.ended = engine.Never, true
			continue
		}
		l.release(now, t)
		freed = true
	}
	return freed
}

// release frees the thread of an op that ended.
func (l *Loop) release(now engine.Time, t *thread) {
	t.op.Report(now)
	*t = thread{}
	l.signalled = true
	l.letGo(now)
}
