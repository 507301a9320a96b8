package results

// Verdict says whether a table's maintenance ops starved.
type Verdict string

// Verdicts on a table or on one kind of its ops.
const (
	Starved    Verdict = "starved"     // at least one wait was too long while others were served
	NotStarved Verdict = "not starved" // it had waits, none of them such
	Untold     Verdict = "can't tell"  // it had waits, but the run was too short for one that is too long
	Idle       Verdict = "idle"        // nothing of it ever waited
)

// TableVerdict is what became of the waits of one table. It is judged by the kinds of ops that clients feel, see Felt.
type TableVerdict struct {
	Table   string      `json:"table"`
	Verdict Verdict     `json:"verdict"`
	After   int64       `json:"after_ns"`  // a wait above this is too long
	Lasted  int64       `json:"lasted_ns"` // the run
	Waits   WaitSummary `json:"waits"`     // of the kinds that clients feel
	Kinds   []KindWaits `json:"kinds"`     // by name, whether clients feel them or not; those that had waits
}

// KindWaits sums up the waits of one kind of op of the table.
type KindWaits struct {
	Kind    string      `json:"kind"`
	Felt    bool        `json:"felt"` // by clients
	Verdict Verdict     `json:"verdict"`
	Waits   WaitSummary `json:"waits"`
}

// WaitSummary sums up waits. Times are in ns. Every wait counts with its age, whatever its outcome.
type WaitSummary struct {
	Count    int          `json:"count"`
	Lapsed   int          `json:"lapsed"` // of these, waits whose reason went away
	Open     int          `json:"open"`   // of these, still waiting at the end
	P50      *int64       `json:"p50_ns"` // null where there are too few waits to tell
	P99      *int64       `json:"p99_ns"`
	Max      int64        `json:"max_ns"`
	Exceeded int          `json:"exceeded"`          // waits that were too long while others were served on the same server
	Longest  *LongestWait `json:"longest,omitempty"` // the longest of those that exceeded; if none did, the longest of all
}

// LongestWait is a wait and what its server did meanwhile.
type LongestWait struct {
	Op          string  `json:"op"`
	Server      int     `json:"server"`
	Since       int64   `json:"since_ns"`
	Age         int64   `json:"age_ns"`
	Outcome     Outcome `json:"outcome"`
	Others      int     `json:"others_served"`       // ops chosen on the server during the wait
	OtherTables int     `json:"other_tables_served"` // of these, ops of other tables
}
