package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/maintenance"
)

// scriptedOp is an op that does what a scenario says: it can run a number of times, and takes as long each time.
type scriptedOp struct {
	*configs.DecisionOp
	kind        policies.Kind
	tablet      int32
	runs, fails int // left; the first runs fail when they are prepared
	gone        bool
	ended       int
}

// historyOps is a manager's loop over such ops.
type historyOps struct {
	loop   *maintenance.Loop
	ops    []*scriptedOp // by name
	rows   []*scriptedOp // offered at the last look
	memory maintenance.Memory
}

// scriptedOps plays ops for a time: a situation, with `until` and `fails` beside it, which says how many runs of a tablet's ops cannot be prepared.
func (s *scenario) scriptedOps(input string) (outcome, error) {
	d, extra, err := s.situation(input, "until", "fails")
	if err != nil {
		return nil, err
	}
	policy, err := policyOf(d.Policy, d.Params)
	if err != nil {
		return nil, err
	}
	script := &historyOps{memory: maintenance.Memory{UsedPercent: d.Memory.UsedPercent, PressurePercent: d.Memory.PressurePercent, SoftPercent: d.Memory.SoftPercent}}
	fails, _ := extra["fails"].(map[string]any)
	tablets := map[string]int32{}
	for i := range d.Ops {
		op := &scriptedOp{DecisionOp: &d.Ops[i], kind: kindOf(d.Ops[i].Kind), tablet: number(tablets, d.Ops[i].Tablet), runs: d.Ops[i].Runs}
		op.fails, _ = fails[op.Tablet].(int)
		script.ops = append(script.ops, op)
	}
	slices.SortFunc(script.ops, func(a, b *scriptedOp) int { return cmp.Compare(a.Name, b.Name) })
	cfg := newSituation(d, policy, false).cfg
	cfg.Enabled, cfg.Threads, cfg.PollingInterval = d.Maintenance.Enabled, d.Maintenance.Threads, ns(d.Maintenance.PollingInterval)
	rand := engine.Stream(d.Seed, 0, "server", "decisions")
	script.loop = maintenance.NewLoop(cfg, &maintenance.OpCosts{}, 0, policy, false, script, &rand)
	for until := timeOf(extra["until"]); script.loop.Next() <= until; {
		if err := script.loop.Step(script.loop.Next()); err != nil {
			return nil, err
		}
	}
	return script, nil
}

// timeOf is a time written with a unit; 0 if it is none.
func timeOf(x any) engine.Time {
	text, _ := x.(string)
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return engine.Time(d)
}

// Collect offers what can run.
func (s *historyOps) Collect(engine.Time) (maintenance.Look, error) {
	s.rows = s.rows[:0]
	c := &policies.Candidates{}
	for _, op := range s.ops {
		if op.runs == 0 || op.gone {
			continue
		}
		s.rows = append(s.rows, op)
		c.Kind, c.Table, c.Tablet = append(c.Kind, op.kind), append(c.Table, 0), append(c.Tablet, op.tablet)
		c.Perf, c.RAM, c.WAL, c.Data = append(c.Perf, op.Perf), append(c.RAM, int64(op.RAM)), append(c.WAL, int64(op.Logs)), append(c.Data, int64(op.Data))
		c.Priority, c.ScansPerSec, c.RowsPerSec = append(c.Priority, int32(op.Priority)), append(c.ScansPerSec, 0), append(c.RowsPerSec, 0)
		c.HeightRemoved, c.Bytes, c.Seconds, c.WaitingSince = append(c.HeightRemoved, 0), append(c.Bytes, 0), append(c.Seconds, op.Seconds), append(c.WaitingSince, -1)
	}
	return maintenance.Look{Candidates: c, Memory: s.memory, Ops: len(s.ops)}, nil
}

// Decided has nothing to note.
func (s *historyOps) Decided(engine.Time, *maintenance.Decision) {}

// Prepare takes a run.
func (s *historyOps) Prepare(_ engine.Time, d *maintenance.Decision) (maintenance.Op, bool) {
	op := s.rows[d.Row]
	op.runs--
	if op.fails > 0 {
		op.fails--
		return nil, false
	}
	return &scriptedRun{script: s, op: op}, true
}

// Cancel takes ops away.
func (s *historyOps) Cancel(_ engine.Time, tablet int32, kinds maintenance.Kinds) {
	for _, op := range s.ops {
		op.gone = op.gone || (op.tablet == tablet && kinds.Has(op.kind))
	}
}

func (s *historyOps) String() string {
	n := 0
	for _, op := range s.ops {
		n += op.ended
	}
	return fmt.Sprintf("%d runs ended, %d could not be prepared", n, s.loop.PrepareFailed)
}

// value is how many runs could not be prepared, or how many ended of a tablet's ops.
func (s *historyOps) value(words []string) (float64, error) {
	switch what := words[len(words)-1]; {
	case what == "failed" && len(words) == 1:
		return float64(s.loop.PrepareFailed), nil
	case what == "ended" && len(words) == 2:
		n := 0
		for _, op := range s.ops {
			if op.Tablet == words[0] {
				n += op.ended
			}
		}
		return float64(n), nil
	}
	return 0, fmt.Errorf("%q is not known of scripted ops", words)
}

// scriptedRun is a run of an op.
type scriptedRun struct {
	script *historyOps
	op     *scriptedOp
	due    engine.Time
}

// Perform begins it.
func (r *scriptedRun) Perform(now engine.Time) error {
	r.due = now + engine.Time(r.op.Seconds*1e9)
	return nil
}

// Due is when it ends.
func (r *scriptedRun) Due(now engine.Time) engine.Time { return max(now, r.due) }

// Finish changes nothing.
func (r *scriptedRun) Finish(engine.Time) {}

// Report counts it.
func (r *scriptedRun) Report(engine.Time) { r.op.ended++ }
