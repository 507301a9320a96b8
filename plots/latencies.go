package plots

import (
	"slices"
	"strings"

	"mmsim/results"
)

// operations in the order in which figures show them; others follow.
var operations = []string{"SCAN", "READ", "INSERT", "UPDATE", "UPSERT", "DELETE", "READ-MODIFY-WRITE"}

var plurals = map[string]string{"SCAN": "scans", "READ": "reads", "INSERT": "inserts", "UPDATE": "updates", "UPSERT": "upserts", "DELETE": "deletes",
	"READ-MODIFY-WRITE": "read-modify-writes"}

// plural names many operations of a kind.
func plural(op string) string {
	if p, ok := plurals[op]; ok {
		return p
	}
	return strings.ToLower(op) + " operations"
}

// find gives the latencies of an operation on a table in a phase, or nil if there were none.
func find(r *results.Run, phase, table, op string) *results.Latency {
	for i := range r.Latencies {
		l := &r.Latencies[i]
		if l.Phase == phase && l.Table == table && l.Op == op && l.Count > 0 && l.Hist != nil && l.Hist.TotalCount() > 0 {
			return l
		}
	}
	return nil
}

// phaseOps lists the operations that any table saw in a phase.
func phaseOps(runs []*results.Run, phase string) []string {
	var ops []string
	for _, r := range runs {
		for _, l := range r.Latencies {
			if l.Phase == phase && l.Count > 0 && !slices.Contains(ops, l.Op) {
				ops = append(ops, l.Op)
			}
		}
	}
	rank := func(op string) int {
		if i := slices.Index(operations, op); i >= 0 {
			return i
		}
		return len(operations)
	}
	slices.SortFunc(ops, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return ops
}

// list joins the plurals of operations: "scans, inserts and updates".
func list(ops []string) string {
	names := make([]string, len(ops))
	for i, op := range ops {
		names[i] = plural(op)
	}
	if len(names) == 0 {
		return "operations"
	}
	last := names[len(names)-1]
	if len(names) == 1 {
		return last
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + last
}
