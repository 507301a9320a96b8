package policies

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// scorer makes a policy of a function of one op.
type scorer func(c *Candidates, i int) float64

func (f scorer) Score(_ int64, _ int, c *Candidates, scores []float64) error {
	for i := range scores {
		scores[i] = f(c, i)
	}
	return nil
}

func TestTry(t *testing.T) {
	byPerf := func(c *Candidates, i int) float64 { return c.Perf[i] }
	for _, test := range []struct {
		name  string
		alone bool // ranks everything
		score scorer
		want  []string // parts of what is said
	}{
		{"raw", false, byPerf, nil},
		{"constant", false, func(*Candidates, int) float64 { return 1 }, []string{"all 10 ops of a test the same score of 1:",
			"gives CompactRowSetsOp(hot tablet) with perf 0 a score of 1: an op whose perf is 0 or less has nothing to gain"}},
		{"never", false, func(*Candidates, int) float64 { return -2 }, []string{"gives none of 10 ops of a test a score above 0, not FlushMRSOp(cold tablet) with perf 736 either"}},
		{"heat", false, func(c *Candidates, i int) float64 { return c.Perf[i] + c.ScansPerSec[i]/1000 }, []string{"CompactRowSetsOp(hot tablet) with perf 0 a score of 0.2:"}},
		{"young", false, func(c *Candidates, i int) float64 { return c.Perf[i] + float64(c.RAM[i])/mebi }, []string{"FlushDeltaMemStoresOp(hot tablet) with perf 0 a score of 0.00390625:"}},
		{"gc", false, func(c *Candidates, i int) float64 { return c.Perf[i] + float64(c.Data[i])/mebi }, nil}, // it frees something
		{"alone", true, byPerf, []string{"ranks everything and gives LogGCOp(hot tablet), which frees 64 MiB of WAL, a score of 0:"}},
		{"compactor", true, func(c *Candidates, i int) float64 {
			if c.Kind[i].IsFlush() {
				return 0
			}
			return c.Perf[i] + float64(c.WAL[i])
		}, []string{"gives FlushMRSOp(cold tablet), which holds 1760 MiB of memory, a score of 0: memory would never be freed"}},
	} {
		said, err := (&Spec{Name: "p", RanksEverything: test.alone}).Try(test.score)
		if err != nil || len(said) != len(test.want) {
			t.Errorf("%s: %q, %v; want %q", test.name, said, err, test.want)
			continue
		}
		for i, want := range test.want {
			if !strings.HasPrefix(said[i], "policy p ") || !strings.Contains(said[i], want) {
				t.Errorf("%s: %q; want %q in it", test.name, said[i], want)
			}
		}
	}
}

// What can't be compared is an error, as it is in a run.
func TestTryRefuses(t *testing.T) {
	_, err := (&Spec{Name: "p"}).Try(scorer(func(*Candidates, int) float64 { return math.NaN() }))
	if e := (*ScoreError)(nil); !errors.As(err, &e) || e.Row != 0 {
		t.Error(err)
	}
}

// All that ships is as it should be, whatever its parameters.
func TestTryBuiltins(t *testing.T) {
	for _, spec := range Builtins() {
		for _, params := range []map[string]any{nil, {"bound": 10.0}, {"bound": 1000.0, "combine": "multiply"}, {"bound": 5.0, "multiplier": 2.0}} {
			given := map[string]any{}
			for name, v := range params {
				if slices.ContainsFunc(spec.Params, func(p Param) bool { return p.Name == name }) {
					given[name] = v
				}
			}
			values, err := spec.Resolve(given)
			if err != nil {
				t.Fatal(err)
			}
			policy, err := spec.New(values)
			if err != nil {
				t.Fatal(err)
			}
			if said, err := spec.Try(policy); err != nil || said != nil {
				t.Errorf("%s %v: %q, %v", spec.Name, given, said, err)
			}
		}
	}
}
