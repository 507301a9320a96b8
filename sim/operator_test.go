package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"mmsim/policies"
	"mmsim/results"
)

// stopped varies what stops clients, and when.
var stopped = [][]string{
	{"phases[0].duration=260ms", "phases[2].duration=1s"},
	{"phases[0].duration=1s", "phases[0].clients[0].workload.records=0", "phases[0].clients[1].workload.records=0"},
	{"phases[1].duration=900ms", "phases[1].clients[0].workload.operations=0", "phases[2].duration=300ms", "phases[2].clients[0].workload.operations=0"},
	{"phases[1].clients=[]", "phases[1].duration=5s", "phases[2].clients[0].workload.request_distribution=latest"},
	{"phases[1].events=[{after: 200ms, switch_off: [CompactRowSetsOp, FlushDeltaMemStoresOp]}, {after: 900ms, switch_on: [CompactRowSetsOp]}, {after: 300ms, manager: off}, {after: 350ms, manager: on}]"},
	{"phases[1].events=[{after: 333ms, drop: cold}]", "maintenance.threads=3"},
	{"phases[2].events=[{after: 50ms, drop: cold}, {after: 111ms, drop: hot}]", "phases[2].duration=1s"},
	{"phases[0].clients[1].workload.insert_order=ordered", "phases[2].clients[0].workload.insert_order=ordered", "phases[0].duration=250ms", "phases[2].duration=300ms"},
	{"tables[1].keys=uniform", "initial=[{table: hot, memrowset_rows: 700, rowsets: [{rows: 300, span: [0.1, 1]}, {size: 50kB, span: [0, 0.2], redo_files: 2, redo_rows: 9}]}, {table: cold, tablet: 1, rowsets: [{rows: 100, keys: [user1, user5]}]}]", "phases[0].duration=250ms"},
}

func TestEnginesAgreeOnWhatIsStopped(t *testing.T) {
	for _, sets := range stopped {
		for _, session := range []string{"phases[2].clients[0].session.buffer_ops=2000", "phases[2].clients[0].session.buffer_ops=3"} {
			sets := append(sets[:len(sets):len(sets)], session)
			t.Run(strings.Join(sets, " "), func(t *testing.T) {
				t.Parallel()
				enginesAgree(t, testdata(t, "busy", sets...))
			})
		}
	}
}

// A phase with a duration lasts as long, with clients that are stopped, that ended before, or without any; what clients began and did not end is counted nowhere.
func TestDuration(t *testing.T) {
	const ms = int64(1e6)
	for _, c := range []struct {
		sets       []string
		phase      int
		length     int64
		operations int64 // of the phase; -1 = more than a thousand
	}{
		{[]string{"phases[2].duration=90ms"}, 2, 90 * ms, -1},
		{[]string{"phases[2].duration=60s"}, 2, 60_000 * ms, 12000},
		{[]string{"phases[1].clients=[]", "phases[1].duration=700ms"}, 1, 700 * ms, 0},
		{[]string{"phases[1].duration=400ms", "phases[1].clients[0].workload.operations=0", "phases[1].clients[1].workload.operations=0"}, 1, 400 * ms, -1},
	} {
		run := mustRun(t, testdata(t, "busy", c.sets...), line(t, policies.Raw(), nil), Options{})
		p := run.Phases[c.phase]
		n := int64(0)
		for _, l := range run.Latencies {
			if l.Phase == p.Name {
				n += l.Count
				if longest := l.Hist.Max() * 1000; longest > c.length {
					t.Errorf("%q: an operation took %d ns", c.sets, longest)
				}
			}
		}
		if p.End-p.Start != c.length || (n != c.operations && (c.operations >= 0 || n <= 1000)) {
			t.Errorf("%q: phase from %d to %d with %d operations; want %d ns with %d", c.sets, p.Start, p.End, n, c.length, c.operations)
		}
	}
}

// Throttled clients that go on until they are stopped do what their target asks for.
func TestTargetForADuration(t *testing.T) {
	e := testdata(t, "busy", "phases[0].duration=2s", "phases[0].clients=[{table: cold, target: 1k ops/s, threads: 4, workload: {insert: 1}}, {table: hot, workload: {records: 100}}]", "machine.client.append_hot=1us")
	run := mustRun(t, e, line(t, policies.Raw(), nil), Options{})
	if l := run.Latencies[0]; l.Op != "INSERT" || l.Count < 1990 || l.Count > 2004 {
		t.Errorf("%d times %s at 1000/s in 2 s", l.Count, l.Op)
	}
}

