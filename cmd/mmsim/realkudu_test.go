package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"testing"

	"mmsim/importers/kudu/serverlog"
	"mmsim/results/oplog"
)

// TestRealKudu holds a replay against a real Kudu: scripts/real-kudu.sh loads one with a backlog of compactions, its state is imported, both
// compact, and their ops are compared. With MMSIM_REAL_KUDU=1 one is started, which takes a minute. Without, or where none can be had,
// the pages and the log of such a run stand in for it; with UPDATE=1 too, this run's are kept for that.
//
// What is asked for follows from rules. How long ops took does not, and is left out.
func TestRealKudu(t *testing.T) {
	dir := realKudu(t)
	run(t, dir, "mmsim", "import", "kudu", "--from-dir", "pages", "--out", "now.yaml")
	run(t, dir, "mmsim", "check", "now.yaml")
	run(t, dir, "mmsim", "run", "now.yaml", "--policy", "raw", "--set", "maintenance.off=[]", "--set", "phases[0].duration=60s", "--no-plots", "--quiet")
	t.Log(run(t, dir, "mmsim", "compare-ops", "kudu-tserver.INFO", "result", "--tables", "now.yaml"))

	c := comparison{}
	var err error
	if c.names, err = serverlog.LoadTables(filepath.Join(dir, "now.yaml")); err != nil {
		t.Fatal(err)
	}
	c.real, c.sim = compactions(t, filepath.Join(dir, "kudu-tserver.INFO"), c.names), compactions(t, filepath.Join(dir, "result"), nil)
	if tablets := len(c.names); tablets < 2 || len(c.real) < tablets {
		t.Fatalf("the server ran %d compactions on %d tablets: want at least one on each", len(c.real), tablets)
	}
	t.Run("order", c.order)
	t.Run("scores", c.scores)
	t.Run("counts", c.counts)
	t.Run("heights", func(t *testing.T) {
		c.heights(t, filepath.Join(dir, "pages/metrics.json"), func(o *oplog.Op) float64 { return o.HeightBefore }, c.first())
		c.heights(t, filepath.Join(dir, "after.json"), func(o *oplog.Op) float64 { return o.HeightAfter }, c.last())
	})
}

// comparison holds the rowset compactions of both sides that had something to do.
type comparison struct {
	names     map[string]string // of tablets, by id
	real, sim []oplog.Op
}

func compactions(t *testing.T, path string, names map[string]string) (ops []oplog.Op) {
	t.Helper()
	l, err := loadOps(io.Discard, path, "")
	if err != nil {
		t.Fatal(err)
	}
	l.Rename(names)
	for _, o := range l.Ops {
		if o.Kind == oplog.KindName("CompactRowSets") && !o.Idle() {
			ops = append(ops, o)
		}
	}
	return ops
}

// alike says whether two scores are the same, as far as a page's drawing of rowsets tells where they lie.
func alike(a, b float64) bool { return math.Abs(a-b) <= max(0.01, 0.02*math.Abs(a)) }

// order wants the tables in the same order, and all tablets whose scores are not alike.
func (c *comparison) order(t *testing.T) {
	for i := range min(len(c.real), len(c.sim)) {
		if real, sim := c.real[i].Table(), c.sim[i].Table(); real != sim {
			t.Errorf("compaction %d was of table %s, simulated of %s", i, real, sim)
		}
	}
	at := places(c.sim)
	for id, i := range places(c.real) {
		for other, j := range places(c.real) {
			k, known := at[id]
			l, otherKnown := at[other]
			if i < j && !alike(c.real[i].Score, c.real[j].Score) && known && otherKnown && k > l {
				t.Errorf("%s (score %v) came before %s (score %v), simulated after it", id, c.real[i].Score, other, c.real[j].Score)
			}
		}
	}
}

// places gives the position of each op by its tablet and its number there.
func places(ops []oplog.Op) map[string]int {
	at, seen := map[string]int{}, map[string]int{}
	for i, o := range ops {
		seen[o.Tablet]++
		at[fmt.Sprintf("%s number %d", o.Tablet, seen[o.Tablet])] = i
	}
	return at
}

func (c *comparison) scores(t *testing.T) {
	at := places(c.sim)
	for id, i := range places(c.real) {
		if k, ok := at[id]; ok && !alike(c.real[i].Score, c.sim[k].Score) {
			t.Errorf("%s has score %v, simulated %v", id, c.real[i].Score, c.sim[k].Score)
		}
	}
}

func (c *comparison) counts(t *testing.T) {
	counts := map[string]int{}
	for _, o := range c.real {
		counts[o.Table()]++
	}
	for _, o := range c.sim {
		counts[o.Table()]--
	}
	for table, more := range counts {
		if more < -1 || more > 1 {
			t.Errorf("table %s had %d compactions more than simulated", table, more)
		}
	}
}

// first and last give the first and the last simulated op of each tablet.
func (c *comparison) first() map[string]*oplog.Op {
	ops := map[string]*oplog.Op{}
	for i := range c.sim {
		if o := &c.sim[i]; ops[o.Tablet] == nil {
			ops[o.Tablet] = o
		}
	}
	return ops
}

func (c *comparison) last() map[string]*oplog.Op {
	ops := map[string]*oplog.Op{}
	for i := range c.sim {
		ops[c.sim[i].Tablet] = &c.sim[i]
	}
	return ops
}

// heights compares what the server's metrics say with what ops found or left.
func (c *comparison) heights(t *testing.T, metrics string, of func(*oplog.Op) float64, ops map[string]*oplog.Op) {
	t.Helper()
	var entities []struct {
		ID      string
		Metrics []struct {
			Name  string
			Value any
		}
	}
	if err := json.Unmarshal([]byte(read(t, metrics)), &entities); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, e := range entities {
		for _, m := range e.Metrics {
			if m.Name != "average_diskrowset_height" || c.names[e.ID] == "" {
				continue
			}
			found++
			tablet, real := c.names[e.ID], m.Value.(float64)
			if o := ops[tablet]; o == nil {
				t.Errorf("%s: no compaction was simulated", tablet)
			} else if sim := of(o); math.Abs(real-sim) > 0.1 {
				t.Errorf("%s: height %v, simulated %v", tablet, real, sim)
			}
		}
	}
	if found != len(c.names) {
		t.Errorf("%s tells %d heights of %d tablets", metrics, found, len(c.names))
	}
}
