package results

import "iter"

// Age is how long the op waited, in ns; one that still waits has waited until end, the end of the run.
func (w *Wait) Age(end int64) int64 {
	if w.Outcome == Open {
		return end - w.Since
	}
	return w.Until - w.Since
}

// WaitsOf gives the waits of a table (its position in run.Tables) and a kind of op, or of every kind if kind is empty,
// by the time they began.
func WaitsOf(run *Run, table int, kind string) iter.Seq[*Wait] {
	return func(yield func(*Wait) bool) {
		for i := range run.Waits {
			w := &run.Waits[i]
			if w.Table == table && (kind == "" || w.Kind == kind) && !yield(w) {
				return
			}
		}
	}
}