// texts lists a phase's events.
func texts(p results.Phase) (all []string) {
	for _, e := range p.Events {
		all = append(all, fmt.Sprintf("%.0f %s", float64(e.At-p.Start)/1e6, e.Text))
	}
	return all
}

// While a kind is off, or the manager, no op of it is chosen.
func TestEventsSwitchOps(t *testing.T) {
	run := mustRun(t, testdata(t, "busy", "phases[1].events=[{after: 300ms, manager: off}, {after: 200ms, switch_off: [FlushDeltaMemStoresOp, CompactRowSetsOp]}, {after: 600ms, manager: on}, {after: 1s, switch_on: [FlushDeltaMemStoresOp]}]"),
		line(t, policies.Raw(), nil), Options{})
	p := run.Phases[1]
	want := "200 FlushDeltaMemStoresOp, CompactRowSetsOp switched off; 300 maintenance manager off; 600 maintenance manager on; 1000 FlushDeltaMemStoresOp switched on"
	if got := strings.Join(texts(p), "; "); got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	counts := map[string]int{}
	for _, op := range run.Ops {
		switch at := (op.Chosen - p.Start) / 1e6; {
		case at >= 300 && at < 600:
			t.Errorf("%s was chosen at %d ms, when the manager was off", op.Kind, at)
		case at < 0 || op.Chosen > p.End:
		case at < 200:
			counts["before "+op.Kind]++
		case at < 1000:
			counts["between "+op.Kind]++
		default:
			counts["after "+op.Kind]++
		}
	}
	for what, some := range map[string]bool{"between FlushDeltaMemStoresOp": false, "after FlushDeltaMemStoresOp": true,
		"before CompactRowSetsOp": true, "between CompactRowSetsOp": false, "after CompactRowSetsOp": false, "between UndoDeltaBlockGCOp": true} {
		if (counts[what] > 0) != some {
			t.Errorf("%d times %s, want some: %v", counts[what], what, some)
		}
	}
}

// A dropped table is gone with its memory, rowsets and ops; other tables go on.
func TestDrop(t *testing.T) {
	e := testdata(t, "busy", "phases[2].events=[{after: 40ms, drop: cold}, {after: 100ms, drop: hot}]", "phases[2].duration=2s")
	w := played(t, e, line(t, policies.Raw(), nil))
	for _, s := range w.cluster.Servers {
		if used := s.Memory.Used(); used != s.Memory.Base+s.Memory.BlockCache || len(s.Replicas) > 0 {
			t.Errorf("server %d uses %d bytes for %d replicas when all tables are dropped", s.ID, used, len(s.Replicas))
		}
	}
	for i := range w.cluster.Tablets {
		for _, p := range w.cluster.Tablets[i].Replicas {
			if r := p.Replica; len(r.Rowsets) > 0 || r.Height() != 0 || r.Memory() != 0 {
				t.Errorf("tablet %d has %d rowsets, height %v and %d bytes of memory when it is dropped", i, len(r.Rowsets), r.Height(), r.Memory())
			}
		}
	}
	start := w.log.phases[2].Start
	for _, op := range w.log.ops.take() {
		if dropped := []int64{40e6, 100e6}[op.Table]; op.Chosen > start+dropped {
			t.Errorf("%s of table %d was chosen %d ns after the phase began", op.Kind, op.Table, op.Chosen-start)
		}
	}
	if got := texts(w.log.phases[2]); len(got) < 2 || got[0] != "40 table cold dropped" {
		t.Errorf("events %q", got)
	}
}

// What is left to do when all clients have ended is done then.
func TestLateEvent(t *testing.T) {
	run := mustRun(t, testdata(t, "busy", "phases[2].events=[{after: 1h, drop: cold}]"), line(t, policies.Raw(), nil), Options{})
	if e := run.Phases[2].Events; len(e) == 0 || e[0].At != run.Phases[2].End {
		t.Errorf("events %v, want one at the phase's end, %d", e, run.Phases[2].End)
	}
}

// A stopped run stops in a phase without clients too.
func TestCancelWithoutClients(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, testdata(t, "busy", "phases[1].clients=[]", "phases[1].duration=1000h"), line(t, policies.Raw(), nil), Options{}); err == nil {
		t.Error("a cancelled run ends without an error")
	}
}
