package results

import (
	"bufio"
	"cmp"
	"slices"

	"mmsim/files"
)

// Stuck is a rowset compaction that at the end of a run neither waited nor ran, though its tablet was higher than it need be: above a height of 1 by more
// than the least improvement.
type Stuck struct {
	Server, Table, Tablet int
	Leader                bool
	Height                float64 // of the replica, as Kudu's metric average_diskrowset_height has it
	Rowsets               int
	Why                   Why
	Since                 int64 // when it last waited or ran, or the replica became that high
}

// Why says why a compaction could not run.
type Why string

// Reasons of a compaction to be stuck.
const (
	WhyManager Why = "manager off"
	WhyTable   Why = "table wants none"
	WhyKind    Why = "switched off"
	WhyVeto    Why = "veto"
	WhyHeld    Why = "held"
	WhyRules   Why = "rules first"
	WhyScore   Why = "score"
	WhyMemory  Why = "memory"
	WhyBudget  Why = "budget"
	WhyNoGain  Why = "no gain"
)

// whys tells the state of an op that a reason puts it in, and what the reason means, in the order in which people ask.
var whys = []struct {
	why         Why
	state, text string
}{
	{WhyBudget, "settled", "no selection that gains enough fits into compaction_budget"},
	{WhyVeto, "ineligible", "too much of the picked rowsets' UNDO is old: it is to be dropped first"},
	{WhyMemory, "settled", "deltas do not fit into the memory that is left"},
	{WhyScore, "settled", "the policy gives a score of 0 or less"},
	{WhyRules, "settled", "rules before the scores decided at every look"},
	{WhyHeld, "blocked", "other ops hold its rowsets, or did when it was last valued"},
	{WhyManager, "ineligible", "the maintenance manager is off"},
	{WhyKind, "ineligible", "rowset compaction is switched off"},
	{WhyTable, "ineligible", "the table's disable_compaction"},
	{WhyNoGain, "settled", "no selection gains compaction_minimum_improvement"},
}

// place is the reason's in whys; -1 = it is not known.
func (w Why) place() int {
	for i := range whys {
		if whys[i].why == w {
			return i
		}
	}
	return -1
}

// State is the state of an op for that reason: ineligible, blocked or settled.
func (w Why) State() string {
	if i := w.place(); i >= 0 {
		return whys[i].state
	}
	return ""
}

func (w Why) meaning() string {
	if i := w.place(); i >= 0 {
		return whys[i].text
	}
	return ""
}

// StuckGroup sums up the stuck compactions of one table for one reason.
type StuckGroup struct {
	Table    string  `json:"table"`
	State    string  `json:"state"`
	Why      Why     `json:"why"`
	Replicas int     `json:"replicas"`
	Height   float64 `json:"max_height"` // of the highest of them,
	Op       string  `json:"op"`         // which is this
	Server   int     `json:"server"`     // on this server,
	Since    int64   `json:"since_ns"`   // and is stuck since
}

// StuckGroups groups the stuck compactions of a run: by table, then in the order in which people ask for reasons.
func StuckGroups(run *Run) []StuckGroup {
	type key struct{ table, why int }
	groups := map[key]*StuckGroup{}
	var keys []key
	for i := range run.Stuck {
		s := &run.Stuck[i]
		k := key{s.Table, s.Why.place()}
		g := groups[k]
		if g == nil {
			g = &StuckGroup{Table: run.Tables[s.Table].Name, State: s.Why.State(), Why: s.Why}
			groups[k], keys = g, append(keys, k)
		}
		if g.Replicas++; s.Height > g.Height {
			g.Height, g.Server, g.Since = s.Height, s.Server, s.Since
			g.Op = OpName("CompactRowSetsOp", g.Table, s.Tablet)
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.why, b.why)) })
	out := []StuckGroup{}
	for _, k := range keys {
		out = append(out, *groups[k])
	}
	return out
}

// stuckHeader names the columns of stuck.tsv, one compaction that was stuck at the end a line. for_s is up to the end.
const stuckHeader = "server\top\tleader\theight\trowsets\tstate\twhy\tsince_s\tfor_s"

func writeStuck(path string, run *Run) error {
	return writeFile(path, files.Stuck, func(out *bufio.Writer) error {
		out.WriteString(stuckHeader + "\n")
		var r row
		for i := range run.Stuck {
			s := &run.Stuck[i]
			r.int(s.Server)
			r.opName("CompactRowSetsOp", run.Tables[s.Table].Name, s.Tablet)
			r.role(s.Leader)
			r.float(s.Height)
			r.int(s.Rowsets)
			r.text(s.Why.State())
			r.text(string(s.Why))
			r.seconds(s.Since)
			r.seconds(run.End - s.Since)
			r.end(out)
		}
		return nil
	})
}

func readStuck(path string, run *Run, each func(Stuck)) error {
	return readTable(path, stuckHeader, run, func(f *fields) {
		var s Stuck
		s.Server = f.int()
		_, s.Table, s.Tablet = f.op()
		s.Leader = f.next() == "yes"
		s.Height, s.Rowsets = f.float(), f.int()
		f.next() // the state follows from why
		s.Why, s.Since = Why(f.text()), f.seconds()
		f.next() // for_s follows from since
		each(s)
	})
}
