package sim

import (
	"cmp"
	"slices"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
	"mmsim/sim/engine"
	"mmsim/sim/maintenance"
)

// maxOrder bounds how many ops are chosen one after the other.
const maxOrder = 100_000

// Decided is what becomes of a situation.
type Decided struct {
	Ops     []Standing // before the first decision, in Kudu's order
	Order   []Chosen   // as many as there are free threads, or until nothing is worth doing
	Stopped bool       // the order is longer than what is given
}

// Standing is an op before a decision.
type Standing struct {
	Op                      *configs.DecisionOp
	Perf                    float64 // perf_improvement, given or from size and age
	ScansPerSec, RowsPerSec float64
	Score                   float64      // by the policy; 0 if not runnable
	Rule                    results.Rule // the first under which it could be chosen; empty = none
}

// Chosen is an op that was chosen.
type Chosen struct {
	Op            *configs.DecisionOp // as it stood
	At            float64             // seconds from the first decision
	Thread        int                 // from 0
	Rule          results.Rule
	Score         float64 // 0 where no score was asked for
	Reason        string  // in Kudu's words
	RunnerUp      string  // name of the op with the next best score above 0
	MemoryPercent float64 // used at the decision
	Drawn         []float64
}

// Decide takes the decisions of a server with free threads, or with untilIdle all of them until nothing is worth doing. An op is no
// candidate while it runs. Workload scores that are given count as part of perf_improvement, as in Kudu's sum; so only a policy that
// adds them can be asked then.
func Decide(d *configs.Decision, policy policies.Policy, ranksAll, untilIdle bool) (*Decided, error) {
	s := newSituation(d, policy, ranksAll)
	standings, err := s.standings()
	if err != nil {
		return nil, err
	}
	out := &Decided{Ops: standings}
	for {
		s.finish()
		chosen, err := s.fill()
		if err != nil {
			return nil, err
		}
		out.Order = append(out.Order, chosen...)
		if !untilIdle || !s.advance() {
			return out, nil
		}
		if len(out.Order) >= maxOrder {
			out.Stopped = true
			return out, nil
		}
	}
}

// situation is a server's ops between decisions.
type situation struct {
	cfg        *maintenance.Config
	policy     policies.Policy
	ranksAll   bool
	rand       *draws
	memory     maintenance.Memory
	limit      float64 // bytes; 0 = unknown
	start, now engine.Time
	ops        []*liveOp // in the order of their names
	threads    []*liveOp // what each runs; nil = free
	candidates policies.Candidates
	rows       []*liveOp // the candidates
}

// liveOp is an op as it stands.
type liveOp struct {
	*configs.DecisionOp
	kind          policies.Kind
	table, tablet int32
	perf          float64
	scans, rows   float64
	since         engine.Time // when its wait began; -1 = unknown
	left          int         // runs
	gone          bool
	due           engine.Time // while it runs
	running       bool
}

