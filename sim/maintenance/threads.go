package maintenance

import (
	"mmsim/policies"
	"mmsim/sim/engine"
)

// thread runs one op at a time.
type thread struct {
	op     Op // nil = free
	kind   policies.Kind
	tablet int32
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

// endOps ends the ops whose work is done and tells whether a thread became free. Without the rule complete_without_lock, an op that ends during a look
// keeps its thread until the look is over.
func (l *Loop) endOps(now engine.Time) (freed bool) {
	for i := range l.threads {
		t := &l.threads[i]
		if t.op == nil || t.due > now {
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
