package kudu

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"mmsim/configs"
	"mmsim/importers/kudu/pages"
)

const fuzzTablet = "0123456789abcdef0123456789abcdef"

// fuzzPage puts what was made up in a page's place: an import refuses it, or leaves out or warns of what it can't use, and what it writes is an experiment that
// runs on from there, with its rowsets within the axis.
func fuzzPage(f *testing.F, name string) {
	small, err := txtar.ParseFile("testdata/small.txtar")
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	for _, page := range small.Files {
		write(f, dir, page.Name, string(page.Data))
		if page.Name == name {
			f.Add(string(page.Data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		write(t, dir, name, text)
		source := saved(t, dir)
		got, err := Import(context.Background(), []pages.Source{source}, Options{Name: "fuzz", Master: source})
		if err != nil {
			if strings.Contains(err.Error(), "strconv.") || strings.Contains(err.Error(), "makes no experiment") {
				t.Fatal(err)
			}
			return
		}
		doc, err := configs.Parse("fuzz.yaml", got.YAML)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range doc.Experiment.Initial {
			for _, r := range n.Rowsets {
				if r.Rows < 0 || r.Size <= 0 || math.IsNaN(r.Span[0]) || r.Span[0] < 0 || r.Span[1] > 1 {
					t.Fatalf("%+v", r)
				}
			}
		}
	})
}

func FuzzMetricsPage(f *testing.F) { fuzzPage(f, "metrics.json") }
func FuzzTabletsPage(f *testing.F) { fuzzPage(f, "tablets.html") }
func FuzzFlagsPage(f *testing.F)   { fuzzPage(f, "varz.html") }
func FuzzManagerPage(f *testing.F) { fuzzPage(f, "maintenance-manager.html") }
func FuzzMemoryPage(f *testing.F)  { fuzzPage(f, "mem-trackers.html") }
func FuzzTablePage(f *testing.F)   { fuzzPage(f, "table-f00.html") }
func FuzzTabletPage(f *testing.F)  { fuzzPage(f, "tablet-"+fuzzTablet+".html") }
func FuzzLayoutPage(f *testing.F)  { fuzzPage(f, "tablet-rowsetlayout-svg-"+fuzzTablet+".html") }

// FuzzFlags: whatever flags a server shows, they become settings of an experiment or are named.
func FuzzFlags(f *testing.F) {
	f.Add("flush_threshold_mb", "64")
	f.Add("memory_limit_hard_bytes", "4294967296")
	f.Add("compaction_small_rowset_tradeoff", "0.0099999997764825821")
	f.Add("workload_score_upper_bound", "1e400")
	f.Fuzz(func(t *testing.T, name, value string) {
		set := flags{name: value, "enable_workload_score_for_perf_improvement_ops": "true"}
		set.settings("kudu-1.18", nil)
		set.off()
		set.rules("kudu-1.18")
		set.policy()
	})
}
