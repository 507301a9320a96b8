package policies

import (
	"math"
	"slices"
	"testing"
)

// op is one row of a test's table.
type op struct {
	kind        Kind
	perf        float64
	scans, rows float64
	priority    int32
	want        float64
}

// check scores the rows with a policy, within a relative error that only repeated rounding may make.
func check(t *testing.T, spec Spec, params map[string]any, ops []op) {
	t.Helper()
	for i, got := range score(t, spec, params, ops) {
		if want := ops[i].want; math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s %v: op %d %+v scores %v", spec.Name, params, i, ops[i], got)
		}
	}
}

func score(t *testing.T, spec Spec, params map[string]any, ops []op) []float64 {
	t.Helper()
	values, err := spec.Resolve(params)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(values)
	if err != nil {
		t.Fatal(err)
	}
	c := &Candidates{}
	for i, o := range ops {
		c.Kind, c.Table, c.Tablet = append(c.Kind, o.kind), append(c.Table, 0), append(c.Tablet, int32(i))
		c.Perf, c.Priority = append(c.Perf, o.perf), append(c.Priority, o.priority)
		c.ScansPerSec, c.RowsPerSec = append(c.ScansPerSec, o.scans), append(c.RowsPerSec, o.rows)
	}
	scores := make([]float64, len(ops))
	if err := p.Score(0, 0, c, scores); err != nil {
		t.Fatal(err)
	}
	return scores
}

func TestRaw(t *testing.T) {
	check(t, Raw(), nil, []op{
		{FlushMRS, 1.5, 100, 1e6, 5, 1.5},
		{CompactRowSets, 0.25, 0, 0, 0, 0.25},
		{LogGC, 0, 9, 9, 9, 0},
	})
}

// TestWorkload has steady rates and a perf of 1, so that each score is 1 more than Kudu's workload score.
func TestWorkload(t *testing.T) {
	for _, bound := range []struct {
		bound float64
		ops   []op
	}{
		{1, []op{
			{FlushMRS, 1, 0.5, 400, 0, 1.5},
			{FlushDeltaMemStores, 1, 0.5, 400, 0, 1.5},
			{CompactRowSets, 1, 0.5, 400, 0, 1.9},
			{MajorDeltaCompaction, 1, 0.5, 400, 0, 1.9},
			{MinorDeltaCompaction, 1, 0.5, 400, 0, 1.9},
			{FlushMRS, 1, 2, 400, 0, 2},
			{CompactRowSets, 1, 2, 400, 0, 2}, // min(1, 1.4)
			{FlushMRS, 1, 0, 5000, 0, 1},      // writes alone do not hasten a flush
			{LogGC, 1, 2, 5000, 0, 1},
			{UndoDeltaBlockGC, 1, 2, 5000, 0, 1},
			{DeletedRowSetGC, 1, 2, 5000, 0, 1},
		}},
		{10, []op{
			{FlushMRS, 1, 0.5, 400, 0, 6},
			{CompactRowSets, 1, 0.5, 400, 0, 10},
			{CompactRowSets, 1, 0.5, 700, 0, 11}, // min(10, 12)
			{CompactRowSets, 0, 9, 9000, 5, 0},   // hot, but nothing to improve
		}},
		{0, []op{{CompactRowSets, 1, 9, 9000, 0, 1}}},
	} {
		params := map[string]any{"bound": bound.bound}
		check(t, WorkloadScaled(), params, bound.ops)
		check(t, PriorityWeighted(), params, bound.ops)
	}
	check(t, WorkloadScaled(), map[string]any{"hot_scans_per_sec": 50, "hot_rows_per_sec": 1e5}, []op{
		{FlushMRS, 1, 5, 400, 0, 1.1},
		{CompactRowSets, 1, 5, 20000, 0, 1.3},
	})
	check(t, WorkloadScaled(), map[string]any{"combine": "multiply", "bound": 10}, []op{
		{FlushMRS, 0.5, 0.5, 0, 0, 3}, // 0.5 * (1 + 5)
		{CompactRowSets, 0, 9, 9000, 0, 0},
	})
}

