package kudu

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/reading"
)

const fuzzTablet = "0123456789abcdef0123456789abcdef"

// fuzzPages are a small server's, under the names of their files; each can be put in another's place.
func fuzzPages() map[string][]byte {
	return map[string][]byte{
		"metrics.json": []byte(`[{"type": "server", "id": "kudu.tabletserver", "attributes": {"uuid": "u"}, "metrics": [{"name": "uptime", "value": 10000000}]},` + "\n" +
			`{"type": "tablet", "id": "` + fuzzTablet + `", "attributes": {"table_id": "f00"}, "metrics": [{"name": "live_row_count", "value": 40000},` +
			`{"name": "on_disk_data_size", "value": 42238000}, {"name": "memrowset_size", "value": 2000000}, {"name": "scans_started", "value": 100}, {"name": "rows_updated", "value": 100}]}]`),
		"tablets.html": []byte(`<h3>Live Tablet Replicas</h3><table><tr><td>db::shop</td><td>` + fuzzTablet + `</td><td>HASH (key) PARTITION 0</td><td>RUNNING</td><td>40.3M</td>` +
			`<td>LEADER: a:7050</td></tr></table><pre>kudu 1.18.1 (rev 3a9f8c319)` + "\nserver uuid u</pre></html>"),
		"varz.html": []byte("<pre>--flush_threshold_mb=64\n--memory_limit_hard_bytes=4294967296\n--compaction_small_rowset_tradeoff=0.02\n--enable_log_gc=false\n</pre></html>"),
		"maintenance-manager.html": []byte(managerHead + "<tr><td>FlushMRSOp(" + fuzzTablet + ")</td><td>1</td></tr></table>" +
			"<table><tr><th>Name</th><th>Runnable</th><th>Perf</th></tr><tr><td>CompactRowSetsOp(" + fuzzTablet + ")</td><td>true</td><td>1.0064</td></tr></table></html>"),
		"mem-trackers.html": []byte("<table><tr><th>Memory limit</th><td>4.00G</td></tr><tr><td>DeltaMemStores</td><td>tablet-" + fuzzTablet + "</td><td>none</td><td>1.5K</td></tr></table></html>"),
		"table-f00.html":    []byte("<h3>Extra Config</h3><pre>kudu.table.maintenance_priority : 3</pre></html>"),
		"tablet-" + fuzzTablet + ".html": []byte("<h1>Tablet " + fuzzTablet + ` (RUNNING/LEADER)</h1><table><tr><th><img src="/key.png">key</th><td>0</td><td>STRING NOT NULL</td><td>a</td><td>b</td><td>-</td></tr>` +
			"<tr><th>v</th><td>1</td><td>INT64 NOT NULL</td><td>a</td><td>b</td><td>-</td></tr></table></html>"),
		"tablet-rowsetlayout-svg-" + fuzzTablet + ".html": append(drawnPage(
			`<rect x="0" y="60" width="1199.99" fill="#f66"/><rect x="0.01" y="75" width="1199.99" fill="#f66"/><rect x="600" y="90" width="600" fill="#666"/>`,
			"<tr><td>Count</td><td>3</td></tr><tr><td>Min</td><td>1.1M</td></tr><tr><td>First quartile</td><td>1.1M</td></tr><tr><td>Median</td><td>20.1M</td></tr>"+
				"<tr><td>Third quartile</td><td>20.2M</td></tr><tr><td>Max</td><td>20.2M</td></tr>",
			"\nBudgeted compaction selection:\n  [x] RowSet(1)( 20M) [0.0000, 1.0000] [user1000012719839013158,user99965767537093963]\n"+
				"  [x] RowSet(0)( 20M) [0.0000, 1.0000] [user1000049951211209093,user999489990699068645]\n"+
				"  [ ] RowSet(7)(  1M) [0.5000, 1.0000] [user55,user999489990699068646]\nSolution value: 1.00\n"), "</html>"...),
	}
}

// fuzzPage puts what was made up in a page's place: an import refuses it, or leaves out or warns of what it can't use, and what it writes is an experiment that
// runs on from there, with its rowsets within the axis.
func fuzzPage(f *testing.F, name string) {
	f.Add(string(fuzzPages()[name]))
	f.Fuzz(func(t *testing.T, text string) {
		pages := fuzzPages()
		pages[name] = []byte(text)
		source := &archive{"saved", pages}
		got, err := Import(context.Background(), []Source{source}, Options{Name: "fuzz", Master: source})
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

// FuzzReaders gives one text to the readers of all pages that an import can do without, which is quicker than a whole import.
func FuzzReaders(f *testing.F) {
	for _, page := range fuzzPages() {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		if m, err := readManager(page); err == nil {
			for tablet, score := range m.compactions {
				if !(score >= 0) || tablet == "" {
					t.Fatalf("%q has %v", tablet, score)
				}
			}
		}
		set := readFlags(page)
		set.assignments()
		set.off()
		set.rules("kudu-1.18")
		set.policy()
		set.smallRowsets()
		for id, n := range deltaMemory(page) {
			if n < 0 {
				t.Fatalf("%s has %d bytes", id, n)
			}
		}
		if limit := memoryLimit(page); limit != "" {
			if _, err := configs.ParseBytes(limit); err != nil {
				t.Fatal(err)
			}
		}
		isMemory(page)
		readVersion(page)
		readExtra(string(page))
		if all, err := readTablets(page); err == nil {
			for i := range all {
				(&tabletState{listed: all[i]}).buckets()
			}
		}
	})
}

// FuzzArchive: an archive is refused, or gives the pages of one server.
func FuzzArchive(f *testing.F) {
	f.Add(packed(f, entry{"ts1/metrics.json", "[]"}, entry{"ts1/varz.html", "<p></html>"}, entry{"../x", "-> /etc/passwd"}))
	plain, err := reading.Plain(bytes.NewReader(packed(f, entry{"metrics.json", "[]"})))
	if err != nil {
		f.Fatal(err)
	}
	var tar bytes.Buffer
	tar.ReadFrom(plain)
	f.Add(tar.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := readArchive("x.tar.gz", bytes.NewReader(data))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.tar.gz: ") {
				t.Fatal(err)
			}
			return
		}
		if _, err := a.Page(context.Background(), "metrics", ""); err != nil {
			t.Fatal(err)
		}
	})
}
