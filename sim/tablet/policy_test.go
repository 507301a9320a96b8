package tablet

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const mib = 1 << 20

// kuduPolicy is Kudu's policy with its defaults and a budget in MB.
func kuduPolicy(budget int64) PolicyConfig {
	return PolicyConfig{
		Budget: budget * mib, TargetSize: 32 * mib, WeightUnit: mib,
		MinimumImprovement: 0.01, SmallRowsetTradeoff: 0.009, ApproximationRatio: 1.05, SupportAdjust: 1.003,
	}
}

// sized returns a rowset whose weight is its whole size.
func sized(t testing.TB, min, max string, bytes int64) Sized {
	t.Helper()
	s, err := NewSpan(min, max)
	if err != nil {
		t.Fatal(err)
	}
	return Sized{Span: &s, Weight: bytes, Full: bytes}
}

func mustSelect(t testing.TB, cfg PolicyConfig, rowsets []Sized) Selection {
	t.Helper()
	var p Planner
	var out Selection
	if err := p.Select(&cfg, rowsets, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// TestKuduCases replays the layouts of Kudu's compaction_policy-test. Qualities are those of a direct port.
func TestKuduCases(t *testing.T) {
	const mock = 1_000_000 // bytes of a mock rowset, weight 1
	digits := func(n int, step, span int) (rs []Sized) {
		for i := range n {
			rs = append(rs, sized(t, fmt.Sprintf("%010d", step*i), fmt.Sprintf("%010d", step*i+span), mock))
		}
		return rs
	}
	abc := func(size float64) []Sized {
		bytes := int64(size * 32 * mib)
		return []Sized{sized(t, "A", "B", bytes), sized(t, "A", "B", bytes), sized(t, "B", "C", bytes)}
	}
	pair := func(divisor int64) []Sized {
		return []Sized{sized(t, "A", "B", 32*mib/divisor), sized(t, "B", "C", 32*mib/divisor)}
	}
	var chain []Sized // rowsets a little below the target, end to end
	for i := 1; i <= 100; i++ {
		chain = append(chain, sized(t, fmt.Sprintf("%010d", i), fmt.Sprintf("%010d", i+1), 33_215_498))
	}
	twins := digits(100, 2, 1)
	twins = append(twins, sized(t, "0000000000", "0000000001", 0))
	for i := range twins {
		twins[i].Weight, twins[i].Full = 64*mib, 64*mib
	}
	tests := []struct {
		name    string
		rowsets []Sized
		budget  int64
		g       float64
		quality float64
		picked  int
	}{
		{"nested letters", []Sized{sized(t, "C", "c", mock), sized(t, "B", "a", mock), sized(t, "A", "b", mock)}, 1000, 0, 1.914593, 3},
		{"disjoint", digits(100, 2, 1), 128, 0, 0, 0},
		{"disjoint, many", digits(10_000, 2, 1), 128, 0, 0, 0},
		{"each overlaps the next", digits(100, 10_000, 20_000), 64, 0, 0.633065, 64},
		{"two of three overlap, near the target", abc(.9), 1000, .009, 0.666467, 2},
		{"two of three overlap, small", abc(.3), 1000, .009, 0.682567, 3},
		{"chain near the target", chain, 1_000_000, .009, 0, 0},
		{"two end to end, target/32", pair(32), 1000, .009, 0.0144375, 2},
		{"two end to end, target/16", pair(16), 1000, .009, 0.013875, 2},
		{"two end to end, target/8", pair(8), 1000, .009, 0.01275, 2},
		{"two end to end, target/4", pair(4), 1000, .009, 0.0105, 2},
		{"two end to end, target/2", pair(2), 1000, .009, 0, 0},
		{"two end to end, target", pair(1), 1000, .009, 0, 0},
		{"overlap before small ones", []Sized{
			sized(t, "A", "B", 32*mib), sized(t, "A", "B", 32*mib),
			sized(t, "C", "D", 8*mib), sized(t, "D", "E", 8*mib), sized(t, "E", "F", 8*mib), sized(t, "F", "G", 8*mib),
		}, 64, .009, 0.664667, 2},
		{"two above the target among many", twins, 128, .009, 0.019743, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := kuduPolicy(tt.budget)
			cfg.SmallRowsetTradeoff = tt.g
			got := mustSelect(t, cfg, tt.rowsets)
			if !near(got.Quality, tt.quality, 6e-7) || len(got.Picked) != tt.picked {
				t.Errorf("quality %.7f with %d picked, want %.7f with %d", got.Quality, len(got.Picked), tt.quality, tt.picked)
			}
		})
	}
}

func TestSelectionFields(t *testing.T) {
	// A and B share their range, C follows: on the axis of 3 equal sizes A and B are [0, 2/3], C is [2/3, 1].
	got := mustSelect(t, kuduPolicy(64), []Sized{
		sized(t, "B", "C", 32*mib), sized(t, "A", "B", 32*mib), sized(t, "A", "B", 32*mib)})
	want := Selection{Quality: 4./3 - 1.003*2/3, Picked: []int32{1, 2}, Weight: 64, Height: 5. / 3, HeightRemoved: 2. / 3}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
}

func TestSelectRefuses(t *testing.T) {
	good := []Sized{sized(t, "a", "b", 1), sized(t, "a", "b", 1)}
	tests := []struct {
		name    string
		change  func(*PolicyConfig)
		rowsets []Sized
		want    string
	}{
		{"no unit", func(c *PolicyConfig) { c.WeightUnit = 0 }, good, "weight unit 0"},
		{"no budget", func(c *PolicyConfig) { c.Budget = 1 }, good, "compaction budget 1"},
		{"no target", func(c *PolicyConfig) { c.TargetSize = -3 }, good, "target rowset size -3"},
		{"improvement", func(c *PolicyConfig) { c.MinimumImprovement = math.NaN() }, good, "minimum improvement NaN"},
		{"tradeoff", func(c *PolicyConfig) { c.SmallRowsetTradeoff = -1 }, good, "small rowset tradeoff -1"},
		{"ratio", func(c *PolicyConfig) { c.ApproximationRatio = .5 }, good, "approximation ratio 0.5"},
		{"support", func(c *PolicyConfig) { c.SupportAdjust = .5 }, good, "support adjustment 0.5"},
		{"weight", func(*PolicyConfig) {}, []Sized{good[0], {Span: good[0].Span, Weight: -7}}, "rowset 1 of 2: weight -7"},
		{"span", func(*PolicyConfig) {}, []Sized{{}}, "rowset 0 of 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := kuduPolicy(128)
			tt.change(&cfg)
			err := new(Planner).Select(&cfg, tt.rowsets, new(Selection))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
		})
	}
}

