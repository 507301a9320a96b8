package sim

import (
	"testing"

	"mmsim/policies"
	"mmsim/results"
)

// Totals are those of the ops, and what the series says of tables is what it says of servers.
func TestTotalsAddUp(t *testing.T) {
	e := testdata(t, "busy", "maintenance.threads=3", "machine.op.decide_op=1us")
	run := mustRun(t, e, line(t, policies.WorkloadScaled(), nil), Options{})
	want := map[string]results.KindTotals{}
	var busy, written int64
	for _, op := range run.Ops {
		k := want[op.Kind]
		k.Kind = op.Kind
		k.Count++
		end := op.End
		if end < 0 {
			k.Running++
			end = run.End
		}
		k.Ns += end - op.Chosen
		k.BytesRead += op.BytesRead
		k.BytesWritten += op.BytesWritten
		want[op.Kind] = k
		busy += end - op.Chosen
		written += op.BytesWritten
	}
	n := &run.Totals
	for _, k := range n.Kinds {
		k.Idle = 0
		if k != want[k.Kind] {
			t.Errorf("%+v, the ops say %+v", k, want[k.Kind])
		}
	}
	idle := 1 - float64(busy)/float64(3*int64(run.Servers)*run.End)
	if len(n.Kinds) != len(want) || n.IdleThreads != idle || n.WriteAmplification != float64(n.WALBytes+written)/float64(n.ClientBytes) {
		t.Errorf("%d kinds, %v idle, amplification %v; want %d, %v, %v", len(n.Kinds), n.IdleThreads, n.WriteAmplification, len(want), idle, float64(n.WALBytes+written)/float64(n.ClientBytes))
	}
	if most := n.Decisions * int64(policies.NumKinds) * 64 * 1000; n.DecideNs <= 0 || n.DecideNs > most {
		t.Errorf("%d looks took %d ns", n.Decisions, n.DecideNs)
	}
	record := &e.Tables[0].Record
	row, key := int64(record.KeyLength)+int64(record.Fields)*int64(record.FieldLength), int64(record.KeyLength)+int64(record.FieldLength)
	if n.ClientBytes != n.Inserts*row+n.Updates*key {
		t.Errorf("clients wrote %d bytes, want %d", n.ClientBytes, n.Inserts*row+n.Updates*key)
	}
	seriesAddUp(t, run, int64(e.Server.BaseMemory)+int64(e.Server.BlockCache))
}

func seriesAddUp(t *testing.T, run *results.Run, fixed int64) {
	t.Helper()
	type sum struct{ memory, wal int64 }
	tables, servers := map[int64]sum{}, map[int64]sum{}
	var most int64
	for _, s := range run.Samples {
		v := tables[s.At]
		tables[s.At] = sum{v.memory + s.Memory, v.wal + s.WAL}
	}
	for _, s := range run.ServerSamples {
		v := servers[s.At]
		servers[s.At] = sum{v.memory + s.Memory - fixed, v.wal + s.WAL}
		most = max(most, s.WAL)
	}
	for at, v := range tables {
		if v != servers[at] {
			t.Errorf("at %d ns tables hold %+v, servers %+v", at, v, servers[at])
		}
	}
	if len(tables) != len(servers) || len(tables) < 10 || most != run.Totals.MaxWALHeld {
		t.Errorf("%d samples of tables, %d of servers, most WAL %d", len(tables), len(servers), most)
	}
}
