package maintenance

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/policies"
	"mmsim/rules"
	"mmsim/sim/engine"
)

// row is one candidate.
type row struct {
	kind           policies.Kind
	tablet         int32
	perf           float64
	ram, wal, data int64
	scans          float64
	priority       int32
}

func candidatesOf(rows ...row) *policies.Candidates {
	c := &policies.Candidates{}
	for _, r := range rows {
		c.Kind, c.Table, c.Tablet = append(c.Kind, r.kind), append(c.Table, 0), append(c.Tablet, r.tablet)
		c.Perf, c.RAM, c.WAL, c.Data = append(c.Perf, r.perf), append(c.RAM, r.ram), append(c.WAL, r.wal), append(c.Data, r.data)
		c.Priority, c.ScansPerSec, c.RowsPerSec = append(c.Priority, r.priority), append(c.ScansPerSec, r.scans), append(c.RowsPerSec, 0)
		c.HeightRemoved, c.Bytes = append(c.HeightRemoved, 0), append(c.Bytes, 0)
		c.Seconds, c.WaitingSince = append(c.Seconds, 0), append(c.WaitingSince, -1)
	}
	return c
}

// builtin makes a built-in policy with some parameters set.
func builtin(t testing.TB, spec policies.Spec, params map[string]any) policies.Policy {
	t.Helper()
	values, err := spec.Resolve(params)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(values)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// testDecider decides by raw perf and today's rules.
func testDecider(t testing.TB, cfg Config) *decider {
	_, cfg.Rules, _ = rules.Of("kudu-1.19")
	rand := engine.Stream(1, 0, "server", "decisions")
	return &decider{cfg: &cfg, policy: builtin(t, policies.Raw(), nil), rand: &rand}
}

func mustChoose(t testing.TB, d *decider, c *policies.Candidates, used float64) Choice {
	t.Helper()
	choice, err := d.choose(0, 0, c, Memory{used, 60, 80})
	if err != nil {
		t.Fatal(err)
	}
	return choice
}

// Cases of Kudu's maintenance_manager-test and what its rules give besides.
func TestRules(t *testing.T) {
	logGC := row{kind: policies.LogGC, wal: 100 * mebibyte}
	small := row{kind: policies.FlushMRS, tablet: 2, ram: 100, wal: 100 * mebibyte}
	large := row{kind: policies.FlushMRS, tablet: 3, ram: 200, wal: 100 * mebibyte}
	full := row{kind: policies.FlushMRS, tablet: 9, perf: 1}
	data := row{kind: policies.UndoDeltaBlockGC, data: 1}
	for _, c := range []struct {
		name  string
		cfg   Config
		used  float64
		rows  []row
		want  int
		rule  Rule
		score float64
	}{
		{name: "memory to free without need", rows: []row{{kind: policies.FlushMRS, ram: 100}}, want: -1},
		{name: "under pressure", used: 70, rows: []row{{kind: policies.FlushMRS, ram: 100}}, want: 0, rule: MemoryPressure},
		{name: "nothing to do", rows: []row{{kind: policies.CompactRowSets}}, want: -1},
		{name: "pressure, but no op frees memory", used: 70, rows: []row{{kind: policies.CompactRowSets, perf: 1}}, want: 0, rule: PerfScore, score: 1},
		{name: "log GC first", rows: []row{small, large, logGC}, want: 2, rule: LogGC},
		{name: "log GC even under pressure", used: 99, rows: []row{small, large, logGC}, want: 2, rule: LogGC},
		{name: "not enough log retained", rows: []row{small, large}, want: -1},
		{name: "enough, and the larger store", cfg: Config{LogTarget: 50 * mebibyte}, rows: []row{small, large}, want: 1, rule: LogRetention},
		{name: "enough, the other is gone", cfg: Config{LogTarget: 50 * mebibyte}, rows: []row{small}, want: 0, rule: LogRetention},
		{name: "retention at the target", cfg: Config{LogTarget: 100 * mebibyte}, rows: []row{small}, want: 0, rule: LogRetention},
		{name: "retention before a score", cfg: Config{LogTarget: 50 * mebibyte}, rows: []row{{kind: policies.CompactRowSets, perf: 99}, small}, want: 1, rule: LogRetention},
		{name: "pressure takes the most log, then memory", used: 60, rows: []row{{kind: policies.FlushMRS, ram: 1 << 40}, small, large}, want: 2, rule: MemoryPressure},
		{name: "no pressure a little below", used: 59.99, rows: []row{small, full}, want: 1, rule: PerfScore, score: 1},
		{name: "of equal scores the first", rows: []row{{kind: policies.CompactRowSets, tablet: 7, perf: 1}, {kind: policies.FlushMRS, tablet: 1, perf: 1}},
			want: 0, rule: PerfScore, score: 1},
		{name: "of equal tablets the first", rows: []row{{kind: policies.FlushMRS, tablet: 1, perf: 1}, {kind: policies.FlushMRS, tablet: 2, perf: 1}},
			want: 0, rule: PerfScore, score: 1},
		{name: "data GC with nothing else to do", rows: []row{data}, want: 0, rule: DataGC},
		{name: "or with nothing worth doing", rows: []row{{kind: policies.CompactRowSets}, data}, want: 1, rule: DataGC},
		{name: "data GC below its minimum", cfg: Config{DataGCMin: 1}, rows: []row{data}, want: -1},
		{name: "data GC never at probability 0", rows: []row{full, data}, want: 0, rule: PerfScore, score: 1},
		{name: "data GC always at probability 1", cfg: Config{DataGCProbability: 1}, rows: []row{full, data}, want: 1, rule: DataGC},
		{name: "scores below 0", rows: []row{{kind: policies.CompactRowSets, perf: -1}}, want: -1},
		{name: "no candidates", want: -1},
	} {
		if c.cfg.LogTarget == 0 {
			c.cfg.LogTarget = 1024 * mebibyte
		}
		got := mustChoose(t, testDecider(t, c.cfg), candidatesOf(c.rows...), c.used)
		if got.Row != c.want || got.Rule != c.rule || got.Score != c.score {
			t.Errorf("%s: chose %+v, want row %d by rule %d with score %v", c.name, got, c.want, c.rule, c.score)
		}
	}
}

// How often pressure forces a flush when other ops may run with probability 1 at the threshold.
func TestPressureLeavesRoom(t *testing.T) {
	d := testDecider(t, Config{SkipProbability: 1, LogTarget: 1 << 40})
	c := candidatesOf(row{kind: policies.FlushMRS, ram: 100})
	for used, want := range map[float64]float64{60: 0, 65: .25, 70: .5, 75: .75, 80: 1, 90: 1} {
		if got := share(t, d, c, used, MemoryPressure); math.Abs(got-want) > .02 {
			t.Errorf("at %v %% a flush is forced in %v of the decisions, want %v", used, got, want)
		}
	}
}

// What Kudu decided before each of its rules came, beside what it decides since.
func TestRulesOfOld(t *testing.T) {
	full, idle := row{kind: policies.CompactRowSets, perf: 1}, row{kind: policies.CompactRowSets}
	wal := row{kind: policies.FlushDeltaMemStores, tablet: 1, ram: 10, wal: 200 * mebibyte}
	ram := row{kind: policies.FlushMRS, tablet: 2, ram: 100, wal: 100 * mebibyte}
	data := row{kind: policies.UndoDeltaBlockGC, data: 1}
	for _, c := range []struct {
		rule         string
		used         float64
		rows         []row
		before, then int
		ruleBefore   Rule
		ruleThen     Rule
	}{
		{"log_retention_by_size", 0, []row{full, wal}, 1, 0, LogRetention, PerfScore}, // KUDU-1567: from two segments of 64 MiB on
		{"log_retention_by_size", 0, []row{full, ram}, 0, 0, PerfScore, PerfScore},
		{"early_pressure", 70, []row{full, wal}, 0, 1, PerfScore, MemoryPressure}, // KUDU-1949
		{"early_pressure", 100, []row{full, wal}, 1, 1, MemoryPressure, MemoryPressure},
		{"pressure_falls_through", 70, []row{full}, -1, 0, None, PerfScore}, // KUDU-2929
		{"pressure_falls_through", 50, []row{full}, 0, 0, PerfScore, PerfScore},
		{"pressure_falls_through", 70, []row{full, ram}, 1, 1, MemoryPressure, MemoryPressure},
		{"pressure_by_wal", 70, []row{full, wal, ram}, 2, 1, MemoryPressure, MemoryPressure}, // KUDU-3002
		{"pressure_by_wal", 70, []row{full, {kind: policies.FlushMRS, wal: 1}}, 0, 1, PerfScore, MemoryPressure},
		{"pressure_skip", 60, []row{full, ram}, 1, 0, MemoryPressure, PerfScore}, // KUDU-3722: with probability 1 at the threshold
		{"data_gc", 0, []row{idle, data}, -1, 1, None, DataGC},                   // KUDU-1601
	} {
		for _, on := range []bool{false, true} {
			d := testDecider(t, Config{LogTarget: 1024 * mebibyte, SkipProbability: 1})
			setRule(d.cfg, c.rule, on)
			d.cfg.Rules.PressureSkip = on && c.rule == "pressure_skip"
			want, rule := c.before, c.ruleBefore
			if on {
				want, rule = c.then, c.ruleThen
			}
			if got := mustChoose(t, d, candidatesOf(c.rows...), c.used); got.Row != want || got.Rule != rule {
				t.Errorf("at %v %% with %s %v: chose %+v, want row %d by rule %d", c.used, c.rule, on, got, want, rule)
			}
		}
	}
}

// setRule switches a rule by its name.
func setRule(c *Config, name string, on bool) {
	for i, r := range rules.Differences {
		if r.Name == name {
			c.Rules.Switch(i, on)
		}
	}
}

// Before KUDU-1949 memory came first as likely as a write was rejected: linearly from the soft limit to the hard one.
func TestPressureFromTheSoftLimit(t *testing.T) {
	d := testDecider(t, Config{LogTarget: 1 << 40})
	d.cfg.Rules.EarlyPressure = false
	c := candidatesOf(row{kind: policies.FlushMRS, ram: 100})
	for used, want := range map[float64]float64{60: 0, 79.9: 0, 80: 0, 85: .25, 90: .5, 100: 1, 110: 1} {
		if got := share(t, d, c, used, MemoryPressure); math.Abs(got-want) > .02 {
			t.Errorf("at %v %% a flush is forced in %v of the decisions, want %v", used, got, want)
		}
	}
}

// Where nothing could win, nothing stands under a rule.
func TestStandingByRules(t *testing.T) {
	flush := candidatesOf(row{kind: policies.FlushMRS, ram: 1}, row{kind: policies.FlushMRS, wal: 128 * mebibyte}, row{kind: policies.UndoDeltaBlockGC, data: 1})
	for _, c := range []struct {
		without string
		used    float64
		want    [3]Rule
	}{
		{"", 70, [3]Rule{MemoryPressure, MemoryPressure, DataGC}},
		{"", 50, [3]Rule{None, None, DataGC}},
		{"early_pressure", 70, [3]Rule{None, None, DataGC}},
		{"pressure_by_wal", 70, [3]Rule{MemoryPressure, None, DataGC}},
		{"log_retention_by_size", 50, [3]Rule{None, LogRetention, DataGC}},
		{"data_gc", 50, [3]Rule{None, None, None}},
	} {
		d := testDecider(t, Config{LogTarget: 1 << 40})
		setRule(d.cfg, c.without, false)
		for i, want := range c.want {
			if got := d.cfg.Standing(flush, i, Memory{c.used, 60, 80}, false, 0); got != want {
				t.Errorf("without %q at %v %% row %d stands under %d, want %d", c.without, c.used, i, got, want)
			}
		}
	}
}

// Data GC takes half the decisions at its default probability.
func TestDataGCTakesItsShare(t *testing.T) {
	d := testDecider(t, Config{DataGCProbability: .5, LogTarget: 1 << 40})
	c := candidatesOf(row{kind: policies.CompactRowSets, perf: .5}, row{kind: policies.UndoDeltaBlockGC, data: 1})
	if got := share(t, d, c, 0, DataGC); math.Abs(got-.5) > .02 {
		t.Errorf("data GC takes %v of the decisions, want 0.5", got)
	}
}

func share(t *testing.T, d *decider, c *policies.Candidates, used float64, rule Rule) float64 {
	n := 0
	for range 10_000 {
		if mustChoose(t, d, c, used).Rule == rule {
			n++
		}
	}
	return float64(n) / 10_000
}

// Eight ops with perf, workload and priority run in the order of their scores; one without perf never does.
func TestOrderOfScores(t *testing.T) {
	d := testDecider(t, Config{LogTarget: 1 << 40})
	d.policy = builtin(t, policies.PriorityWeighted(), map[string]any{"bound": 10.0})
	op := func(n int32, perf, scans float64, priority int32) row {
		return row{kind: policies.CompactRowSets, tablet: n, perf: perf, scans: scans, priority: priority}
	}
	rows := []row{op(0, 0, 1, 6), op(1, 10, 0, -6), op(2, 10, 0, -1), op(3, 10, 0, 0), op(4, 10, 0, 1), op(5, 12, 0, 0), op(6, 10, 0, 6), op(7, 9, 1, 0)}
	wantOp := []int32{7, 6, 5, 4, 3, 2, 1}
	wantScore := []float64{19, 16.1051, 12, 11, 10, 10 / 1.1, 6.209213}
	for i, op := range wantOp {
		c := candidatesOf(rows...)
		got := mustChoose(t, d, c, 0)
		if c.Tablet[got.Row] != op || math.Abs(got.Score-wantScore[i]) > 1e-6 {
			t.Errorf("choice %d: op%d with %v, want op%d with %v", i, c.Tablet[got.Row], got.Score, op, wantScore[i])
		}
		if next := got.RunnerUp; i+1 < len(wantOp) && c.Tablet[next] != wantOp[i+1] || i+1 == len(wantOp) && next != -1 {
			t.Errorf("choice %d: the runner-up is row %d", i, next)
		}
		rows = slices.Delete(rows, got.Row, got.Row+1)
	}
	if got := mustChoose(t, d, candidatesOf(rows...), 0); got.Row != -1 {
		t.Errorf("op0, which improves nothing, was chosen with score %v", got.Score)
	}
}

// A policy that ranks everything is asked before Kudu's rules.
func TestPolicyThatRanksEverything(t *testing.T) {
	d := testDecider(t, Config{DataGCProbability: 1})
	d.ranks = true
	c := candidatesOf(row{kind: policies.FlushMRS, perf: .2, ram: 1}, row{kind: policies.LogGC, wal: 1}, row{kind: policies.UndoDeltaBlockGC, data: 1})
	if got := mustChoose(t, d, c, 99); got.Row != 0 || got.Rule != PerfScore {
		t.Errorf("chose %+v, want the only score", got)
	}
}

// constantPolicy gives every op the same score.
type constantPolicy float64

func (p constantPolicy) Score(_ int64, _ int, _ *policies.Candidates, scores []float64) error {
	for i := range scores {
		scores[i] = float64(p)
	}
	return nil
}

func TestScoresMustBeFinite(t *testing.T) {
	for _, score := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		d := testDecider(t, Config{})
		d.policy = constantPolicy(score)
		_, err := d.choose(2*second, 3, candidatesOf(row{kind: policies.CompactRowSets, tablet: 5}), Memory{0, 60, 80})
		if err == nil || !strings.Contains(err.Error(), "2.000 s on server 3") || !strings.Contains(err.Error(), "CompactRowSetsOp of tablet 5") {
			t.Errorf("score %v gives error %v, want one that names time, server and op", score, err)
		}
	}
}