func newSituation(d *configs.Decision, policy policies.Policy, ranksAll bool) *situation {
	m := &d.Maintenance
	s := &situation{
		cfg: &maintenance.Config{
			Rules: d.Rules, MiB: 1 << 20, LogTarget: int64(m.LogTargetReplaySize), DataGCMin: int64(m.DataGCMinSize),
			DataGCProbability: m.DataGCProbability, SkipProbability: m.NonMemoryOpsProb, FlushThreshold: int64(m.FlushThreshold),
			FlushAfter: ns(m.FlushThresholdTime), FlushUpper: ns(m.FlushUpperBound), RateMin: ns(d.Workload.MinInterval), RateReset: ns(d.Workload.ResetInterval),
		},
		policy: policy, ranksAll: ranksAll, rand: newDraws(d.Seed, d.Draw),
		memory:  maintenance.Memory{UsedPercent: d.Memory.UsedPercent, PressurePercent: d.Memory.PressurePercent, SoftPercent: d.Memory.SoftPercent},
		limit:   float64(d.Memory.Limit),
		threads: make([]*liveOp, m.Threads),
	}
	for i := range d.Ops {
		s.start = max(s.start, ns(d.Ops[i].Waiting))
	}
	s.now = s.start
	tables, tablets := map[string]int32{}, map[string]int32{}
	for i := range d.Ops {
		op := &liveOp{kind: kindOf(d.Ops[i].Kind), since: -1, table: number(tables, d.Ops[i].Table), tablet: number(tablets, d.Ops[i].Tablet)}
		s.load(op, &d.Ops[i])
		if op.Waiting > 0 {
			op.since = s.start - ns(op.Waiting)
		}
		s.ops = append(s.ops, op)
	}
	slices.SortFunc(s.ops, func(a, b *liveOp) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// load makes op what its stats say.
func (s *situation) load(op *liveOp, stats *configs.DecisionOp) {
	op.DecisionOp, op.left, op.perf = stats, stats.Runs, stats.Perf
	if stats.Age != nil {
		op.perf = s.cfg.FlushScore(int64(stats.RAM), ns(*stats.Age))
	}
	op.scans, op.rows = 0, 0
	switch {
	case stats.Rates != nil:
		op.scans, op.rows = float64(stats.Rates.ScansPerSec), float64(stats.Rates.RowsPerSec)
	case stats.Counters != nil:
		looks := make([]maintenance.Counters, len(stats.Counters))
		for i, c := range stats.Counters {
			looks[i] = maintenance.Counters{At: ns(c.At), Scans: c.Scans, Rows: c.Rows}
		}
		op.scans, op.rows = s.cfg.RatesOf(looks)
	}
}

// standings gives every op as it stands now.
func (s *situation) standings() ([]Standing, error) {
	s.collect()
	scores := make([]float64, len(s.rows))
	if len(s.rows) > 0 {
		if err := s.policy.Score(s.now, 0, &s.candidates, scores); err != nil {
			return nil, err
		}
	}
	if err := s.candidates.Validate(scores); err != nil {
		return nil, err
	}
	all := make([]Standing, len(s.ops))
	row := 0
	for i, op := range s.ops {
		all[i] = Standing{Op: op.DecisionOp, Perf: op.perf, ScansPerSec: op.scans, RowsPerSec: op.rows}
		if row < len(s.rows) && s.rows[row] == op {
			all[i].Score = scores[row]
			all[i].Rule = rules[s.cfg.Standing(&s.candidates, row, s.memory, s.ranksAll, scores[row])]
			row++
		}
	}
	return all, nil
}

// fill chooses an op for every free thread, until nothing is worth doing.
func (s *situation) fill() ([]Chosen, error) {
	var all []Chosen
	for i := range s.threads {
		if s.threads[i] != nil {
			continue
		}
		s.collect()
		s.rand.drawn = nil
		choice, _, err := maintenance.Decide(s.cfg, s.policy, s.ranksAll, s.now, &s.candidates, s.memory, s.rand)
		if err != nil {
			return nil, err
		}
		if choice.Row < 0 {
			break
		}
		op := s.rows[choice.Row]
		c := Chosen{Op: op.DecisionOp, At: float64(s.now-s.start) / 1e9, Thread: i, Rule: rules[choice.Rule], Score: choice.Score,
			MemoryPercent: s.memory.UsedPercent, Drawn: s.rand.drawn}
		if choice.RunnerUp >= 0 {
			c.RunnerUp = s.rows[choice.RunnerUp].Name
		}
		logged := results.Op{Rule: c.Rule, Score: c.Score, RAM: int64(op.RAM), WAL: int64(op.Logs), Data: int64(op.Data), MemoryPercent: c.MemoryPercent}
		c.Reason = logged.Reason()
		all = append(all, c)
		op.running, op.due = true, s.now+engine.Time(op.Seconds*1e9)
		s.threads[i] = op
	}
	return all, nil
}

// collect makes candidates of the ops that can be run.
func (s *situation) collect() {
	s.rows = s.rows[:0]
	s.candidates = policies.Candidates{}
	c := &s.candidates
	for _, op := range s.ops {
		if !op.Runnable || op.running || op.gone {
			continue
		}
		perf := op.perf
		if op.Workload != nil && perf != 0 { // Kudu's AdjustedPerfScore: an op that improves nothing stays out
			perf += *op.Workload
		}
		c.Kind, c.Table, c.Tablet = append(c.Kind, op.kind), append(c.Table, op.table), append(c.Tablet, op.tablet)
		c.Perf, c.RAM, c.WAL, c.Data = append(c.Perf, perf), append(c.RAM, int64(op.RAM)), append(c.WAL, int64(op.Logs)), append(c.Data, int64(op.Data))
		c.Priority, c.ScansPerSec, c.RowsPerSec = append(c.Priority, int32(op.Priority)), append(c.ScansPerSec, op.scans), append(c.RowsPerSec, op.rows)
		c.HeightRemoved, c.Bytes = append(c.HeightRemoved, op.HeightRemoved), append(c.Bytes, int64(op.Bytes))
		c.Seconds, c.WaitingSince = append(c.Seconds, op.Seconds), append(c.WaitingSince, op.since)
		s.rows = append(s.rows, op)
	}
}

// advance goes to when the next op ends; false if none runs.
func (s *situation) advance() bool {
	next := engine.Never
	for _, op := range s.threads {
		if op != nil {
			next = min(next, op.due)
		}
	}
	if next == engine.Never {
		return false
	}
	s.now = next
	return true
}

// finish ends the ops that are due.
func (s *situation) finish() {
	for i, op := range s.threads {
		if op == nil || op.due > s.now {
			continue
		}
		s.threads[i] = nil
		op.running, op.since = false, -1
		if s.limit > 0 {
			s.memory.UsedPercent = max(0, s.memory.UsedPercent-float64(op.RAM)/s.limit*100)
		}
		op.left--
		switch {
		case op.left > 0:
		case op.After != nil:
			s.load(op, op.After)
		default:
			op.gone = true
		}
	}
}

// kindOf finds an op's kind by its name, which has been checked.
func kindOf(name string) policies.Kind {
	for k := range policies.NumKinds {
		if k.String() == name {
			return k
		}
	}
	return policies.NumKinds
}

// number numbers names by their first appearance.
func number(seen map[string]int32, name string) int32 {
	n, ok := seen[name]
	if !ok {
		n = int32(len(seen))
		seen[name] = n
	}
	return n
}

// draws are the random numbers of the rules, kept for the reader.
type draws struct {
	rand  engine.Rand
	fixed *float64
	drawn []float64
}

func newDraws(seed uint64, fixed *float64) *draws {
	return &draws{rand: engine.Stream(seed, 0, "server", "decisions"), fixed: fixed}
}

// Float64 draws the next.
func (d *draws) Float64() float64 {
	u := d.rand.Float64()
	if d.fixed != nil {
		u = *d.fixed
	}
	d.drawn = append(d.drawn, u)
	return u
}
