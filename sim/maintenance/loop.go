package maintenance

import (
	"fmt"

	"mmsim/policies"
	"mmsim/sim/engine"
)

// Loop is the scheduler of one server with its pool of threads (maintenance_manager.cc, RunSchedulerThread). It knows ops only by what its source
// says of them.
type Loop struct {
	cfg     *Config
	costs   *OpCosts
	source  Source
	server  int
	decider decider

	threads []thread
	wake    engine.Time // when the scheduler goes on by itself: at the end of a look or of its back-off
	enabled bool
	leaving []*leaving // tablets that are being unregistered
	chosen  []Op       // prepared, but their threads did not begin yet
	pausing bool       // it launched an op and looks again at wake, whatever ends before

	// A look under way; it takes effect at wake.
	looking   bool
	decision  Decision
	cancelled bool // the choice went meanwhile
	signalled bool // an op ended since it began

	lookedAt, askedAt engine.Time // when there was a look last, and when one last took the scores

	failures  int // Prepares that failed in a row at failedAt
	failedAt  engine.Time
	Decisions int64
	Deciding  engine.Time // that looks took
	// PrepareFailed counts ops that were chosen but could not be prepared.
	PrepareFailed int64
}

// maxFailures bounds how often Prepare may fail at one instant.
const maxFailures = 1000

// NewLoop makes a loop with idle threads. Of the costs it uses what decisions take.
func NewLoop(cfg *Config, costs *OpCosts, server int, policy policies.Policy, ranksAll bool, source Source, rand Uniform) *Loop {
	l := &Loop{cfg: cfg, costs: costs, source: source, server: server, threads: make([]thread, cfg.Threads), enabled: cfg.Enabled, lookedAt: -1, askedAt: -1}
	l.decider = decider{cfg: cfg, policy: policy, ranks: ranksAll, rand: rand}
	switch {
	case !cfg.Enabled && !cfg.Rules.EnableAtRuntime: // the scheduler ended before it began
		l.wake = engine.Never
	case !cfg.Rules.ImmediateLoop:
		l.wake = cfg.PollingInterval
	}
	return l
}

// SetEnabled switches the scheduler off or on; it takes notice when it next wakes. What runs goes on. Without the rule enable_at_runtime, one that was
// off at the start stays off.
func (l *Loop) SetEnabled(on bool) { l.enabled = on }

// Next is when the loop must be stepped again.
func (l *Loop) Next() engine.Time {
	next := l.wake
	for i := range l.threads {
		if t := &l.threads[i]; t.op != nil {
			next = min(next, t.due, t.begins)
		}
	}
	return next
}

// Step ends the ops that are due and fills free threads: immediately after an op ends, and every polling interval while
// there is nothing to do. While all threads are busy no stats are looked at.
func (l *Loop) Step(now engine.Time) error {
	ended := l.endOps(now)
	if err := l.begin(now); err != nil {
		return err
	}
	if now >= l.wake || (ended && !l.looking && !l.pausing && l.cfg.Rules.ImmediateLoop) {
		if err := l.schedule(now); err != nil {
			return err
		}
	}
	for i := range l.threads {
		if t := &l.threads[i]; t.op != nil && !t.ended && t.begins == engine.Never {
			t.due = t.op.Due(now)
		}
	}
	return nil
}

// schedule chooses ops until threads or reasons run out, or a look takes time; then it begins those whose threads take none. Locks are taken when an op
// runs, not when it is chosen, so that two threads filled one soon after the other can choose the same compaction.
func (l *Loop) schedule(now engine.Time) error {
	l.pausing = false
	for more := true; more; {
		if !l.looking {
			if !l.ready(now) {
				break
			}
			if err := l.look(now); err != nil {
				return err
			}
		}
		if l.wake > now {
			break
		}
		var err error
		if more, err = l.carryOut(now); err != nil {
			return err
		}
	}
	return l.begin(now)
}

// ready tells whether the scheduler may look; if not, it sets when to try again.
func (l *Loop) ready(now engine.Time) bool {
	free := l.free() != nil
	if free && l.enabled {
		return true
	}
	l.wake = now + l.cfg.PollingInterval
	if !free && l.cfg.Rules.ImmediateLoop { // the end of an op wakes it
		l.wake = engine.Never
	}
	return false
}

// look refreshes the stats of every op and decides. What was decided holds from wake on: the look may take time.
func (l *Loop) look(now engine.Time) error {
	l.Decisions++
	l.looking, l.cancelled, l.signalled = true, false, false
	look, err := l.source.Collect(now)
	if err != nil {
		return err
	}
	choice, err := l.decider.choose(now, l.server, look.Candidates, look.Memory)
	if err != nil {
		return err
	}
	l.decision = Decision{Choice: choice, Candidates: look.Candidates, Memory: look.Memory}
	l.lookedAt = now
	if l.decider.asked {
		l.askedAt = now
		l.decision.Scores = l.decider.scores
	}
	l.source.Decided(now, &l.decision)
	takes := engine.Time(float64(l.costs.DecideOp*float64(look.Ops)) + float64(l.costs.DecideRowset*float64(look.Rowsets)))
	l.wake = now + takes
	l.Deciding += takes
	return nil
}

// carryOut ends a look: it launches what was chosen. more says that the scheduler looks again at once: as long as there was something to do, or if
// an op ended meanwhile. Before the rule immediate_loop it waited first, whatever it had done.
func (l *Loop) carryOut(now engine.Time) (more bool, err error) {
	l.looking = false
	nothing := l.decision.Row < 0
	if !nothing && !(l.cancelled && l.cfg.Rules.RecheckCancelled) {
		if err := l.launch(now); err != nil {
			return false, err
		}
	}
	for i := range l.threads {
		if t := &l.threads[i]; t.ended {
			l.release(now, t)
		}
	}
	if l.cfg.Rules.ImmediateLoop && (!nothing || l.signalled) {
		if l.pausing {
			l.wake = now + engine.Time(l.costs.Launch)
		}
		return !l.pausing, nil
	}
	l.wake = now + l.cfg.PollingInterval
	return false, nil
}

// launch prepares the chosen op and gives it a thread. If it cannot be prepared, the scheduler looks again without a pause; before the rule
// failed_prepare_frees_thread, the thread was never given back.
func (l *Loop) launch(now engine.Time) error {
	d, t := &l.decision, l.free()
	kind, tablet := d.Candidates.Kind[d.Row], d.Candidates.Tablet[d.Row]
	op, ok := l.source.Prepare(now, d)
	if !ok {
		l.PrepareFailed++
		t.lost = !l.cfg.Rules.FailedPrepareFreesThread
		return l.failed(now, kind, tablet)
	}
	l.failures = 0
	*t = thread{op: op, kind: kind, tablet: tablet, due: engine.Never, begins: now + l.starting()}
	l.chosen = append(l.chosen, op)
	l.pausing = l.costs.Launch > 0 && l.free() != nil
	return nil
}

// failed refuses an op whose Prepare would fail for ever in no time.
func (l *Loop) failed(now engine.Time, kind policies.Kind, tablet int32) error {
	if l.failedAt != now {
		l.failures, l.failedAt = 0, now
	}
	if l.failures++; l.failures < maxFailures {
		return nil
	}
	return fmt.Errorf("at %.3f s on server %d %v of tablet %d could not be prepared %d times in a row", float64(now)/1e9, l.server, kind, tablet, l.failures)
}