// TestHistoryOfUndo replays the layout of KUDU-3734, where counting UNDO makes a rowset too heavy to be merged.
func TestHistoryOfUndo(t *testing.T) {
	rowsets := func(first int64) []Sized {
		rs := []Sized{sized(t, "a0000", "a9999", mib), sized(t, "a0030", "a1950", mib)}
		for range 3 {
			rs = append(rs, sized(t, "a5341", "a5342", mib))
		}
		rs[0].Weight, rs[0].Full = first*mib, 1945*mib
		return rs
	}
	for _, tt := range []struct {
		weight, budget int64
		picked         []int32
	}{
		{1, 128, []int32{1, 2, 3, 4, 0}},
		{1945, 1024, []int32{2, 3, 4}},
		{1945, 2048, []int32{1, 2, 3, 4, 0}},
	} {
		if got := mustSelect(t, kuduPolicy(tt.budget), rowsets(tt.weight)); !slices.Equal(got.Picked, tt.picked) {
			t.Errorf("weight %d, budget %d: picked %v, want %v", tt.weight, tt.budget, got.Picked, tt.picked)
		}
	}
}

// gzipped opens a compressed file of testdata.
func gzipped(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// ycsbRowsets reads the 6,815 rowsets of Kudu's ycsb-test-rowsets.tsv: a large tablet after days of inserts.
func ycsbRowsets(t testing.TB) (rs []Sized) {
	lines := bufio.NewScanner(gzipped(t, "policy-ycsb-rowsets.tsv.gz"))
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(f[0], "#") || len(f) != 3 {
			continue
		}
		mb, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		rs = append(rs, sized(t, f[1], f[2], mb*mib))
	}
	if len(rs) != 6815 {
		t.Fatalf("%d rowsets", len(rs))
	}
	return rs
}

