package kudu

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"mmsim/configs"
	"mmsim/sim/tablet"
	"mmsim/workloads"
)

// savedPages unpacks a set of pages: plain and redacted are of a server that YCSB loaded, with 20 tablets and 280 rowsets;
// loadgen is of one that Kudu's own load generator filled, with keys of 8 bytes.
func savedPages(t *testing.T, set string) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "pages", set+".txtar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range txtar.Parse(data).Files {
		if err := os.WriteFile(filepath.Join(dir, file.Name), file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// importDir imports one folder.
func importDir(t *testing.T, dir string, o Options) (*Imported, *configs.Experiment) {
	t.Helper()
	o.Name, o.Master = "imported", Dir(dir)
	got, err := Import(context.Background(), []Source{Dir(dir)}, o)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := configs.Parse("imported.yaml", got.YAML)
	if err != nil {
		t.Fatal(err)
	}
	return got, doc.Experiment
}

// readLayouts reads the layout pages of a folder by tablet.
func readLayouts(t *testing.T, dir string) map[string]*layoutPage {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "tablet-rowsetlayout-svg-*.html"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	all := map[string]*layoutPage{}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		id := name[len(name)-32:]
		if all[id], err = readLayoutPage(page, id); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}

// tabletsByID finds the tablet of each entry of initial: by the id in its comment.
func tabletsByID(t *testing.T, text []byte, e *configs.Experiment) map[string]*configs.Initial {
	t.Helper()
	all, at := map[string]*configs.Initial{}, 0
	for _, line := range strings.Split(string(text), "\n") {
		if _, comment, ok := strings.Cut(line, "  # "); ok && strings.HasPrefix(line, "    tablet: ") {
			all[comment[:32]] = &e.Initial[at]
			at++
		}
	}
	if at != len(e.Initial) {
		t.Fatalf("%d tablets have an id, of %d", at, len(e.Initial))
	}
	return all
}

// planned is the compaction policy's answer to an imported tablet.
func planned(t *testing.T, e *configs.Experiment, n *configs.Initial) (tablet.Selection, []bar) {
	t.Helper()
	order := workloads.Uniform
	i := slices.IndexFunc(e.Tables, func(t configs.Table) bool { return t.Name == n.Table })
	if e.Tables[i].Keys == "ycsb" {
		order = workloads.Hashed
	}
	keys := workloads.NewKeys(order)
	spans, rowsets := make([]tablet.Span, len(n.Rowsets)), make([]tablet.Sized, len(n.Rowsets))
	for i, r := range n.Rowsets {
		smallest, largest := "", ""
		if len(r.Keys) > 0 {
			smallest, largest = r.Keys[0], r.Keys[1]
		} else {
			smallest, largest = keys.At(r.Span[0]), keys.At(r.Span[1])
		}
		var err error
		if spans[i], err = tablet.NewSpan(smallest, largest); err != nil {
			t.Fatal(err)
		}
		full := int64(r.Size) + int64(float64(r.Rows)*e.Machine.Store.FullRow)
		rowsets[i] = tablet.Sized{Span: &spans[i], Weight: int64(r.Size), Full: full}
	}
	m := &e.Maintenance
	policy := tablet.PolicyConfig{Budget: int64(m.CompactionBudget), TargetSize: int64(m.TargetRowsetSize), WeightUnit: int64(m.WeightUnit),
		MinimumImprovement: m.MinimumImprovement, SmallRowsetTradeoff: m.SmallRowsetTradeoff, ApproximationRatio: m.ApproximationRatio,
		SupportAdjust: supportAdjust}
	var p tablet.Planner
	var s tablet.Selection
	if err := p.Select(&policy, rowsets, &s); err != nil {
		t.Fatal(err)
	}
	bars := make([]bar, len(rowsets))
	for i := range bars {
		bars[i].from, bars[i].to = p.Places(i)
		bars[i].picked = slices.Contains(s.Picked, int32(i))
	}
	return s, bars
}

// TestPolicyAnswersAsKudu is the proof that an import loses nothing that counts: asked about the imported state, the compaction policy
// gives the value and picks the rowsets that Kudu's own page prints, for each tablet, with keys, with places only, and where
// keys are redacted.
func TestPolicyAnswersAsKudu(t *testing.T) {
	for _, set := range []struct {
		pages string
		keep  bool
		value float64 // largest difference; Kudu prints six digits, up to 5e-5 of these values
		axis  float64
	}{
		{"plain", false, 7e-5, 1e-11},
		{"plain", true, 7e-5, 1e-11},
		{"redacted", false, 1e-5, 1e-11},
		{"loadgen", false, 1e-4, 1e-9}, // rows there take less for bloom filter and index than the machine counts
	} {
		dir := savedPages(t, set.pages)
		got, e := importDir(t, dir, Options{KeepKeys: set.keep})
		tablets, compared := tabletsByID(t, got.YAML, e), 0
		worst, off := 0.0, 0.0
		layouts := readLayouts(t, dir)
		for _, id := range slices.Sorted(maps.Keys(layouts)) {
			l, n := layouts[id], tablets[id]
			slices.SortStableFunc(l.bars, func(a, b bar) int { return a.id - b.id }) // as they are written
			s, bars := planned(t, e, n)
			worst = max(worst, math.Abs(s.Quality-l.value))
			for i, b := range bars {
				off = max(off, math.Abs(b.from-l.bars[i].from), math.Abs(b.to-l.bars[i].to))
				if b.picked != l.bars[i].picked {
					t.Errorf("%s: tablet %s: rowset %d picked: %v, on the page %v", set.pages, id, l.bars[i].id, b.picked, l.bars[i].picked)
				}
				compared++
			}
		}
		if worst > set.value || off > set.axis || compared == 0 {
			t.Errorf("%s, keys kept %v: %d rowsets, values differ by %v (at most %v), places by %v (at most %v)", set.pages, set.keep, compared, worst, set.value, off, set.axis)
		}
		t.Logf("%s, keys kept %v: %d rowsets, values differ by %.2g, places on the axis by %.2g", set.pages, set.keep, compared, worst, off)
	}
}

// TestRowsAreFound: from keys and places alone come the rows that were loaded.
func TestRowsAreFound(t *testing.T) {
	got, e := importDir(t, savedPages(t, "plain"), Options{})
	tablets := tabletsByID(t, got.YAML, e)
	for id, want := range map[string][]int64{
		"3f460d76c4804cf0ac0a306b5086b401": {3423, 3552, 3478, 3518, 3257, 3531, 3528, 3432, 3669, 4449, 3505, 3330, 3654, 3358}, // ta/0
		"b564af8052394a49b5efe498398c7dea": {4202, 3350, 3524},                                                                   // ta/1 begins so
	} {
		for i, rows := range want {
			if r := tablets[id].Rowsets[i].Rows; r < rows-1 || r > rows+1 {
				t.Errorf("tablet %s: rowset %d has %d rows, want %d", id, i, r, rows)
			}
		}
	}
	if n := tablets["3f460d76c4804cf0ac0a306b5086b401"].MemRowsetRows; n < 235 || n > 250 { // 242 of 49,928
		t.Errorf("%d rows in memory, want about 242", n)
	}
	const guess = "rowsets:  # guess: sizes"
	if redacted, _ := importDir(t, savedPages(t, "redacted"), Options{}); strings.Contains(string(got.YAML), guess) || !strings.Contains(string(redacted.YAML), guess) {
		t.Error("sizes are a guess where keys are redacted, and only there")
	}
}

// TestKeysStay: no key of the pages leaves, but on demand.
func TestKeysStay(t *testing.T) {
	dir := savedPages(t, "plain")
	without, _ := importDir(t, dir, Options{})
	with, _ := importDir(t, dir, Options{KeepKeys: true})
	messages := strings.Join(append(without.Warnings, without.Untold...), "\n")
	keys := 0
	for _, l := range readLayouts(t, dir) {
		for _, b := range l.bars {
			for _, key := range []string{b.min, b.max} {
				keys++
				if number := key[len("user"):]; strings.Contains(string(without.YAML), number) || strings.Contains(messages, number) {
					t.Errorf("key %q has left", key)
				}
				if !strings.Contains(string(with.YAML), `"`+key+`"`) {
					t.Errorf("key %q was not kept", key)
				}
			}
		}
	}
	if keys != 562 {
		t.Errorf("%d keys", keys)
	}
	loadgen, _ := importDir(t, savedPages(t, "loadgen"), Options{})
	for _, bound := range []string{"VALUES", "10 <="} { // a range partition's bounds are row keys
		if strings.Contains(string(loadgen.YAML), bound) {
			t.Errorf("the bound of a range has left: %q", bound)
		}
	}
}

// TestWorkloadGuess holds the guess against the counters on the pages: 23.878887 s after the start tb's tablets have 1,075 scans, of which 920 began at
// the first, and 262 updates.
func TestWorkloadGuess(t *testing.T) {
	_, e := importDir(t, savedPages(t, "plain"), Options{})
	if len(e.Phases) != 1 || len(e.Phases[0].Clients) != 1 {
		t.Fatalf("%+v", e.Phases)
	}
	c := &e.Phases[0].Clients[0]
	if c.Table != "tb" || math.Abs(float64(c.Target)-(1075+262)/23.878887) > 0.01 || math.Abs(c.Workload.Scan-1075.0/1337) > 0.001 ||
		math.Abs(c.Workload.Update-262.0/1337) > 0.001 || c.Workload.ScanPlace != "first_bucket" {
		t.Errorf("%+v", c)
	}
}

// TestServerIsKept: flags and memory that are not the defaults.
func TestServerIsKept(t *testing.T) {
	_, e := importDir(t, savedPages(t, "plain"), Options{})
	if e.Profile != "kudu-1.18" || e.Server.RPCServiceThreads != 20 || e.Maintenance.FlushThreshold != 24*mebibyte ||
		!slices.Equal(e.Maintenance.Off, []string{"CompactRowSetsOp"}) || e.Server.MemoryLimit.String() != "20218558546B" {
		t.Errorf("profile %s, server %+v, maintenance %+v", e.Profile, e.Server, e.Maintenance)
	}
	_, e = importDir(t, savedPages(t, "loadgen"), Options{})
	if len(e.Tables) != 3 || e.Tables[0].Keys != "uniform" || e.Tables[0].Tablets != 3 {
		t.Errorf("%+v", e.Tables)
	}
}

// edit changes a page of a folder.
func edit(t *testing.T, dir, page, old, new string) {
	t.Helper()
	path := filepath.Join(dir, page)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s does not hold %q", page, old)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(data), old, new)), 0o666); err != nil {
		t.Fatal(err)
	}
}

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

func write(t *testing.T, dir, page, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, page), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, page string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, page)); err != nil {
		t.Fatal(err)
	}
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
		_, err := Import(context.Background(), []Source{Dir(dir)}, Options{Name: "x"})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want one of %s with %q", tt.name, err, dir, tt.want)
		}
	}
	dir := savedPages(t, "plain")
	if _, err := Import(context.Background(), []Source{Dir(dir), Dir(dir)}, Options{Name: "x"}); err == nil || !strings.Contains(err.Error(), "are the same tablet server") {
		t.Errorf("the same server twice: %v", err)
	}
	if _, err := Import(context.Background(), nil, Options{Name: "x"}); err == nil {
		t.Error("no server: no error")
	}
	if _, err := Dir(dir).Page(context.Background(), "tablet", "0"); !errors.Is(err, errNoPage) {
		t.Errorf("no such page: %v", err)
	}
}
