package sim

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
)

// small is the review at a size that takes a tenth of a second, with some assignments on top.
func small(t testing.TB, sets ...string) *configs.Experiment {
	t.Helper()
	sets = append([]string{"cluster.servers=3", "tables[0].tablets=3", "tables[1].tablets=5",
		"phases[0].clients[0].workload.records=2000000", "phases[0].clients[1].workload.records=20000000",
		"phases[1].clients[0].workload.operations=50000", "phases[1].clients[1].workload.operations=500000",
		"phases[2].clients[0].workload.operations=200000", "phases[2].clients[1].workload.operations=3000000"}, sets...)
	e, err := reviewWith(t, sets...).Scaled(.01)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// testdata is an experiment of the test's own, with assignments on top.
func testdata(t testing.TB, name string, sets ...string) *configs.Experiment {
	t.Helper()
	doc, err := configs.Load("testdata/" + name + ".yaml")
	if err == nil {
		err = doc.Set(sets...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return doc.Experiment
}

// line makes a policy line of a built-in.
func line(t testing.TB, spec policies.Spec, params map[string]any) Line {
	t.Helper()
	values, err := spec.Resolve(params)
	if err != nil {
		t.Fatal(err)
	}
	return Line{Name: spec.Name, Policy: spec.Name, New: func() (policies.Policy, error) { return spec.New(values) }}
}

func mustRun(t testing.TB, e *configs.Experiment, l Line, o Options) *results.Run {
	t.Helper()
	run, err := Run(context.Background(), e, l, o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestSameSeedSameRun(t *testing.T) {
	raw := line(t, policies.Raw(), nil)
	first := fingerprint(mustRun(t, testdata(t, "busy"), raw, Options{}))
	if again := fingerprint(mustRun(t, testdata(t, "busy"), raw, Options{})); again != first {
		t.Errorf("the same experiment gives\n%s\nand then\n%s", first, again)
	}
	if other := fingerprint(mustRun(t, testdata(t, "busy", "seed=2"), raw, Options{})); other == first {
		t.Error("another seed gives the same run")
	}
	if other := fingerprint(mustRun(t, testdata(t, "busy"), raw, Options{Replication: 1})); other == first {
		t.Error("another replication gives the same run")
	}
}

// The busy experiment sees what it is made for, whichever engine plays it.
func TestBusyRun(t *testing.T) {
	for _, sets := range [][]string{nil, {"maintenance.threads=3", "server.memory_limit=12MiB"}, {"cluster.placement=random", "maintenance.non_memory_ops_prob=0.5"}} {
		e := testdata(t, "busy", sets...)
		fast := mustRun(t, e, line(t, policies.WorkloadScaled(), nil), Options{})
		plain := mustRun(t, e, line(t, policies.WorkloadScaled(), nil), Options{Reference: true})
		if a, b := fingerprint(plain), fingerprint(fast); a != b {
			t.Errorf("%q: engines differ:\nplain %s\nfast  %s", sets, a, b)
		}
		kinds := map[string]bool{}
		for _, op := range fast.Ops {
			kinds[op.Kind] = true
		}
		if n := &fast.Totals; len(kinds) != int(policies.NumKinds)-1 || n.RejectedMemory == 0 || n.RejectedQueue == 0 || n.ColdReads == 0 { // no row is ever deleted
			t.Errorf("%q: ops %v, %+v; want every kind of op but DeletedRowSetGCOp, rejections and cold reads", sets, kinds, *n)
		}
	}
}

// Names are for people: no random stream hangs on them.
func TestNamesChangeNothing(t *testing.T) {
	old, e := testdata(t, "busy"), testdata(t, "busy")
	names := map[string]string{"cold": "z", "hot": "first"}
	e.Tables = slices.Clone(e.Tables)
	for i := range e.Tables {
		e.Tables[i].Name = names[e.Tables[i].Name]
	}
	for i := range e.Phases {
		e.Phases[i].Name += "-renamed"
		for j := range e.Phases[i].Clients {
			c := &e.Phases[i].Clients[j]
			c.Table = names[c.Table]
		}
	}
	want := mustRun(t, old, line(t, policies.Raw(), nil), Options{})
	got := mustRun(t, e, Line{Name: "other", New: line(t, policies.Raw(), nil).New}, Options{})
	rename := strings.NewReplacer("z/", "cold/", "first/", "hot/").Replace
	for i := range got.Ops {
		got.Ops[i].RunnerUp, got.Ops[i].Longest = rename(got.Ops[i].RunnerUp), rename(got.Ops[i].Longest)
	}
	for i := range got.Totals.AtEnd {
		end := &got.Totals.AtEnd[i]
		end.Table = strings.TrimSuffix(rename(end.Table+"/"), "/")
	}
	for i := range got.Latencies {
		l := &got.Latencies[i]
		l.Phase, l.Table = strings.TrimSuffix(l.Phase, "-renamed"), strings.TrimSuffix(rename(l.Table+"/"), "/")
	}
	for i := range got.Phases {
		got.Phases[i].Name = strings.TrimSuffix(got.Phases[i].Name, "-renamed")
	}
	if a, b := fingerprint(want), fingerprint(got); a != b {
		t.Errorf("renamed tables and phases give\n%s, want\n%s", b, a)
	}
}

// played runs all phases in a world of the test's own.
func played(t testing.TB, e *configs.Experiment, l Line) *world {
	t.Helper()
	policy, err := l.New()
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorld(e, policy, l.RanksAll, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Phases {
		runPhase(t, w, i)
	}
	return w
}

// rowsOf is the rows a replica holds, in memory and on disk.
func rowsOf(w *world, tablet, replica int) (rows int64) {
	r := w.cluster.Tablets[tablet].Replicas[replica].Replica
	rows = r.MRS.Rows + r.Flushing.Rows
	for _, rs := range r.Rowsets {
		rows += rs.Rows
	}
	return rows
}

// asked says what clients asked for: rows and scans by tablet, operations by phase and table.
type asked struct {
	rows, scans []int64
	operations  map[string]int64
}

func askedOf(w *world) asked {
	a := asked{operations: map[string]int64{}}
	for i := range w.cluster.Tablets {
		a.rows, a.scans = append(a.rows, rowsOf(w, i, 0)), append(a.scans, w.cluster.Tablets[i].Replicas[0].Replica.ScansStarted)
	}
	for _, l := range w.log.hists {
		a.operations[l.Phase+l.Table+l.Op] = l.Count
	}
	return a
}

// A policy changes how fast clients are served, not what they ask for.
func TestPolicyChangesNoRequest(t *testing.T) {
	raw, hot := line(t, policies.Raw(), nil), line(t, policies.WorkloadScaled(), map[string]any{"bound": 10.0})
	e := testdata(t, "busy")
	want, got := askedOf(played(t, e, raw)), askedOf(played(t, e, hot))
	if !slices.Equal(want.rows, got.rows) || !slices.Equal(want.scans, got.scans) {
		t.Errorf("by tablet, raw has rows %v and scans %v, workload-scaled %v and %v", want.rows, want.scans, got.rows, got.scans)
	}
	for name, n := range want.operations {
		if got.operations[name] != n {
			t.Errorf("%s: %d operations under raw, %d under workload-scaled", name, n, got.operations[name])
		}
	}
	if a, b := fingerprint(mustRun(t, e, raw, Options{})), fingerprint(mustRun(t, e, hot, Options{})); a == b {
		t.Error("the policies make no difference at all, so this shows nothing")
	}
}

// No row is lost or made up by flushes, compactions, retries and several maintenance threads, and servers account for the memory their replicas have.
func TestRowsAreConserved(t *testing.T) {
	for _, sets := range [][]string{
		nil,
		{"server.memory_limit=12MiB", "maintenance.threads=3"},
		{"server.rpc_service_threads=1", "server.rpc_queue_length=2", "machine.write.fixed=9ms"},
		{"phases[0].clients[1].workload.insert_order=ordered", "phases[2].clients[0].workload.insert_order=ordered", "cluster.placement=random"},
		{"initial=[{table: hot, tablet: 2, memrowset_rows: 700, rowsets: [{rows: 300, span: [0.1, 1]}, {size: 50kB, keys: [user1, user2], redo_files: 2, redo_rows: 9}]}]"},
	} {
		w := played(t, testdata(t, "busy", sets...), line(t, policies.WorkloadScaled(), nil))
		for i := range w.cluster.Tables {
			table := &w.cluster.Tables[i]
			for n := range w.exp.Cluster.Replication {
				rows := int64(0)
				for b := range table.Tablets {
					rows += rowsOf(w, table.First+b, n)
				}
				if rows != w.rows[i].Inserted {
					t.Errorf("%q: replicas %d of table %d hold %d rows, clients inserted %d", sets, n, i, rows, w.rows[i].Inserted)
				}
			}
		}
		for _, s := range w.cluster.Servers {
			memory := s.Memory.Base + s.Memory.BlockCache
			for _, r := range s.Replicas {
				memory += r.Memory()
			}
			if s.Memory.Used() != memory {
				t.Errorf("%q: server %d accounts for %d bytes, its stores have %d", sets, s.ID, s.Memory.Used(), memory)
			}
		}
	}
}

func TestMatrixIsTheSameOnAnyNumberOfCores(t *testing.T) {
	lines := []Line{line(t, policies.Raw(), nil), line(t, policies.WorkloadScaled(), nil), line(t, policies.PriorityWeighted(), nil)}
	prints := func(jobs int) map[string]string {
		out := map[string]string{}
		err := Matrix(context.Background(), testdata(t, "busy"), lines, jobs, Options{}, func(run *results.Run) error {
			out[run.Line] = fingerprint(run)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	one, two := prints(1), prints(2)
	for _, l := range lines {
		if one[l.Name] == "" || one[l.Name] != two[l.Name] {
			t.Errorf("%s: one job gives\n%s, two\n%s", l.Name, one[l.Name], two[l.Name])
		}
	}
}

func TestMatrixStopsAtAnError(t *testing.T) {
	broken := Line{Name: "broken", New: func() (policies.Policy, error) { return nil, errors.New("no such policy") }}
	lines := []Line{broken, line(t, policies.Raw(), nil)}
	ran := 0
	err := Matrix(context.Background(), small(t), lines, 1, Options{}, func(*results.Run) error { ran++; return nil })
	if err == nil || !strings.Contains(err.Error(), `"broken": no such policy`) || ran != 0 {
		t.Errorf("error %v after %d runs, want that of the first line and no run", err, ran)
	}
	full := errors.New("disk full")
	err = Matrix(context.Background(), small(t), lines[1:], 1, Options{}, func(*results.Run) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("error %v, want that of the caller", err)
	}
}

// Cancelled at its first report, a run ends with the context's error.
func TestCancelledRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	reports := 0
	o := Options{Progress: func(Progress) { reports++; cancel() }}
	run, err := Run(ctx, small(t, "phases[1].clients[1].workload.operations=50000000"), line(t, policies.Raw(), nil), o)
	if run != nil || !errors.Is(err, context.Canceled) || reports != 1 {
		t.Errorf("run %v with error %v after %d reports, want none with context.Canceled after 1", run != nil, err, reports)
	}
	ran := 0
	err = Matrix(ctx, small(t), []Line{line(t, policies.Raw(), nil)}, 2, Options{}, func(*results.Run) error { ran++; return nil })
	if !errors.Is(err, context.Canceled) || ran != 0 {
		t.Errorf("a matrix of a cancelled context gives error %v and %d runs, want context.Canceled and none", err, ran)
	}
}

// Progress never goes back and ends at the whole.
func TestProgress(t *testing.T) {
	var last Progress
	mustRun(t, small(t), line(t, policies.Raw(), nil), Options{Progress: func(p Progress) {
		if p.Done < last.Done || p.Now < last.Now || p.Done > p.Total || last.Finished {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}})
	if !last.Finished || last.Done != last.Total || last.Total == 0 {
		t.Errorf("the last report is %+v, want all done", last)
	}
}

// Once everything has grown, an operation allocates nothing: phases of scans with updates and with inserts, over rowsets that are there, with no
// maintenance beside.
func TestOperationsAllocateNothing(t *testing.T) {
	e := small(t, "server.memory_limit=100000GB") // without flushes memory only grows
	w := newTestWorld(t, e)
	runPhase(t, w, 0)
	w.managers = nil
	for _, phase := range []int{1, 2, 0} {
		operations := runPhase(t, w, phase) // grows what grows
		one := testing.AllocsPerRun(1, func() { runPhase(t, w, phase) })
		for i := range e.Phases[phase].Clients {
			x := &e.Phases[phase].Clients[i].Workload
			x.Operations, x.Records = 10*x.Operations, 10*x.Records
		}
		ten := testing.AllocsPerRun(1, func() { runPhase(t, w, phase) })
		if more := (ten - one) / float64(9*operations); more > .01 { // slices grow a few times more
			t.Errorf("phase %d: %v allocations for %d operations and %v for ten times as many, %.4f for each more", phase, one, operations, ten, more)
		}
	}
}