func TestYCSBTablet(t *testing.T) {
	rowsets := ycsbRowsets(t)
	if h := new(Planner).Height(rowsets); !near(h, 40.43992, 6e-6) {
		t.Errorf("height %.6f", h)
	}
	for _, tt := range []struct {
		budget  int64
		g       float64
		quality float64
		picked  int
		weight  int64
	}{
		{128, .009, 0.173621, 10, 123},
		{256, .009, 0.302312, 14, 251},
		{1024, .009, 1.104295, 38, 1019},
		{128, 0, 0.118193, 0, 0},
		{256, 0, 0.252549, 0, 0},
		{1024, 0, 1.068048, 0, 0},
	} {
		cfg := kuduPolicy(tt.budget)
		cfg.SmallRowsetTradeoff = tt.g
		got := mustSelect(t, cfg, rowsets)
		if !near(got.Quality, tt.quality, 6e-7) || tt.picked > 0 && (len(got.Picked) != tt.picked || got.Weight != tt.weight) {
			t.Errorf("budget %d, g %v: quality %.6f, %d picked of %d MB; want %.6f, %d of %d",
				tt.budget, tt.g, got.Quality, len(got.Picked), got.Weight, tt.quality, tt.picked, tt.weight)
		}
	}
}

// TestRealPicks holds the policy against what a Kudu 1.18.1 server answered for layouts whose rowset sizes are known. The
// sizes are estimated to a few bytes a row, so values may differ by 0.1 % or 0.001.
func TestRealPicks(t *testing.T) {
	type rowset struct {
		ID     int64  `json:"id"`
		MB     int64  `json:"mb"`
		Min    string `json:"min_key"`
		Max    string `json:"max_key"`
		Weight int64  `json:"weight_bytes"`
		Full   int64  `json:"full_bytes"`
	}
	checked := 0
	for dec := json.NewDecoder(gzipped(t, "policy-kudu-picks.jsonl.gz")); ; {
		var layout struct {
			Name    string
			Budget  int64 `json:"budget_mb"`
			Rowsets []rowset
			Picked  []int64
			Value   float64
			Height  float64 `json:"average_height"`
		}
		if err := dec.Decode(&layout); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		var rs []Sized
		for _, r := range layout.Rowsets {
			s := sized(t, r.Min, r.Max, 0)
			s.Weight, s.Full = r.Weight, r.Full
			rs = append(rs, s)
		}
		if slices.ContainsFunc(layout.Rowsets, func(r rowset) bool { return r.Weight == 0 }) {
			continue
		}
		checked++
		got := mustSelect(t, kuduPolicy(layout.Budget), rs)
		ids := []int64{}
		for _, i := range got.Picked {
			ids = append(ids, layout.Rowsets[i].ID)
		}
		slices.Sort(ids)
		slices.Sort(layout.Picked)
		if !slices.Equal(ids, layout.Picked) {
			t.Errorf("%s: picked %v, Kudu %v", layout.Name, ids, layout.Picked)
		}
		if tolerance := max(.001, .001*layout.Value); !near(got.Quality, layout.Value, tolerance) || !near(got.Height, layout.Height, max(.001, .001*layout.Height)) {
			t.Errorf("%s: value %.6f, height %.6f; Kudu %.6f, %.6f", layout.Name, got.Quality, got.Height, layout.Value, layout.Height)
		}
	}
	if checked < 50 {
		t.Errorf("only %d layouts with known sizes", checked)
	}
}
