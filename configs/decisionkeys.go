package configs

import (
	"regexp"
	"slices"
	"strings"
)

const (
	opKindWords = "CompactRowSetsOp|DeletedRowSetGCOp|FlushDeltaMemStoresOp|FlushMRSOp|LogGCOp|MajorDeltaCompactionOp|MinorDeltaCompactionOp|UndoDeltaBlockGCOp"
)

// OpKinds lists the kinds of maintenance ops by Kudu's names.
func OpKinds() []string { return strings.Split(opKindWords, "|") }

// decisionKeys are the keys of a decision beside those of rules, maintenance and workload_stats, which are an experiment's.
var decisionKeys = []Key{
	{Path: "profile", Want: profileWords, Help: "The Kudu whose rules apply, see [profiles](config.md#profiles)."},
	{Path: "rules", Help: "Rules that are to be those of another version than the profile's."},
	{Path: "policy", Help: "A built-in policy. Default: `priority-weighted`, Kudu's own formula."},
	{Path: "plugin", Help: "Path of a policy binary instead, relative to the file."},
	{Path: "params", Help: "The policy's parameters."},
	{Path: "seed", Help: "Root of the random numbers that the rules draw."},
	{Path: "draw", Want: "0.000000001..1", Help: "Takes the place of every random number the rules draw."},
	{Path: "memory", Help: "The server's memory."},
	{Path: "memory.used_percent", Want: "0..1000", Help: "Memory used, % of the hard limit."},
	{Path: "memory.pressure_percent", Want: "0..100", Flag: "memory_pressure_percentage", Help: "% from which flushes that free memory come first."},
	{Path: "memory.soft_percent", Want: "0..100", Flag: "memory_limit_soft_percentage", Help: "% from which no other op is let through; not below `pressure_percent`."},
	{Path: "memory.limit", Flag: "memory_limit_hard_bytes", Help: "Hard limit. With it, an op that ends takes its `ram` off the memory used; without, the memory used stays."},
	{Path: "ops", Must: true, Help: "The ops, in any order."},
	{Path: "ops[].name", Help: "Kudu's name, such as FlushMRSOp(tablet-1); or give kind and tablet."},
	{Path: "ops[].kind", Want: opKindWords, Help: "Kind of the op."},
	{Path: "ops[].tablet", Help: "Id of its tablet."},
	{Path: "ops[].table", Help: "Name of its table, for policies that tell tables apart."},
	{Path: "ops[].runnable", Help: "Whether Kudu can run it at all."},
	{Path: "ops[].perf", Want: "0..1000000000000", Help: "Kudu's perf_improvement."},
	{Path: "ops[].age", Help: "Of a flush, instead of perf: its age. Perf is then Kudu's flush score for `ram` at this age."},
	{Path: "ops[].ram", Help: "Bytes of memory it anchors."},
	{Path: "ops[].logs", Help: "Bytes of WAL it retains; of a LogGCOp, those it frees."},
	{Path: "ops[].data", Help: "Bytes on disk that a data GC frees."},
	{Path: "ops[].priority", Want: "-1000000..1000000", Flag: "kudu.table.maintenance_priority", Help: "Priority of its table."},
	{Path: "ops[].workload", Want: "0..1000000000000", Help: "Kudu's workload score as it stands; at most one of workload, rates and counters."},
	{Path: "ops[].rates", Help: "Rates of its tablet, from which the policy makes a workload score."},
	{Path: "ops[].rates.scans_per_sec", Help: "Scans started a second."},
	{Path: "ops[].rates.rows_per_sec", Help: "Rows written a second."},
	{Path: "ops[].counters", Help: "Counters of its tablet at every look Kudu took at it, the last one at the decision; Kudu's windows make rates of them."},
	{Path: "ops[].counters[].at", Must: true, Help: "Time since the tablet was opened."},
	{Path: "ops[].counters[].scans", Help: "Scans started until then."},
	{Path: "ops[].counters[].rows", Help: "Rows written until then."},
	{Path: "ops[].height_removed", Want: "0..1000000000000", Help: "Average rowset height it would remove."},
	{Path: "ops[].bytes", Help: "Bytes it reads and writes."},
	{Path: "ops[].seconds", Want: "0..86400", Help: "How long it takes."},
	{Path: "ops[].waiting", Want: "0s..365d", Help: "How long it could have won already."},
	{Path: "ops[].runs", Want: "1..1000000", Help: "How often it can run as it stands."},
	{Path: "ops[].after", Help: "Its stats once it has run that often, in the same keys: what is left out is 0, but priority, workload, rates, counters and seconds stay. Without it, the op cannot run again."},
}

var decisionKeysByPath = byPath(slices.Concat(decisionKeys, sharedKeys(), ruleKeys()))

// sharedKeys are the keys that a decision has of an experiment, but for rules.
func sharedKeys() []Key {
	var shared []Key
	for _, k := range keys {
		if section, _, _ := strings.Cut(k.Path, "."); section == "maintenance" || section == "workload_stats" {
			shared = append(shared, k)
		}
	}
	return shared
}

var nested = regexp.MustCompile(`(\.after)+\.`)

// decisionKey gives what is known of a key of a decision; what an op is later has the keys of the op.
func decisionKey(path string) Key { return decisionKeysByPath[nested.ReplaceAllString(path, ".")] }
