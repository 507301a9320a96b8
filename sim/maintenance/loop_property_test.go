package maintenance

import (
	"testing"

	"mmsim/sim/engine"
	"pgregory.net/rapid"
)

// Whatever ops and tablets come and go: no more ops run than there are threads, what begins ends, and of a tablet that was unregistered nothing begins any
// more and nothing runs once it is gone.
func TestLoopInvariants(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cfg := scriptConfig(rapid.IntRange(1, 4).Draw(rt, "threads"))
		for _, rule := range []string{"immediate_loop", "failed_prepare_frees_thread", "complete_without_lock"} {
			setRule(&cfg, rule, rapid.Bool().Draw(rt, rule))
		}
		s := newScript(t, cfg, OpCosts{DecideOp: float64(rapid.SampledFrom([]engine.Time{0, ms, 40 * ms}).Draw(rt, "look"))})
		begun, leftAt, goneAt := 0, map[int32]int{}, map[int32]bool{}
		for tablet := range int32(rapid.IntRange(1, 6).Draw(rt, "tablets")) {
			s.add(&scripted{tablet: tablet, perf: rapid.Float64Range(0, 3).Draw(rt, "perf"), runs: rapid.IntRange(0, 9).Draw(rt, "runs"),
				takes: rapid.Int64Range(0, int64(200*ms)).Draw(rt, "takes"), fails: rapid.IntRange(0, 1).Draw(rt, "fails")})
		}
		check := func() {
			if n := s.runningOf(-1); n > cfg.Threads {
				rt.Fatalf("%d ops run on %d threads", n, cfg.Threads)
			}
			begun = 0
			for _, op := range s.ops {
				begun += op.began
				if n, left := leftAt[op.tablet]; left && op.began > n {
					rt.Fatalf("tablet %d was unregistered after %d runs and has %d", op.tablet, n, op.began)
				}
				if goneAt[op.tablet] && s.runningOf(op.tablet) > 0 {
					rt.Fatalf("tablet %d is gone and runs", op.tablet)
				}
			}
		}
		for now := engine.Time(0); now < 3*second; {
			next := now + rapid.Int64Range(1, int64(second)).Draw(rt, "pause")
			for s.Next() <= next {
				if err := s.Step(s.Next()); err != nil {
					rt.Fatal(err)
				}
				check()
			}
			now = next
			op := rapid.SampledFrom(s.ops).Draw(rt, "op")
			if _, left := leftAt[op.tablet]; left {
				continue
			}
			leftAt[op.tablet] = op.began
			if err := s.Unregister(now, op.tablet, func(engine.Time) { goneAt[op.tablet] = true }); err != nil {
				rt.Fatal(err)
			}
			check()
		}
		if err := s.play(100 * second); err != nil {
			rt.Fatal(err)
		}
		check()
		if s.ended != begun || len(goneAt) != len(leftAt) {
			rt.Errorf("of %d ops %d ended, of %d tablets that left %d are gone", begun, s.ended, len(leftAt), len(goneAt))
		}
	})
}

// runningOf counts the ops of a tablet that are on threads; of all with -1.
func (s *script) runningOf(tablet int32) (n int) {
	for _, t := range s.threads {
		if t.op != nil && (tablet < 0 || t.tablet == tablet) {
			n++
		}
	}
	return n
}
