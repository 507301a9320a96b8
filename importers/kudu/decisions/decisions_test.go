package decisions

import (
	"strings"
	"testing"
)

const op = `{"op":"FlushMRSOp","id":"a","runnable":true,"perf":0}`

func TestDecisionProblems(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{``, "x: no decisions: a file has one JSON object a line"},
		{`{"ops":[` + op + `]}` + "\n{", "x:2: not a JSON object of a decision: it ends early: is it cut off?"},
		{`[]`, "x:1: not a JSON object of a decision: a list stands where an object is wanted"},
		{`{"ops":[]}`, "x:1: ops is missing or empty: want a list with at least one op"},
		{`{"ops":[{"op":"FlushOp","id":"a","runnable":true,"perf":0}]}`, `x:1: ops[0].op: "FlushOp" is not one of CompactRowSetsOp, `},
		{`{"ops":[{"op":"FlushMRSOp","runnable":true,"perf":0}]}`, "x:1: ops[0].id is missing or empty: want the id of a tablet"},
		{`{"ops":[` + op + `,` + op + `]}`, `x:1: ops[1]: "FlushMRSOp(a)" is not a new op: ops[0] has this name`},
		{`{"ops":[{"op":"FlushMRSOp","id":"a","perf":NaN}]}`, `x:1: not a JSON object of a decision: "NaN}]}" cannot stand there`},
		{`{"ops":[{"op":"FlushMRSOp","id":"a","runnable":true,"perf":0,"ram":-1}]}`, `x:1: ops[0].ram: "-1" is not a number from 0 to 1e18`},
		{`{"ops":[{"op":"FlushMRSOp","id":"a","perf":"1"}]}`, `x:1: ops.perf: "a text" is not a number`},
		{`{"ops":[{"op":"FlushMRSOp","id":"a","runable":true,"perf":1}]}`, `x:1: ops[0].runnable is missing or empty: want true or false`},
		{`{"ops":[` + op + `,{"op":"LogGCOp","id":"a","runnable":true}]}`, `x:1: ops[1].perf is missing or empty: want a number from 0 to 1e18`},
		{`{"ops":[{"op":"FlushMRSOp","id":"a","runnable":null,"perf":1}]}`, `x:1: ops[0].runnable is missing or empty: want true or false`},
		{`{"ops":[{"op":"FlushMRSOp","id":"a","runnable":true,"perf":0,"priority":2000000}]}`, `x:1: ops[0].priority: "2000000" is not a whole number from -1000000 to 1000000`},
		{`{"memory_used_percent":-3,"ops":[` + op + `]}`, `x:1: memory_used_percent: "-3" is not a number from 0 to 1000`},
		{`{"log_target_mb":-3,"ops":[` + op + `]}`, `x:1: log_target_mb: "-3" is not a number of MB`},
		{"{\"ops\":[\x00]}", "x:1: the line is not text in UTF-8"},
	} {
		_, err := Read("x", strings.NewReader(c.line))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q gives %v, want %s", c.line, err, c.want)
		}
	}
}

// The flag is a whole number of MB at or below what any op run for log retention held: 49 MB of 51,715,768 bytes (49.3 MB). A gigabyte,
// Kudu's default, needs no guess, and a decision under pressure or without a run says nothing of others.
func TestInferLogTargets(t *testing.T) {
	decisions := []Decision{
		{Run: "wal", Reason: "52111707 bytes log retention, and flush 70752522 bytes memory"},
		{Run: "wal", Reason: "51715768 bytes log retention, and flush 7 bytes memory"},
		{Run: "wal", Reason: "perf score=1.000000"},
		{Run: "default", Reason: "1100000000 bytes log retention, and flush 7 bytes memory"},
		{Run: "pressure", Reason: "under memory pressure (60.87% used), 69587858 bytes log retention, and flush 90519818 bytes memory"},
		{Line: 6, Reason: "1048576 bytes log retention, and flush 0 bytes memory"},
		{Line: 7, Reason: "perf score=1.000000"},
	}
	got := InferLogTargets(decisions)
	if len(got) != 2 || got["wal"] != 49<<20 || got["line 6"] != 1<<20 {
		t.Errorf("inferred %v, want 49 MB for wal and 1 MB for line 6", got)
	}
}

func TestSituation(t *testing.T) {
	lines := `{"chosen":{"op":"FlushMRSOp","id":"a"},"reason":"5 bytes on disk","memory_used_percent":61.5,"log_target_mb":48,` +
		`"ops":[{"op":"FlushMRSOp","id":"a","tablet":"t/1","runnable":true,"ram":1,"logs":2,"data":3,"perf":4.5,"workload":5,"priority":6}]}` + "\n\n" +
		`{"ops":[{"op":"LogGCOp","tablet":"t/2","runnable":false,"perf":0}]}`
	all, err := Read("x", strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	s, o := all[0].Situation(), all[0].Situation().Ops[0]
	if s.Memory.UsedPercent != 61.5 || s.Maintenance.LogTargetReplaySize != 48<<20 || s.Maintenance.DataGCProbability != 1 {
		t.Errorf("state %+v %+v", s.Memory, s.Maintenance)
	}
	if o.Name != "FlushMRSOp(a)" || !o.Runnable || o.RAM != 1 || o.Logs != 2 || o.Data != 3 || o.Perf != 4.5 || *o.Workload != 5 || o.Priority != 6 {
		t.Errorf("op %+v", o)
	}
	if all[0].Ops[0].Label() != "FlushMRSOp(t/1)" || all[1].Ops[0].Name() != "LogGCOp(t/2)" || all[1].Line != 3 {
		t.Errorf("names %s and %s in line %d", all[0].Ops[0].Label(), all[1].Ops[0].Name(), all[1].Line)
	}
	if s := all[1].Situation(); s.Memory.UsedPercent != 0 || s.Maintenance.LogTargetReplaySize != 1<<30 || s.Maintenance.DataGCProbability != 0 {
		t.Errorf("state by default %+v %+v", s.Memory, s.Maintenance)
	}
}

// FuzzDecisions: lines are refused by their number, or hold ops that can be decided about.
func FuzzDecisions(f *testing.F) {
	f.Add(`{"ops":[` + op + `]}`)
	f.Add(`{"run":"r","chosen":{"op":"FlushMRSOp","id":"a"},"reason":"52111707 bytes log retention, and flush 5 bytes memory","memory_used_percent":61.5,"log_target_mb":48,` +
		`"ops":[{"op":"FlushMRSOp","id":"a","tablet":"t/1","runnable":true,"ram":1,"logs":2,"data":3,"perf":4.5,"workload":5,"priority":6}]}` + "\n\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Read("x.jsonl", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.jsonl:") || strings.Contains(err.Error(), "Go value") {
				t.Fatal(err)
			}
			return
		}
		InferLogTargets(all)
		for i := range all {
			if s := all[i].Situation(); len(s.Ops) == 0 || s.Maintenance.LogTargetReplaySize < 0 {
				t.Fatalf("%+v", s)
			}
		}
	})
}
