package kudu

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/importers/kudu/pages"
)

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
		for _, b := range l.Bars {
			for _, key := range []string{b.Min, b.Max} {
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

// TestImportStops: an import ends when its context does, and tells what it does until then.
func TestImportStops(t *testing.T) {
	source := saved(t, savedPages(t, "plain"))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var steps []pages.Step
	_, err := Import(ctx, []pages.Source{source}, Options{Name: "x", Progress: func(s pages.Step) {
		if steps = append(steps, s); len(steps) == 4 {
			cancel()
		}
	}})
	if err == nil || err.Error() != "stopped before the import was complete" {
		t.Errorf("error %v", err)
	}
	if len(steps) != 4 || steps[0].Doing != "metrics and tables" || steps[3].Done != 2 || steps[3].Total != 20 || steps[3].Server != source.String() {
		t.Errorf("steps %+v", steps)
	}
	if _, err := Import(context.Background(), nil, Options{Name: "a/b"}); err == nil || !strings.HasPrefix(err.Error(), `--name: name: "a/b" is not a name`) {
		t.Errorf("error %v", err)
	}
}
