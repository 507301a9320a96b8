package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/sim/tablet"
	"mmsim/workloads"
)

// found is an experiment with one table, of which only what its tablets hold at the start is given.
func found(t testing.TB, table, initial string, sets ...string) *configs.Experiment {
	t.Helper()
	doc, err := configs.Parse("found.yaml", []byte(`
name: found
cluster: {servers: 3, replication: 3}
tables: [{name: t, `+table+`}]
phases: [{name: wait, duration: 1s}]
policies: [{policy: raw}]
initial:
`+initial))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Set(sets...); err != nil {
		t.Fatal(err)
	}
	return doc.Experiment
}

// What is given is there on every replica, and what is not given follows from it: 1,055.7 B a row and 5,000 B a rowset as the compaction policy weighs it,
// 2.4 B more of indexes and 8.4 B of UNDO; 1,307 B a row in memory.
func TestInitialState(t *testing.T) {
	w := newTestWorld(t, found(t, "tablets: 2", `
  - table: t
    tablet: 1
    memrowset_rows: 2500
    rowsets:
      - {rows: 10000, span: [0.25, 0.75], undo_age: 1h}
      - {size: 1060700B, keys: [user1, user5]}
      - {rows: 20000, size: 30MB, redo_files: 3, redo_rows: 1000, undo: 7kB, span: [0, 1], deleted: 50}
`))
	if got, want := w.rows[0].Inserted, int64(2500+10000+1000+20000-50); got != want {
		t.Errorf("table has %d rows, want %d", got, want)
	}
	for n, p := range w.cluster.Tablets[1].Replicas {
		r := p.Replica
		var got []string
		for _, rs := range r.Rowsets {
			got = append(got, fmt.Sprintf("%d rows %.4f-%.4f weight %d full %d redo %d/%d/%d undo %d of %d", rs.Rows, rs.Lo, rs.Hi, rs.Weight(), rs.Full(), rs.RedoFiles, rs.RedoRows, rs.RedoBytes, rs.Undo, rs.NewestUndo()))
		}
		want := []string{
			"10000 rows 0.2500-0.7500 weight 10562000 full 10670000 redo 0/0/0 undo 84000 of -3600000000000",
			"1000 rows 0.0000-0.4819 weight 1060700 full 1071500 redo 0/0/0 undo 8400 of 0",
			"20000 rows 0.0000-1.0000 weight 30000000 full 30055000 redo 3/1000/140000 undo 7000 of 0",
		}
		if !slices.Equal(got, want) {
			t.Errorf("replica %d holds\n%s\nwant\n%s", n, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if h := r.Height(); math.Abs(h-(0.5+0.4818676322157798+1)) > 1e-9 {
			t.Errorf("height %v", h)
		}
		if r.MRS.Rows != 2500 || r.Memory() != 6410+4*1040384 || // 2500 * 1307 B fill three chunks and a bit: 4,167,946 B, as a real server shows
			r.RowsWritten != 0 {
			t.Errorf("MemRowSet of %d rows, memory %d, %d rows written", r.MRS.Rows, r.Memory(), r.RowsWritten)
		}
		if used := p.Server.Memory.Used() - p.Server.Memory.Base - p.Server.Memory.BlockCache; used != r.Memory() {
			t.Errorf("server %d accounts for %d bytes, its stores have %d", p.Server.ID, used, r.Memory())
		}
		if got, want := r.WAL.Bytes(), int64(2500*1063+3*200); got != want {
			t.Errorf("WAL of %d bytes, want %d", got, want)
		}
	}
	if r := w.cluster.Tablets[0].Replicas[0].Replica; len(r.Rowsets) > 0 || r.Height() != 0 {
		t.Error("the other tablet is not empty")
	}
}

// Shares of the data and places are two ways to say the same.
func TestDataSpan(t *testing.T) {
	w := newTestWorld(t, found(t, "tablets: 1", "  - {table: t, rowsets: [{rows: 300, data_span: [0, 0.875]}, {rows: 100, data_span: [0.5, 1]}]}\n"))
	for i, want := range []float64{0, .75, .5, 1} {
		rs := w.cluster.Tablets[0].Replicas[0].Replica.Rowsets[i/2]
		if got := []float64{rs.Lo, rs.Hi}[i%2]; math.Abs(got-want) > 1e-9 {
			t.Errorf("end %d lies at %v, want %v", i, got, want)
		}
	}
}

// The oldest rowsets of all tablets have left the page cache first.
func TestInitialPageCache(t *testing.T) {
	w := newTestWorld(t, found(t, "tablets: 2", `
  - {table: t, tablet: 0, rowsets: [{rows: 1000000, span: [0, 1]}, {rows: 1000000, span: [0, 1]}]}
  - {table: t, tablet: 1, rowsets: [{rows: 1000000, span: [0, 1]}]}
`, "server.ram=2GiB", "server.memory_limit=2GiB"))
	s := w.cluster.Servers[0]
	if want := int64(3 * (1066.5*1e6 + 5000)); s.Written() != want {
		t.Errorf("%d bytes written before, want %d", s.Written(), want)
	}
	var evicted []bool
	for _, r := range s.Replicas {
		r.Age(s.Written(), s.Memory.PageCache())
		for _, rs := range r.Rowsets {
			evicted = append(evicted, rs.Evicted)
		}
	}
	if want := []bool{true, false, false}; !slices.Equal(evicted, want) { // 1.75 GiB are left for pages
		t.Errorf("out of cache: %v, want %v", evicted, want)
	}
}

// Keys are kept as they are given; keys that are not YCSB's lie between the smallest and the largest of their tablet by the 8 bytes after what these have in common.
func TestKeySpace(t *testing.T) {
	initial := &configs.Initial{Rowsets: []configs.InitialRowset{{Keys: []string{"row-b", "row-n"}}, {Keys: []string{"row-j", "row-r"}}, {Span: []float64{0, 1}}}}
	s := newKeySpace(workloads.NewKeys(workloads.Uniform), initial)
	for key, want := range map[string]float64{"row-b": 0, "row-r": 1, "row-j": 0.5, "row-n": 0.75} {
		if got, ok := s.place(key); !ok || got != want {
			t.Errorf("%q is at %v, want %v", key, got, want)
		}
		if got := s.at(want); got != key+"\x00\x00\x00\x00\x00\x00\x00" {
			t.Errorf("at %v is %q, want %q", want, got, key)
		}
	}
	one := newKeySpace(workloads.NewKeys(workloads.Uniform), &configs.Initial{Rowsets: []configs.InitialRowset{{Keys: []string{"k", "k"}}}})
	if got, ok := one.place("k"); !ok || got != 0 {
		t.Errorf("the only key is at %v", got)
	}
	ycsb := newKeySpace(workloads.NewKeys(workloads.Hashed), initial)
	if _, ok := ycsb.place("row-b"); ok {
		t.Error("row-b is a key of YCSB")
	}
	if got := ycsb.at(0.5); got != "user515" && got[:7] != "user515" { // (d - 10^18) * 1.111 / 2^63 = 0.5
		t.Errorf("at 0.5 is %q", got)
	}
}

// A compaction of rowsets whose keys are given writes rowsets with keys of the same shape, and the policy sees it.
func TestCompactionOfInitialRowsets(t *testing.T) {
	for _, c := range []struct{ keys, first, last string }{
		{"ycsb", "user1000", "user9995"},
		{"uniform", "row-aaaaaaaa", "row-zzzzzzzz"},
	} {
		var rowsets []string
		for range 6 {
			rowsets = append(rowsets, fmt.Sprintf("{rows: 10000, keys: [%s, %s]}", c.first, c.last))
		}
		e := found(t, "tablets: 2, keys: "+c.keys, "  - {table: t, rowsets: ["+strings.Join(rowsets, ", ")+"]}\n", "phases[0].duration=20s")
		w := played(t, e, line(t, policies.Raw(), nil))
		r := w.cluster.Tablets[0].Replicas[0].Replica
		if len(r.Rowsets) != 2 {
			t.Fatalf("%s: %d rowsets after the compaction, want 2", c.keys, len(r.Rowsets))
		}
		var sized []tablet.Sized
		for _, rs := range r.Rowsets {
			sized = append(sized, tablet.Sized{Span: &rs.Span, Weight: rs.Weight(), Full: rs.Full()})
			for _, key := range []string{rs.Span.Min(), rs.Span.Max()} {
				if key[:4] != c.first[:4] || key < c.first[:6] || key > c.last+"\xff" {
					t.Errorf("%s: key %q after the compaction", c.keys, key)
				}
			}
		}
		if h := new(tablet.Planner).Height(sized); math.Abs(h-1) > 1e-3 {
			t.Errorf("%s: height %v after the compaction, want 1", c.keys, h)
		}
	}
}

// Clients find the rows that are there at the start.
func TestClientsOnInitialRows(t *testing.T) {
	e := found(t, "tablets: 2", "  - {table: t, rowsets: [{rows: 1000, span: [0, 1]}]}\n  - {table: t, tablet: 1, rowsets: [{rows: 1000, span: [0, 1]}]}\n",
		"phases=[{name: run, clients: [{table: t, workload: {operations: 5000, scan: 0.4, update: 0.4, insert: 0.2, request_distribution: latest}}]}]")
	run := mustRun(t, e, line(t, policies.Raw(), nil), Options{})
	if n := run.Totals; n.Scans+n.Updates+n.Inserts != 5000 {
		t.Errorf("%d scans, %d updates and %d inserts, want 5000 operations", n.Scans, n.Updates, n.Inserts)
	}
}

// hundreds is a server of many tablets with many rowsets.
func hundreds() string {
	var b strings.Builder
	for tablet := range 500 {
		fmt.Fprintf(&b, "  - {table: t, tablet: %d, rowsets: [", tablet)
		for i := range 100 {
			fmt.Fprintf(&b, "{rows: %d, span: [0.00%d, 0.99%d]}, ", 1000+i, i, i)
		}
		b.WriteString("]}\n")
	}
	return b.String()
}

// BenchmarkInitial builds a world of 500 tablets with 100 rowsets each.
func BenchmarkInitial(b *testing.B) {
	e := found(b, "tablets: 500", hundreds(), "cluster={servers: 1, replication: 1}")
	for b.Loop() {
		newTestWorld(b, e)
	}
}
