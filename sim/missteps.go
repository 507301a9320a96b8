package sim

import (
	"errors"
	"fmt"
	"time"

	"mmsim/results"
	"mmsim/sim/maintenance"
)

// A PolicyError ends a run whose policy does not let it end, or end in time.
type PolicyError struct{ Text string }

func (e *PolicyError) Error() string { return e.Text }

// nothingToGain is the rule that such a policy breaks.
const nothingToGain = "an op whose perf is 0 or less has nothing to gain and must get a score of 0 or less"

// named words errors of managers with the names of ops.
func (w *world) named(err error) error {
	var idle *maintenance.IdleError
	if !errors.As(err, &idle) {
		return err
	}
	return &PolicyError{fmt.Sprintf("the policy lets server %d run ops that find nothing to do, without end: %d in a row and %d in all by %.3f s, the last %s with perf %v and score %v; %s",
		idle.Server, idle.InRow, idle.Total, time.Duration(idle.At).Seconds(), w.log.opName(idle.Kind, idle.Tablet), idle.Perf, idle.Score, nothingToGain)}
}

// warnings says what a run's reader should know of its policy. Of each kind there is one, about the server where it came first.
func (r *recorder) warnings(policy string) (all []results.Warning) {
	managers := r.world.managers
	if w, ok := r.worst(managers, (*maintenance.Manager).Idle); ok {
		w.What = results.WarnIdle
		w.Text = fmt.Sprintf("policy %s chose ops that find nothing to do, %d in all and %d in a row by %.3f s on server %d: %s with perf %v got score %v; %s",
			policy, w.Count, maintenance.MisstepsToWarn, time.Duration(w.At).Seconds(), w.Server, w.Op, w.Perf, w.Score, nothingToGain)
		all = append(all, w)
	}
	if w, ok := r.worst(managers, (*maintenance.Manager).Greed); ok {
		w.What = results.WarnGreed
		w.Text = fmt.Sprintf("policy %s chose ops that free no memory while a server was beyond its soft limit, %d in all and %d in a row by %.3f s on server %d, such as %s with score %v; "+
			"a policy that ranks everything must put ops that free memory first then", policy, w.Count, maintenance.MisstepsToWarn, time.Duration(w.At).Seconds(), w.Server, w.Op, w.Score)
		all = append(all, w)
	}
	unmoved := 0
	for _, m := range managers {
		if m.Unmoved() {
			unmoved++
		}
	}
	if unmoved > 0 {
		all = append(all, results.Warning{What: results.WarnUnmoved,
			Text: fmt.Sprintf("policy %s gave no op a score above 0 on %d of %d servers, though some had perf above 0: nothing ran for its score there", policy, unmoved, len(managers))})
	}
	return all
}

// worst is about the missteps that came first, and counts those of all servers.
func (r *recorder) worst(managers []*maintenance.Manager, of func(*maintenance.Manager) maintenance.Missteps) (out results.Warning, ok bool) {
	for _, m := range managers {
		s := of(m)
		out.Count += s.Total
		if s.Warn() && (!ok || s.At < out.At) {
			ok = true
			out.Server, out.Op, out.Perf, out.Score, out.At = s.Server, r.opName(s.Kind, s.Tablet), s.Perf, s.Score, s.At
		}
	}
	return out, ok
}
