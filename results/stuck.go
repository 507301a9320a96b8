package results

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

// Place is the reason's in the order in which people ask for reasons; -1 = it is not known.
func (w Why) Place() int {
	for i := range whys {
		if whys[i].why == w {
			return i
		}
	}
	return -1
}

// State is the state of an op for that reason: ineligible, blocked or settled.
func (w Why) State() string {
	if i := w.Place(); i >= 0 {
		return whys[i].state
	}
	return ""
}

// Meaning says what the reason means.
func (w Why) Meaning() string {
	if i := w.Place(); i >= 0 {
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
