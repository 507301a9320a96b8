package results

// Age is how long the op waited, in ns; one that still waits has waited until end, the end of the run.
func (w *Wait) Age(end int64) int64 {
	if w.Outcome == Open {
		return end - w.Since
	}
	return w.Until - w.Since
}
