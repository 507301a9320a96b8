package kudu

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/importers/kudu/pages"
)

const someTablet = "05385ca5ae3343959ae089c124329010" // tb/0

// TestWarnings: what can't be read is left out by name, and the rest is imported.
func TestWarnings(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(dir string)
		want    string // part of a warning
		tablets int
	}{
		{"bootstrapping", func(dir string) {
			edit(t, dir, "tablets.html", "<td>HASH (key) PARTITION 0</td>\n        <td>RUNNING</td>\n        <td>294.58M</td>", "<td>HASH (key) PARTITION 0</td>\n        <td>BOOTSTRAPPING</td>\n        <td>294.58M</td>")
		}, "tablet " + someTablet + " of table tb is left out: it is BOOTSTRAPPING", 19},
		{"not listed", func(dir string) { edit(t, dir, "tablets.html", someTablet, strings.Repeat("0", 32)) },
			"tablet " + someTablet + " is left out: the server's metrics have it, but its page tablets doesn't", 19},
		{"no layout", func(dir string) { remove(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html") },
			"tablet " + someTablet + " of table tb is left out", 19},
		{"layout of another kind", func(dir string) {
			edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", "( 19M) [", "(19 MiB) M) [")
		}, "is not in a form that is known", 19},
		{"drawing differs", func(dir string) {
			edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", `y="75" width="1199`, `y="75" width="1099`)
		}, "is elsewhere in the drawing", 19},
		{"no rows counted", func(dir string) { edit(t, dir, "metrics.json", "live_row_count", "live_rows") },
			"the metrics have no live_row_count", 20},
		{"no MemRowSet sizes", func(dir string) { edit(t, dir, "metrics.json", "memrowset_size", "memory_rowset_size") },
			"tablet " + someTablet + " of table tb: the metrics have no memrowset_size: its MemRowSet is taken to be empty", 20},
		{"no scans counted", func(dir string) { edit(t, dir, "metrics.json", "scans_started", "scans_begun") }, "have no scans_started: scans are not counted", 20},
		{"no sizes", func(dir string) { edit(t, dir, "metrics.json", "on_disk_data_size", "data_size") }, "have no on_disk_data_size", 20},
		{"layout of another tablet", func(dir string) { swap(t, dir, "tablet-rowsetlayout-svg-") },
			"tablet " + someTablet + " of table tb is left out: the rowset layout there is of another tablet, " + otherTablet, 19},
		{"cut layout", func(dir string) { edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", "</html>", "") },
			"tablet " + someTablet + " of table tb is left out: ", 19},
		{"empty layout", func(dir string) { write(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", "\n") }, ".html: the page is empty", 19},
		{"absurd MB", func(dir string) {
			edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", "RowSet(6)( 19M)", "RowSet(6)(99999999999999999999M)")
		},
			"left out: rowset 6 in the policy's log has 99999999999999999999 MB, more than 1048576", 19},
		{"more MB than there are", func(dir string) {
			edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", "RowSet(6)( 19M)", "RowSet(6)(999999M)")
		},
			"left out: rowset 6 has 999999 MB where the tablet has", 19},
		{"absurd width", func(dir string) {
			edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", `y="75" width="1199`, `y="75" width="9999`)
		},
			"left out: a rowset in the drawing ends at 10000, beyond its width of 1200", 19},
		{"absurd place", func(dir string) {
			edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", "RowSet(6)( 19M) [0.0000, 1.0000]", "RowSet(6)( 19M) [0.0000, 7.0000]")
		},
			"left out: rowset 6 in the policy's log lies from 0.0000 to 7.0000, not within 0 and 1", 19},
		{"absurd quartile", func(dir string) {
			edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", "<td>24.72M</td>", "<td>99999T</td>")
		},
			"left out: Max of the rowsets' sizes is 99999T", 19},
		{"page of another tablet", func(dir string) { swap(t, dir, "tablet-") },
			"tablet " + someTablet + " of table tb is left out: the page there is of another tablet, " + otherTablet, 19},
		{"page of something else", func(dir string) { write(t, dir, "tablet-"+someTablet+".html", "<h1>Hello</h1></html>") },
			"tablet " + someTablet + " of table tb is left out: the page there is not that of a tablet", 19},
		{"memory of something else", func(dir string) { write(t, dir, "mem-trackers.html", "<h1>Hello</h1></html>") },
			"mem-trackers: it is not the page of that name: the memory limit", 20},
		{"cut flags", func(dir string) { edit(t, dir, "varz.html", "</html>", "") }, "varz.html: the page is cut off: it does not end with </html>: flags are those of Kudu's defaults", 20},
		{"cut ops", func(dir string) { write(t, dir, "maintenance-manager.html", "<h3>Running operations</h3><table>") }, "maintenance-manager.html: the page is cut off", 20},
		{"under compaction", func(dir string) {
			edit(t, dir, "tablet-rowsetlayout-svg-"+someTablet+".html", "there are 0 rowset(s)", "there are 3 rowset(s)")
		}, "tablet " + someTablet + " of table tb: 3 rowsets that a compaction holds are left out", 20},
		{"no flags", func(dir string) { remove(t, dir, "varz.html") }, "no page varz", 20},
		{"newer", func(dir string) { edit(t, dir, "tablets.html", "kudu 1.18.1", "kudu 2.1.0-SNAPSHOT") },
			"Kudu 2.1.0-SNAPSHOT is none that a profile stands for", 20},
		{"no version", func(dir string) { edit(t, dir, "tablets.html", "kudu 1.18.1", "kudu") }, "don't tell Kudu's version", 20},
		{"wild flag", func(dir string) { edit(t, dir, "varz.html", "--flush_threshold_mb=24", "--flush_threshold_mb=many") },
			"", 20},
		{"flag out of range", func(dir string) {
			edit(t, dir, "varz.html", "--maintenance_manager_num_threads=1", "--maintenance_manager_num_threads=0")
		}, "maintenance.threads cannot be 0 here", 20},
	} {
		dir := savedPages(t, "plain")
		tt.change(dir)
		got, e := importDir(t, dir, Options{})
		if len(e.Initial) != tt.tablets || tt.want != "" && !strings.Contains(strings.Join(got.Warnings, "\n"), tt.want) {
			t.Errorf("%s: %d tablets and the warnings %q, want %d and %q", tt.name, len(e.Initial), got.Warnings, tt.tablets, tt.want)
		}
	}
}

const otherTablet = "067b066776ee4eeda2788be04d7dd519"

// swap puts the page of another tablet in the place of someTablet's.
func swap(t *testing.T, dir, page string) {
	t.Helper()
	other, err := os.ReadFile(filepath.Join(dir, page+otherTablet+".html"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, page+someTablet+".html", string(other))
}

// TestRefused: input that is none gives one error.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(dir string)
		want   string
	}{
		{"empty folder", func(dir string) { remove(t, dir, "metrics.json") }, "neither metrics.html nor metrics.json is there"},
		{"not JSON", func(dir string) { edit(t, dir, "metrics.json", "[\n{", "<html>") }, "metrics: line 1: not the metrics of a Kudu server: \"<html>\\\"type\\\":\\\"tablet\" cannot stand there"},
		{"a master", func(dir string) { edit(t, dir, "metrics.json", "kudu.tabletserver", "kudu.master") }, "give the addresses of tablet servers"},
		{"another program", func(dir string) { edit(t, dir, "metrics.json", "kudu.tabletserver", "impala") }, "not the metrics of a Kudu tablet server"},
		{"another page", func(dir string) { edit(t, dir, "tablets.html", "Tablet Replicas", "Things") }, "not the page of a Kudu tablet server's tablets"},
		{"all bootstrapping", func(dir string) { edit(t, dir, "tablets.html", "<td>RUNNING</td>", "<td>BOOTSTRAPPING</td>") }, "none of the server's 20 tablets could be read"},
	} {
		dir := savedPages(t, "plain")
		tt.change(dir)
		_, err := Import(context.Background(), []pages.Source{saved(t, dir)}, Options{Name: "x"})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want one of %s with %q", tt.name, err, dir, tt.want)
		}
	}
	dir := savedPages(t, "plain")
	if _, err := Import(context.Background(), []pages.Source{saved(t, dir), saved(t, dir)}, Options{Name: "x"}); err == nil || !strings.Contains(err.Error(), "are the same tablet server") {
		t.Errorf("the same server twice: %v", err)
	}
	if _, err := Import(context.Background(), nil, Options{Name: "x"}); err == nil {
		t.Error("no server: no error")
	}
}
