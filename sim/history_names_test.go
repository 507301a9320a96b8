package sim

import (
	"fmt"

	"mmsim/policies"
	"mmsim/results"
)

// historyKinds are the words for kinds of ops.
var historyKinds = map[string]policies.Kind{"compactions": policies.CompactRowSets, "flushes": policies.FlushMRS, "dms_flushes": policies.FlushDeltaMemStores,
	"log_gcs": policies.LogGC, "minors": policies.MinorDeltaCompaction, "majors": policies.MajorDeltaCompaction, "undo_gcs": policies.UndoDeltaBlockGC}

// historyRules are the words for the rules under which ops are chosen.
var historyRules = map[string]results.Rule{"for_memory": results.RuleMemory, "for_wal": results.RuleLogRetention, "for_data": results.RuleDataGC,
	"for_score": results.RulePerf}

// historyRequests are the words for what clients ask.
var historyRequests = map[string]string{"inserts": "INSERT", "scans": "SCAN"}

// scope is the part of a run that a name speaks of.
type scope struct {
	table   int // -1 = all
	phase   *results.Phase
	ops     bool
	kind    string // of ops; "" = all
	rule    results.Rule
	request string
}

// value finds what a name says: words that narrow the scope (a phase, a table, a kind of op, a rule), then what is measured.
func (p *historyRun) value(words []string) (float64, error) {
	in := scope{table: -1}
	last := len(words) - 1
	for _, word := range words[:last] {
		if !p.narrow(&in, word) {
			return 0, fmt.Errorf("%q is no phase, table, kind of op or rule", word)
		}
	}
	what := words[last]
	var v float64
	var ok bool
	switch {
	case in.request != "":
		v, ok = p.ofRequests(&in, what)
	case in.ops:
		ops, since := p.chosen(&in)
		v, ok = opFigure(ops, since, what)
	default:
		if v, ok = p.ofSeries(&in, what); !ok {
			v, ok = p.atEnd(&in, what)
		}
	}
	if !ok {
		return 0, fmt.Errorf("%q is not known of that", what)
	}
	return v, nil
}

func (p *historyRun) narrow(in *scope, word string) bool {
	if k, ok := historyKinds[word]; ok {
		in.ops, in.kind = true, k.String()
		return true
	}
	if r, ok := historyRules[word]; ok {
		in.ops, in.rule = true, r
		return true
	}
	if r, ok := historyRequests[word]; ok {
		in.request = r
		return true
	}
	for i := range p.Tables {
		if p.Tables[i].Name == word {
			in.table = i
			return true
		}
	}
	for i := range p.Phases {
		if p.Phases[i].Name == word {
			in.phase = &p.Phases[i]
			return true
		}
	}
	in.ops = in.ops || word == "ops"
	return word == "ops"
}

// during says whether a time is in the scope's phase.
func (in *scope) during(at int64) bool {
	return in.phase == nil || (at >= in.phase.Start && at <= in.phase.End)
}

// chosen lists the ops in a scope.
func (p *historyRun) chosen(in *scope) (ops []results.Op, since int64) {
	if in.phase != nil {
		since = in.phase.Start
	}
	for _, op := range p.Ops {
		if (in.kind == "" || op.Kind == in.kind) && (in.rule == "" || op.Rule == in.rule) && (in.table < 0 || op.Table == in.table) && in.during(op.Chosen) {
			ops = append(ops, op)
		}
	}
	return ops, since
}
