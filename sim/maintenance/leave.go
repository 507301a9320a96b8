package maintenance

import (
	"fmt"
	"slices"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// leaving is a tablet that is being unregistered.
type leaving struct {
	tablet int32
	gone   Kinds // cancelled
	done   func(engine.Time)
}

// Unregister cancels all ops of a tablet. What runs of them goes on, and done is told when the last has ended, which is at once if none runs. Before the rule
// cancel_before_wait, Kudu took the ops one by one and cancelled each only once no instance of it ran, so that it could be chosen again meanwhile.
func (l *Loop) Unregister(now engine.Time, tablet int32, done func(engine.Time)) error {
	if l.isLeaving(tablet) {
		return fmt.Errorf("tablet %d of server %d is being unregistered already", tablet, l.server)
	}
	v := &leaving{tablet: tablet, done: done}
	l.leaving = append(l.leaving, v)
	if l.cfg.Rules.CancelBeforeWait {
		l.cancel(now, v, AllKinds)
	}
	l.letGo(now)
	return nil
}

func (l *Loop) isLeaving(tablet int32) bool {
	return slices.ContainsFunc(l.leaving, func(v *leaving) bool { return v.tablet == tablet })
}

// cancel takes kinds of a tablet's ops from the source, and from the look under way.
func (l *Loop) cancel(now engine.Time, v *leaving, kinds Kinds) {
	v.gone |= kinds
	l.source.Cancel(now, v.tablet, kinds)
	d := &l.decision
	if l.looking && d.Row >= 0 && d.Candidates.Tablet[d.Row] == v.tablet && kinds.Has(d.Candidates.Kind[d.Row]) {
		l.cancelled = true
	}
}

// letGo ends the unregistering of tablets of which nothing runs any more.
func (l *Loop) letGo(now engine.Time) {
	for i := 0; i < len(l.leaving); {
		v := l.leaving[i]
		if !l.idle(now, v) {
			i++
			continue
		}
		l.leaving = slices.Delete(l.leaving, i, i+1)
		if v.done != nil {
			v.done(now)
		}
	}
}

// idle waits for a tablet's ops one kind after the other, and cancels those that still are to be.
func (l *Loop) idle(now engine.Time, v *leaving) bool {
	for k := range policies.NumKinds {
		if l.runs(v.tablet, k) {
			return false
		}
		if !v.gone.Has(k) {
			l.cancel(now, v, KindsOf(k))
		}
	}
	return true
}

// runs tells whether an op of the kind and tablet is on a thread.
func (l *Loop) runs(tablet int32, k policies.Kind) bool {
	return slices.ContainsFunc(l.threads, func(t thread) bool { return t.op != nil && t.tablet == tablet && t.kind == k })
}
