package tablet

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// replayUnit is the weight unit of the layouts of a replay scaled by 0.01; a full rowset weighs 32 of them.
const replayUnit = mib / 100

// replayPolicy is the policy of that replay with a budget in units.
func replayPolicy(budget int64) PolicyConfig {
	cfg := kuduPolicy(0)
	cfg.Budget, cfg.TargetSize, cfg.WeightUnit = budget*replayUnit, 32*mib/100, replayUnit
	return cfg
}

// replayLayouts reads what the policy was asked about in a replay.
func replayLayouts(t testing.TB) (layouts [][]Sized) {
	lines := bufio.NewScanner(gzipped(t, "policy-replay-layouts.txt.gz"))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var rs []Sized
		for f := strings.Fields(lines.Text()); len(f) >= 4; f = f[4:] {
			weight, err := strconv.ParseInt(f[2], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			full, err := strconv.ParseInt(f[3], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			r := sized(t, f[0], f[1], weight)
			r.Full = full
			rs = append(rs, r)
		}
		layouts = append(layouts, rs)
	}
	if err := lines.Err(); err != nil || len(layouts) != 10 {
		t.Fatalf("%d layouts, error %v", len(layouts), err)
	}
	return layouts
}

// TestSameAsReferenceInReplay: most rowsets weigh a quarter of the budget of 128, and a little more of that of 127.
func TestSameAsReferenceInReplay(t *testing.T) {
	var p Planner
	for i, rowsets := range replayLayouts(t) {
		for _, budget := range []int64{127, 128} {
			if got := checkAgainstReference(t, &p, replayPolicy(budget), rowsets); got.Quality == 0 {
				t.Errorf("layout %d, budget %d: nothing picked", i, budget)
			}
		}
	}
}

// TestRuledOut holds what the first pass leaves out against the exact search: it is below the score found.
func TestRuledOut(t *testing.T) {
	var p Planner
	var s search
	for i, rowsets := range replayLayouts(t) {
		cfg := replayPolicy(127 + int64(i%2))
		p.cdf.place(rowsets)
		s.load(&cfg, rowsets, &p.cdf)
		s.approximate()
		open, floor := 0, s.floor
		for a, at := range s.byMin {
			if s.bases.open[a] {
				open++
				continue
			}
			from, to := s.from[at], s.to[at]
			s.sack.reset(s.budget)
			for _, b := range s.candidates(from, 1, 0) {
				s.sack.add(&s.items[b])
				to = larger(to, s.to[b])
				if score := s.score(s.sack.best(), to-from); score > floor+1e-12 {
					t.Fatalf("layout %d: ruled out place %d scores %v, above %v", i, a, score, floor)
				}
			}
		}
		if 4*open > len(rowsets) {
			t.Errorf("layout %d: %d of %d places are open", i, open, len(rowsets))
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	layouts := replayLayouts(b)
	for _, budget := range []int64{127, 128} {
		b.Run(fmt.Sprintf("budget=%d", budget), func(b *testing.B) {
			var p Planner
			var out Selection
			cfg := replayPolicy(budget)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := p.Select(&cfg, layouts[i%len(layouts)], &out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