// TestPriority has Kudu's multipliers: 1.1 to the power of the priority, which counts up to 5 either way.
func TestPriority(t *testing.T) {
	check(t, PriorityWeighted(), nil, []op{
		{CompactRowSets, 1, 9, 9000, -6, 1 / 1.61051},
		{CompactRowSets, 1, 9, 9000, -5, 1 / 1.61051},
		{CompactRowSets, 1, 9, 9000, -1, 1 / 1.1},
		{CompactRowSets, 1, 9, 9000, 0, 1},
		{CompactRowSets, 1, 9, 9000, 1, 1.1},
		{CompactRowSets, 1, 9, 9000, 2, 1.21},
		{CompactRowSets, 1, 9, 9000, 5, 1.61051},
		{CompactRowSets, 1, 9, 9000, 6, 1.61051},
		{CompactRowSets, 1, 9, 9000, math.MaxInt32, 1.61051},
		{CompactRowSets, 1, 9, 9000, math.MinInt32, 1 / 1.61051},
	})
	check(t, PriorityWeighted(), map[string]any{"multiplier": 2, "range": 1}, []op{{FlushMRS, 3, 0, 0, 7, 6}})
	check(t, PriorityWeighted(), map[string]any{"range": 0}, []op{{FlushMRS, 3, 0, 0, 7, 3}})
}

// TestPriorityZeroChangesNoBit matters because scores are compared with those of a policy without priorities.
func TestPriorityZeroChangesNoBit(t *testing.T) {
	ops := []op{{CompactRowSets, 0.1, 0.3, 77, 0, 0}, {FlushMRS, 1e-9, 0.7, 5, 0, 0}}
	params := map[string]any{"bound": 3}
	if a, b := score(t, WorkloadScaled(), params, ops), score(t, PriorityWeighted(), params, ops); !slices.Equal(a, b) {
		t.Errorf("%v without priorities, %v with priority 0", a, b)
	}
}

// TestOrder is Kudu's test of the order of ops by priority (maintenance_manager-test, TestOpsPriority): a workload
// score of 10 is a tablet at twice its hot rate under a bound of 10.
func TestOrder(t *testing.T) {
	ops := []op{
		{CompactRowSets, 0, 2, 0, 6, 0},
		{CompactRowSets, 10, 0, 0, -6, 0},
		{CompactRowSets, 10, 0, 0, -1, 0},
		{CompactRowSets, 10, 0, 0, 0, 0},
		{CompactRowSets, 10, 0, 0, 1, 0},
		{CompactRowSets, 12, 0, 0, 0, 0},
		{CompactRowSets, 10, 0, 0, 6, 0},
		{CompactRowSets, 9, 2, 0, 0, 0},
	}
	scores := score(t, PriorityWeighted(), map[string]any{"bound": 10}, ops)
	order := []int{0, 1, 2, 3, 4, 5, 6, 7}
	slices.SortFunc(order, func(a, b int) int {
		if scores[a] > scores[b] {
			return -1
		}
		return 1
	})
	if want := []int{7, 6, 5, 4, 3, 2, 1, 0}; !slices.Equal(order, want) || scores[0] != 0 {
		t.Errorf("order %v, scores %v", order, scores)
	}
}

func TestScoresMustBeFinite(t *testing.T) {
	c := &Candidates{Kind: []Kind{FlushMRS, LogGC}, Table: []int32{0, 1}, Tablet: []int32{2, 3}}
	if err := c.Validate([]float64{-1, math.MaxFloat64}); err != nil {
		t.Error(err)
	}
	for _, s := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if err, ok := c.Validate([]float64{0, s}).(*ScoreError); !ok || err.Row != 1 || err.Kind != LogGC || err.Tablet != 3 {
			t.Errorf("%v: %v", s, err)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, want := range []string{"raw", "workload-scaled", "priority-weighted"} {
		if s, ok := Lookup(want); !ok || s.Name != want {
			t.Errorf("%s: %v %v", want, s, ok)
		}
	}
	if _, ok := Lookup("Raw"); ok {
		t.Error("Raw was found")
	}
}

func TestBuiltinsAreValid(t *testing.T) {
	for _, s := range Builtins() {
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
	}
}
