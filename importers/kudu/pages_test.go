package kudu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"mmsim/axis"
	"mmsim/sim/tablet"
	"mmsim/workloads"
)

// drawnPage is a layout page in Kudu's form.
func drawnPage(rects, counts, log string) []byte {
	return []byte(`<h1>Rowset Layout Diagram for Tablet <a href="/tablet?id=x">x</a></h1><svg width="1200"><rect x="0" y="0" width="1200" height="90" fill="#fff"/>` + rects +
		`</svg><div><p>In addition to the rowsets pictured and listed, there are 0 rowset(s) currently undergoing compactions.</p></div>` +
		`<table><thead><tr>  <th>Statistic</th>  <th>Approximate Value</th><tr></thead><tbody>` + counts + `<tbody></table><pre>` + log + `</pre>`)
}

func TestReadLayoutPage(t *testing.T) {
	const (
		left  = `<rect x="0" y="60" width="600" height="15" stroke="#000" fill="#f66"/>`
		whole = `<rect x="0" y="75" width="1200" height="15" stroke="#000" fill="#666"/>`
		right = `<rect x="600" y="60" width="600" height="15" stroke="#000" fill="#f66"/>`
		log   = "\nBudgeted compaction selection:\n  [x] RowSet(7)(  1M) [0.0000, 0.5000] [a,b]\n  [ ] RowSet(3)( 30M) [0.0000, 1.0000] [a,\\x7fz]\n" +
			"  [x] RowSet(12)(1024M) [0.5000, 1.0000] [c,d]\nSolution value: 1.5e-1\n"
	)
	for _, tt := range []struct {
		name string
		page []byte
		want *layoutPage
		err  string
	}{
		{name: "none", page: drawnPage("", "", "\nNo rowsets to compact\n"), want: &layoutPage{}},
		{name: "no log", page: drawnPage(left+right, "<tr><td>Count</td><td>2</td></tr>", "\nNo rowsets to compact\n"),
			want: &layoutPage{bars: []bar{{picked: true, to: 0.5}, {id: 1, picked: true, from: 0.5, to: 1}}}},
		{name: "rows of the drawing", page: drawnPage(left+right+whole, "", log), want: &layoutPage{logged: true, keys: true, value: 0.15, bars: []bar{
			{id: 7, mb: 1, picked: true, to: 0.5, min: "a", max: "b"},
			{id: 3, mb: 30, to: 1, min: "a", max: "\x7fz"},
			{id: 12, mb: 1024, picked: true, from: 0.5, to: 1, min: "c", max: "d"}}}},
		{name: "redacted", page: drawnPage(left+right, "", "Budgeted compaction selection:\n  [x] RowSet(0)(  1M) [0.0000, 0.5000] [&lt;redacted&gt;,&lt;redacted&gt;]\n"+
			"  [x] RowSet(1)(  2M) [0.5000, 1.0000] [&lt;redacted&gt;,&lt;redacted&gt;]\n"), want: &layoutPage{logged: true, hidden: true, bars: []bar{
			{mb: 1, picked: true, to: 0.5}, {id: 1, mb: 2, picked: true, from: 0.5, to: 1}}}},
		{name: "sizes", page: drawnPage(left, "<tr><td>Count</td><td>1</td></tr><tr><td>Min</td><td>7B</td></tr><tr><td>First quartile</td><td>5.1K</td></tr>"+
			"<tr><td>Median</td><td>1.50M</td></tr><tr><td>Third quartile</td><td>2.00M</td></tr><tr><td>Max</td><td>1.00G</td></tr>", ""),
			want: &layoutPage{bars: []bar{{picked: true, to: 0.5}}, quarters: []int64{7, 5222, 1572864, 2 << 20, 1 << 30}}},
		{name: "another page", page: []byte("<h1>Hello</h1>"), err: "not the page of a tablet's rowset layout"},
		{name: "counts differ", page: drawnPage(left, "<tr><td>Count</td><td>5</td></tr>", ""), err: "counts 5 rowsets and shows 1"},
		{name: "log differs", page: drawnPage(left, "", log), err: "shows 1 rowsets and the policy's log 3"},
		{name: "no number", page: drawnPage(`<rect x="wide" y="60" width="600" fill="#666"/>`, "", ""), err: `x in the drawing is "wide"`},
	} {
		got, err := readLayoutPage(tt.page, "")
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: error %v, want %q", tt.name, err, tt.err)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(layoutPage{}, bar{}), cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
}

func TestSplitPair(t *testing.T) {
	for _, tt := range []struct{ pair, smallest, largest string }{
		{"a,b", "a", "b"},
		{`\x80\x00,\xff`, "\x80\x00", "\xff"},
		{"a,b,c,d", "a,b", "c,d"},                               // one comma in each
		{`ab,cde,fg`, "", ""},                                   // could be either
		{`\x01,\x02\x03,\x04\x05\x06`, "", ""},                  // as well
		{`\x01,\x02,\x03\x04\x05`, "\x01,\x02", "\x03\x04\x05"}, // equal lengths
		{"b,a", "", ""},                                         // the wrong way round
		{"", "", ""},
	} {
		smallest, largest, ok := splitPair(tt.pair)
		if !ok {
			smallest, largest = "", ""
		}
		if smallest != tt.smallest || largest != tt.largest {
			t.Errorf("%q: %q and %q, want %q and %q", tt.pair, smallest, largest, tt.smallest, tt.largest)
		}
	}
}

// drawLayout draws random rowsets as Kudu's page would show them, and gives their weights.
func drawLayout(t *rapid.T, order workloads.Order) (*layoutPage, []float64) {
	keys := workloads.NewKeys(order)
	n := rapid.IntRange(2, 12).Draw(t, "rowsets")
	spans, sized, weights := make([]tablet.Span, n), make([]tablet.Sized, n), make([]float64, n)
	for i := range n {
		a, b := rapid.Float64Range(0, 0.999).Draw(t, "from"), rapid.Float64Range(0, 0.999).Draw(t, "to")
		var err error
		if spans[i], err = tablet.NewSpan(keys.At(min(a, b)), keys.At(max(a, b)+1e-3)); err != nil {
			t.Fatal(err)
		}
		weight := rapid.Int64Range(1000, 40<<20).Draw(t, "bytes")
		sized[i], weights[i] = tablet.Sized{Span: &spans[i], Weight: weight, Full: weight}, float64(weight)
	}
	var p tablet.Planner
	p.Height(sized)
	l := &layoutPage{logged: true, keys: true, bars: make([]bar, n)}
	for i := range n {
		from, to := p.Places(i)
		l.bars[i] = bar{id: i, mb: max(1, sized[i].Weight>>20), from: from, to: to, min: spans[i].Min(), max: spans[i].Max()}
	}
	return l, weights
}

// TestWeightsFromAxis: weights that the axis tells are right, and those that are chosen lie in the MB shown and add up.
func TestWeightsFromAxis(t *testing.T) {
	solved := 0
	rapid.Check(t, func(t *rapid.T) {
		l, want := drawLayout(t, rapid.SampledFrom([]workloads.Order{workloads.Hashed, workloads.Uniform}).Draw(t, "keys"))
		total := 0.0
		for _, w := range want {
			total += w
		}
		for i, got := range l.estimates(total) {
			if math.Abs(got.bytes-want[i]) > 10*got.doubt+1e-9*total {
				t.Fatalf("rowset %d weighs %v, worked out %v, which %v may be wrong", i, want[i], got.bytes, got.doubt)
			}
		}
		if _, ok := l.solve(total); ok {
			solved++
		}
		l.keys = false
		sum := 0.0
		weights, _ := l.weights(total, 1.01)
		for i, w := range weights {
			if low, high := l.bars[i].bounds(); w < low || w >= high {
				t.Fatalf("rowset %d of %d MB was given %v bytes", i, l.bars[i].mb, w)
			}
			sum += w
		}
		if math.Abs(sum-total) > 100 {
			t.Fatalf("weights add up to %v, want %v", sum, total)
		}
	})
	if solved == 0 {
		t.Error("no layout was solved")
	}
}

// TestPlacesFromAxis: rowsets at the places worked out lie on the axis where they were shown.
func TestPlacesFromAxis(t *testing.T) {
	keys := workloads.NewKeys(workloads.Uniform)
	rapid.Check(t, func(t *rapid.T) {
		l, weights := drawLayout(t, workloads.Uniform)
		spans, sized := make([]tablet.Span, len(weights)), make([]tablet.Sized, len(weights))
		for i, s := range axis.Places(l.ranges(), weights) {
			var err error
			if spans[i], err = tablet.NewSpan(keys.At(s.From), keys.At(s.To)); err != nil {
				t.Fatal(err)
			}
			sized[i] = tablet.Sized{Span: &spans[i], Weight: int64(weights[i]), Full: int64(weights[i])}
		}
		var p tablet.Planner
		p.Height(sized)
		for i, b := range l.bars {
			if from, to := p.Places(i); math.Abs(from-b.from) > 1e-6 || math.Abs(to-b.to) > 1e-6 {
				t.Fatalf("rowset %d lies at %v to %v, shown at %v to %v", i, from, to, b.from, b.to)
			}
		}
	})
}

// TestOneRowset: a rowset alone weighs all there is, whatever its page says.
func TestOneRowset(t *testing.T) {
	l := &layoutPage{bars: []bar{{to: 1}}}
	s := axis.Places(l.ranges(), []float64{5e6})
	if w, guess := l.weights(5e6, 1.01); guess || !slices.Equal(w, []float64{5e6}) || s[0] != (axis.Range{From: 0, To: 1}) {
		t.Errorf("weights %v, spans %v", w, s)
	}
	point := &layoutPage{bars: []bar{{}}} // a single row
	if s := axis.Places(point.ranges(), []float64{800}); s[0] != (axis.Range{}) {
		t.Errorf("spans %v", s)
	}
}

// TestSmallRowsets: two rowsets of the same width over all keys are worth 2 - 1.003 and the tradeoff for each, less its share of the target size.
func TestSmallRowsets(t *testing.T) {
	const bytes = 6 * mebibyte // of both
	for _, tt := range []struct {
		flags         flags
		worth, target float64
	}{
		{nil, 0.009, 32 * mebibyte},
		{flags{"compaction_small_rowset_tradeoff": "0.02", "budgeted_compaction_target_rowset_size": "67108864"}, 0.02, 64 * mebibyte},
	} {
		l := &layoutPage{flags: tt.flags, value: 2 - 1.003 + tt.worth*(2-bytes/tt.target), bars: []bar{{mb: 3, picked: true, to: 1}, {mb: 3, picked: true, to: 1}}}
		if got, ok := l.pickedSize(2); !ok || math.Abs(got-bytes) > 1 {
			t.Errorf("flags %v: %v bytes, %v, want %d", tt.flags, got, ok, bytes)
		}
	}
	l := &layoutPage{flags: flags{"compaction_small_rowset_tradeoff": "0"}, value: 1, bars: []bar{{mb: 3, picked: true, to: 1}}}
	if _, ok := l.pickedSize(1); ok {
		t.Error("sizes that count for nothing were worked out")
	}
}

func TestFlags(t *testing.T) {
	f := readFlags([]byte("<h2>Non-default</h2><pre>--a=b\n</pre><h2>All</h2><pre>--flush_threshold_mb=64\n--tablet_history_max_age_sec=3600\n" +
		"--compaction_minimum_improvement=0.0099999997764825821\n--compaction_approximation_ratio=1.0499999523162842\n--memory_limit_hard_bytes=0\n" +
		"--maintenance_manager_polling_interval_ms=100\n--enable_maintenance_manager=false\n--enable_log_gc=false\n--workload_score_upper_bound=10\n" +
		"--enable_workload_score_for_perf_improvement_ops=true\n--scans_started_per_sec_for_hot_tablets=50\n--rows_writed_per_sec_for_hot_tablets=1000\n" +
		"--max_priority_range=5\n--maintenance_op_multiplier=1.2000000000000002\n--rowset_compaction_ancient_delta_threshold_enabled=false\n" +
		"--all_delete_op_delta_file_cnt_for_compaction=18446744073709551615\n--rowset_compaction_memory_estimate_enabled=true\n</pre>"))
	groups, notes := f.settings("kudu-1.18", []setting{{"server.memory_limit", "4.00GiB"}})
	if diff := cmp.Diff(map[string][]setting{
		"server":      {{"memory_limit", "4.00GiB"}},
		"maintenance": {{"enabled", "false"}, {"flush_threshold", "64MiB"}, {"polling_interval", "100ms"}, {"priority_multiplier", "1.2000000000000002"}, {"history_max_age", "3600s"}},
	}, groups, cmp.AllowUnexported(setting{}), cmpopts.SortSlices(func(a, b setting) bool { return a.key < b.key })); diff != "" || len(notes) > 0 {
		t.Errorf("settings:\n%s%v", diff, notes)
	}
	if got := f.off(); !slices.Equal(got, []string{"LogGCOp"}) {
		t.Errorf("off: %v", got)
	}
	if got := flow(f.rules("kudu-1.18")); got != "{memory_budget: on, ancient_undo_veto: off}" {
		t.Errorf("rules: %s", got)
	}
	if got := flow(f.policy()); got != "{bound: 10, hot_scans_per_sec: 50, multiplier: 1.2000000000000002}" {
		t.Errorf("policy: %s", got)
	}
}

func TestProfileOf(t *testing.T) {
	for text, want := range map[string]string{"1.12.0": "kudu-1.12 true", "1.15.3": "kudu-1.12 false", "1.16.0": "kudu-1.18 false", "1.18.1": "kudu-1.18 true",
		"1.19.0-SNAPSHOT": "kudu-1.19 true", "1.20.0": "kudu-1.19 false", "2.0.0": "kudu-1.19 false", "1.9.0": "kudu-1.12 false"} {
		major, minor, version, ok := readVersion([]byte("<pre>kudu " + text + " (rev 3a9f8c319)\nserver uuid 50b58251</pre>"))
		profile, near := profileOf(major, minor)
		if got := fmt.Sprint(profile, " ", near); !ok || version != text || got != want {
			t.Errorf("%s: read as %q: %s, want %s", text, version, got, want)
		}
	}
}

func TestExtraConfig(t *testing.T) {
	for text, want := range map[string]extraConfig{
		"<h3>Extra Config</h3><pre></pre>": {known: true},
		"<h3>Extra Config</h3><pre>kudu.table.disable_compaction : 1\nkudu.table.maintenance_priority : -2</pre>": {true, -2, true},
		"<h3>Extra Config</h3><pre>kudu.table.disable_compaction : false</pre>":                                   {known: true},
		"<h3>Schema</h3>": {},
	} {
		if got := readExtra(readDocument([]byte(text)).text); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestTrafficGuess(t *testing.T) {
	for _, tt := range []struct {
		name   string
		seen   traffic
		loaded bool
		want   clientGuess
		none   bool
	}{
		{name: "idle", seen: traffic{scans: 0.004}, loaded: true, none: true},
		{name: "scans", seen: traffic{scans: 1500, updates: 500, scanned: 50, first: 0.9}, loaded: true,
			want: clientGuess{threads: 4, target: 2000, update: 0.25, scan: 0.75, longest: 99, firstBucket: true}},
		{name: "reads", seen: traffic{scans: 100, inserts: 100, scanned: 1}, loaded: true, want: clientGuess{threads: 1, target: 200, read: 0.5, insert: 0.5}},
		{name: "nothing to read", seen: traffic{scans: 100, inserts: 10, scanned: 0}, want: clientGuess{threads: 1, target: 10, insert: 1}},
		{name: "spread over tablets", seen: traffic{scans: 10, scanned: 10.4, first: 0.25}, loaded: true, want: clientGuess{threads: 1, target: 10, scan: 1, longest: 20}},
	} {
		got, ok := tt.seen.guess(4, tt.loaded)
		if ok == tt.none || got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// replica is one of a tablet on a server.
func replica(id string, s *serverState, leads bool, scans, inserts float64) *tabletState {
	t := &tabletState{listed: listed{table: "t/a b", id: id, partition: "HASH (key) PARTITION " + id[:1], voters: 3}, server: s, layout: &layoutPage{},
		page: &tabletPage{leads: leads}, metrics: &entity{values: map[string]float64{"scans_started": scans, "rows_inserted": inserts}}}
	s.tablets = append(s.tablets, t)
	return t
}

// TestGather: of two servers with two replicas of each tablet, the leader's counts; scans add up.
func TestGather(t *testing.T) {
	a, b := &serverState{uuid: "a", source: Dir("a"), between: 10 * time.Second}, &serverState{uuid: "b", source: Dir("b"), between: 20 * time.Second}
	replica("10", a, false, 10, 500)
	first := replica("0", a, true, 30, 300)
	leader := replica("10", b, true, 40, 1000)
	replica("0", b, false, 0, 600)
	var n notes
	c, err := gather([]*serverState{a, b}, &n)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.tables) != 1 || c.tables[0].name != "t-a-b" || !slices.Equal(c.tables[0].tablets, []*tabletState{first, leader}) {
		t.Fatalf("%+v", c.tables)
	}
	if c.replication != 1 || len(n.untold) != 1 { // two of three: replication is odd
		t.Errorf("replication %d, %q", c.replication, n.untold)
	}
	got := c.traffic(c.tables[0])
	if got.scans != 1+2+3 || got.inserts != 50+30 || got.first != 0.5 { // scans: 10 and 30 in 10 s, 40 in 20 s; inserts: 1000 in 20 s and 300 in 10 s
		t.Errorf("%+v", got)
	}
}

func TestWeb(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/tablet" && r.URL.Query().Get("id") == "young":
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, "<div class='text-error'>Tablet young is still bootstrapping</div>")
		case r.URL.Path == "/metrics":
			fmt.Fprint(w, "[]")
		case r.URL.Path == "/varz":
			w.WriteHeader(http.StatusInternalServerError)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	source, err := Web(server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if page, err := source.Page(ctx, "metrics", ""); err != nil || string(page) != "[]" {
		t.Errorf("metrics: %q, %v", page, err)
	}
	if _, err := source.Page(ctx, "tablet", "young"); !errors.Is(err, errNoPage) || !strings.Contains(err.Error(), "503 Service Unavailable: Tablet young is still bootstrapping") {
		t.Errorf("bootstrapping: %v", err)
	}
	if _, err := source.Page(ctx, "tablet", "gone"); !errors.Is(err, errNoPage) {
		t.Errorf("gone: %v", err)
	}
	if _, err := source.Page(ctx, "varz", ""); err == nil || errors.Is(err, errNoPage) {
		t.Errorf("broken: %v", err)
	}
	server.Close()
	if _, err := source.Page(ctx, "metrics", ""); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("unreachable: %v", err)
	}
	for _, address := range []string{"", "ftp://x", "http://", "a b"} {
		if _, err := Web(address); err == nil {
			t.Errorf("%q: no error", address)
		}
	}
}

// TestSilentServer: one that does not answer is given up.
func TestSilentServer(t *testing.T) {
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer server.Close()
	defer close(done)
	source, err := Web(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	source.(*web).client.Timeout = 20 * time.Millisecond
	if _, err := source.Page(context.Background(), "metrics", ""); err == nil || !strings.Contains(err.Error(), "no answer within 20s") {
		t.Errorf("silent: %v", err)
	}
}
