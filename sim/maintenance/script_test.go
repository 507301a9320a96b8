package maintenance

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"mmsim/policies"
	"mmsim/rules"
	"mmsim/sim/engine"
)

// scripted is an op of no tablet: it does what a test says.
type scripted struct {
	kind           policies.Kind
	tablet         int32
	perf, workload float64
	priority       int32
	ram, wal, data int64
	runs           int // left; it can run while there are any
	takes          engine.Time
	fails          int // Prepares that fail, each of which takes a run
	cancelled      bool
	began          int
}

// script is a source of such ops.
type script struct {
	*Loop
	ops  []*scripted // by name
	rows []*scripted
	used float64 // percent of memory
	log  []string

	ended int
}

// newScript makes a loop over no ops yet. The policy is Kudu's whole formula with bound 10.
func newScript(t testing.TB, cfg Config, costs OpCosts) *script {
	t.Helper()
	s := &script{}
	rand := engine.Stream(1, 0, "server", "decisions")
	s.Loop = NewLoop(&cfg, &costs, 0, builtin(t, policies.PriorityWeighted(), map[string]any{"bound": 10.0}), false, s, &rand)
	return s
}

// scriptConfig is today's manager at its defaults.
func scriptConfig(threads int) Config {
	_, set, _ := rules.Of("kudu-1.19")
	return Config{Enabled: true, Rules: set, Threads: threads, PollingInterval: 250 * ms, LogTarget: 1 << 30, DataGCProbability: .5}
}

func (s *script) add(op *scripted) {
	s.ops = append(s.ops, op)
	slices.SortFunc(s.ops, func(a, b *scripted) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.tablet, b.tablet)) })
}

// on calls f for the ops of a tablet.
func (s *script) on(tablet int32, f func(*scripted)) {
	for _, op := range s.ops {
		if op.tablet == tablet {
			f(op)
		}
	}
}

func (s *script) note(now engine.Time, format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf("%v: ", time.Duration(now))+fmt.Sprintf(format, args...))
}

func (s *script) Collect(engine.Time) (Look, error) {
	s.rows = s.rows[:0]
	var rows []row
	for _, op := range s.ops {
		if op.runs > 0 && !op.cancelled {
			s.rows = append(s.rows, op)
			rows = append(rows, row{op.kind, op.tablet, op.perf, op.ram, op.wal, op.data, op.workload / 10, op.priority})
		}
	}
	return Look{Candidates: candidatesOf(rows...), Memory: Memory{s.used, 60, 80}, Ops: len(s.ops)}, nil
}

func (s *script) Decided(engine.Time, *Decision) {}

func (s *script) Prepare(now engine.Time, d *Decision) (Op, bool) {
	op := s.rows[d.Row]
	op.runs--
	if op.fails > 0 {
		op.fails--
		s.note(now, "%d fails", op.tablet)
		return nil, false
	}
	return &instance{s, op, now, 0, 0}, true
}

func (s *script) Cancel(_ engine.Time, tablet int32, kinds Kinds) {
	s.on(tablet, func(op *scripted) { op.cancelled = op.cancelled || kinds.Has(op.kind) })
}

// play steps the loop until a time, that included.
func (s *script) play(until engine.Time) error {
	for s.Next() <= until {
		if err := s.Step(s.Next()); err != nil {
			return err
		}
	}
	return nil
}

// instance is a run of a scripted op.
type instance struct {
	script   *script
	op       *scripted
	prepared engine.Time
	due      engine.Time
	run      int // from 1
}

func (i *instance) Perform(now engine.Time) error {
	i.op.began++
	i.run = i.op.began
	i.due = now + i.op.takes
	return nil
}
func (i *instance) Due(now engine.Time) engine.Time { return max(now, i.due) }
func (i *instance) Finish(engine.Time)              {}
func (i *instance) Report(now engine.Time) {
	i.script.ended++
	i.script.note(now, "%d ends run %d, begun at %v", i.op.tablet, i.run, time.Duration(i.prepared))
}
