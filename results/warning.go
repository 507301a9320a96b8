package results

// Warning is something about a run that its reader should know before its numbers.
type Warning struct {
	What   string  `json:"what"` // WarnIdle and so on
	Server int     `json:"server"`
	Op     string  `json:"op,omitempty"` // an op that it is about: FlushMRSOp(table-A/3)
	Perf   float64 `json:"perf"`         // its perf_improvement
	Score  float64 `json:"score"`        // what the policy gave it
	At     int64   `json:"at_ns"`        // when it was first worth a warning
	Count  int64   `json:"count"`        // of ops, over the whole run
	Text   string  `json:"text"`         // all of it in one sentence
}

// What warnings are about.
const (
	WarnIdle    = "idle-ops"       // the policy chose many ops in a row that found nothing to do
	WarnGreed   = "memory-ignored" // beyond the soft limit the policy chose many ops in a row that free no memory
	WarnUnmoved = "never-scored"   // the policy gave no op a score above 0, though some were worth it
)
