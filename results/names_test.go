package results

import (
	"testing"

	"pgregory.net/rapid"
)

func TestReason(t *testing.T) {
	op := Op{Score: 14.11756, RAM: 209715200, WAL: 943718400, Data: 77, MemoryPercent: 60.125}
	for rule, want := range map[Rule]string{
		RuleLogGC:        "free 943718400 bytes of WAL",
		RuleMemory:       "under memory pressure (60.12% used), 943718400 bytes log retention, and flush 209715200 bytes memory",
		RuleLogRetention: "943718400 bytes log retention, and flush 209715200 bytes memory",
		RuleDataGC:       "77 bytes on disk",
		RulePerf:         "perf score=14.117560",
	} {
		op.Rule = rule
		if got := op.Reason(); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

func TestOpName(t *testing.T) {
	name := OpName("FlushMRSOp", "table-A", 3)
	if name != "FlushMRSOp(table-A/3)" {
		t.Error(name)
	}
	kind, table, tablet, err := SplitOpName(name)
	if kind != "FlushMRSOp" || table != "table-A" || tablet != 3 || err != nil {
		t.Error(kind, table, tablet, err)
	}
	for _, bad := range []string{"", "FlushMRSOp", "FlushMRSOp(table-A)", "FlushMRSOp(table-A/3", "FlushMRSOp(table-A/x)"} {
		if _, _, _, err := SplitOpName(bad); err == nil {
			t.Errorf("%q is taken for an op's name", bad)
		}
	}
}

func TestSeconds(t *testing.T) {
	for ns, want := range map[int64]string{0: "0", 1: "0.000000001", 250e6: "0.25", 1e9: "1", 123_456_789_012: "123.456789012", -1_500e6: "-1.5", -5e8: "-0.5"} {
		if got := string(AppendSeconds(nil, ns)); got != want {
			t.Errorf("%d: %s, want %s", ns, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(-1<<62, 1<<62).Draw(t, "ns")
		if got, err := ParseSeconds(string(AppendSeconds(nil, ns))); got != ns || err != nil {
			t.Fatalf("%d came back as %d, %v", ns, got, err)
		}
	})
	for _, bad := range []string{"", "x", "1.0000000001", "1.2.3"} {
		if _, err := ParseSeconds(bad); err == nil {
			t.Errorf("%q is taken for seconds", bad)
		}
	}
}
