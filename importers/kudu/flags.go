package kudu

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"mmsim/configs"
	"mmsim/rules"
)

// flags are a server's, by name.
type flags map[string]string

// profileOf gives the profile whose rules are nearest to a version's. exact is false where it is of another version: rules came in between.
func profileOf(major, minor int) (profile string, exact bool) {
	switch {
	case major == 1 && 12 <= minor && minor <= 15:
		return "kudu-1.12", minor == 12
	case major == 1 && 16 <= minor && minor <= 18:
		return "kudu-1.18", minor == 18
	case major == 1 && minor == 19:
		return "kudu-1.19", true
	case major > 1 || minor > 19:
		return "kudu-1.19", false
	}
	return "kudu-1.12", false
}

// setting is a key of an experiment with its value, as they are written.
type setting struct{ key, value string }

// settings gives the keys of server, maintenance and workload_stats that are other than their defaults, by these names, and what could not be said.
// more are keys that other pages tell.
func (f flags) settings(profile string, more []setting) (groups map[string][]setting, notes []string) {
	standard, err := configs.Parse("import", []byte("name: x\nprofile: "+profile+"\ntables: [{name: t, tablets: 1}]\n"+
		"phases: [{name: p, clients: [{table: t, workload: {records: 1}}]}]\npolicies: [{policy: raw}]\n"))
	if err != nil {
		return nil, []string{fmt.Sprintf("flags are left out: %v", err)}
	}
	set, left, done := *standard, append(f.assignments(), more...), []setting{}
	for range 2 { // limits between two values may need both
		var refused []setting
		for _, a := range left {
			if set.Set(a.key+"="+a.value) != nil {
				refused = append(refused, a)
			} else {
				done = append(done, a)
			}
		}
		left = refused
	}
	for _, a := range left {
		notes = append(notes, fmt.Sprintf("%s cannot be %s here: the default stays", a.key, a.value))
	}
	groups = map[string][]setting{}
	was, is := values(standard), values(&set)
	for _, a := range done {
		group, key, _ := strings.Cut(a.key, ".")
		if was[group][key].Value != is[group][key].Value {
			groups[group] = append(groups[group], setting{key, a.value})
		}
	}
	return groups, notes
}

// groupsOfFlags are the parts of an experiment that flags set.
var groupsOfFlags = []string{"server", "maintenance", "workload_stats"}

// values gives these parts of an experiment.
func values(d *configs.Doc) map[string]map[string]yaml.Node {
	var tree map[string]yaml.Node
	if err := yaml.Unmarshal(d.YAML(), &tree); err != nil {
		return nil
	}
	all := map[string]map[string]yaml.Node{}
	for _, group := range groupsOfFlags {
		var keys map[string]yaml.Node
		part := tree[group]
		if err := part.Decode(&keys); err == nil {
			all[group] = keys
		}
	}
	return all
}

// assignments translates flags into keys with values in their notation.
func (f flags) assignments() (all []setting) {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		path, ok := configs.FlagKey(name)
		group, _, _ := strings.Cut(path, ".")
		if !ok || !slices.Contains(groupsOfFlags, group) {
			continue
		}
		if value, ok := valueOf(name, f[name]); ok {
			all = append(all, setting{path, value})
		}
	}
	return all
}

// unlimited is how Kudu writes the count of files that switches a rule off: -1 in 64 bits.
const unlimited = "18446744073709551615"

// valueOf gives a flag's value with the unit that its name tells.
func valueOf(name, value string) (string, bool) {
	if value == "true" || value == "false" {
		return value, true
	}
	if name == "memory_limit_hard_bytes" && (value == "0" || strings.HasPrefix(value, "-")) || value == unlimited {
		return "", false // the limit in use is on another page; no limit on files is a rule of its own
	}
	number := shortFloat(value)
	for _, u := range []struct{ ending, unit string }{{"_mb", "MiB"}, {"_bytes", "B"}, {"_rowset_size", "B"}, {"_ms", "ms"}, {"_millis", "ms"}, {"_secs", "s"}, {"_sec", "s"}} {
		if strings.HasSuffix(name, u.ending) {
			return number + u.unit, number != ""
		}
	}
	return number, number != ""
}

// shortFloat writes a number in the digits that it needs. Kudu writes defaults of single precision with 17 digits.
func shortFloat(text string) string {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return text
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return ""
	}
	if float64(float32(v)) == v {
		return strconv.FormatFloat(v, 'f', -1, 32)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// switches are the flags that switch kinds of ops.
var switches = []struct{ flag, kind string }{
	{"enable_rowset_compaction", "CompactRowSetsOp"},
	{"enable_deleted_rowset_gc", "DeletedRowSetGCOp"},
	{"enable_flush_deltamemstores", "FlushDeltaMemStoresOp"},
	{"enable_flush_memrowset", "FlushMRSOp"},
	{"enable_log_gc", "LogGCOp"},
	{"enable_major_delta_compaction", "MajorDeltaCompactionOp"},
	{"enable_minor_delta_compaction", "MinorDeltaCompactionOp"},
	{"enable_undo_delta_block_gc", "UndoDeltaBlockGCOp"},
}

// off lists the kinds of ops that flags switch off.
func (f flags) off() (kinds []string) {
	for _, s := range switches {
		if f[s.flag] == "false" {
			kinds = append(kinds, s.kind)
		}
	}
	return kinds
}

// rules lists the rules that flags set otherwise than the profile does.
func (f flags) rules(profile string) (all []setting) {
	_, standard, _ := rules.Of(profile)
	set := func(flag, rule string, on bool) {
		if _, known := f[flag]; !known {
			return
		}
		for i := range rules.Differences {
			if rules.Differences[i].Name == rule && standard.On(i) != on {
				all = append(all, setting{rule, map[bool]string{true: "on", false: "off"}[on]})
			}
		}
	}
	set("rowset_compaction_memory_estimate_enabled", "memory_budget", f["rowset_compaction_memory_estimate_enabled"] == "true")
	set("rowset_compaction_ancient_delta_threshold_enabled", "ancient_undo_veto", f["rowset_compaction_ancient_delta_threshold_enabled"] == "true")
	set("rowset_deltas_size_include_undo", "weigh_undo", f["rowset_deltas_size_include_undo"] == "true")
	const deletes = "all_delete_op_delta_file_cnt_for_compaction"
	set(deletes, "major_for_deletes", f[deletes] != unlimited)
	return all
}

// policy gives the parameters of priority-weighted, which is Kudu's formula, that are other than its defaults.
func (f flags) policy() (params []setting) {
	rows := f["rows_written_per_sec_for_hot_tablets"]
	if rows == "" {
		rows = f["rows_writed_per_sec_for_hot_tablets"] // as 1.18 spells it
	}
	bound := "0"
	if f["enable_workload_score_for_perf_improvement_ops"] == "true" {
		bound = f["workload_score_upper_bound"]
	}
	for _, p := range []struct{ name, value, standard string }{
		{"bound", bound, "0"},
		{"hot_scans_per_sec", f["scans_started_per_sec_for_hot_tablets"], "1"},
		{"hot_rows_per_sec", rows, "1000"},
		{"multiplier", f["maintenance_op_multiplier"], "1.1"},
		{"range", f["max_priority_range"], "5"},
	} {
		if value := shortFloat(p.value); value != "" && value != p.standard {
			params = append(params, setting{p.name, value})
		}
	}
	return params
}
