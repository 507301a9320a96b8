// Package rules lists the points in which Kudu's versions differ in what they schedule. It is the only place for them: a
// profile is a version, and each difference can be switched alone.
package rules

import "reflect"

// Set is what a server does at each point of difference. Differences explains the fields; they carry the same names.
type Set struct {
	FlushByTime          bool `yaml:"flush_by_time"`
	SkipEmptyMemRowset   bool `yaml:"skip_empty_memrowset"`
	FlushByExcess        bool `yaml:"flush_by_excess"`
	FlushAtThreshold     bool `yaml:"flush_at_threshold"`
	DMSTiesBySize        bool `yaml:"dms_ties_by_size"`
	DMSWeighsMemory      bool `yaml:"dms_weighs_memory"`
	DMSAgeOfOldest       bool `yaml:"dms_age_of_oldest"`
	LogRetentionBySize   bool `yaml:"log_retention_by_size"`
	EarlyPressure        bool `yaml:"early_pressure"`
	PressureFallsThrough bool `yaml:"pressure_falls_through"`
	PressureByWAL        bool `yaml:"pressure_by_wal"`
	PressureSkip         bool `yaml:"pressure_skip"`
	DataGC               bool `yaml:"data_gc"`

	CachedStats       bool `yaml:"cached_stats"`
	ApproximateSearch bool `yaml:"approximate_search"`
	SmallRowsetValue  bool `yaml:"small_rowset_value"`
	SmallByFullSize   bool `yaml:"small_by_full_size"`
	SmallValueFloor   bool `yaml:"small_value_floor"`
	WeighUndo         bool `yaml:"weigh_undo"`
	MemoryBudget      bool `yaml:"memory_budget"`
	UndoGCDropsStats  bool `yaml:"undo_gc_drops_stats"`
	AncientUndoVeto   bool `yaml:"ancient_undo_veto"`
	VetoKnownUndoOnly bool `yaml:"veto_known_undo_only"`
	MajorForDeletes   bool `yaml:"major_for_deletes"`
	DisableCompaction bool `yaml:"disable_compaction"`

	ImmediateLoop            bool `yaml:"immediate_loop"`
	FailedPrepareFreesThread bool `yaml:"failed_prepare_frees_thread"`
	CancelBeforeWait         bool `yaml:"cancel_before_wait"`
	RecheckCancelled         bool `yaml:"recheck_cancelled"`
	CompleteWithoutLock      bool `yaml:"complete_without_lock"`
	RegisterWithoutLock      bool `yaml:"register_without_lock"`
	EnableAtRuntime          bool `yaml:"enable_at_runtime"`
}

// Difference is one rule that came with some change of Kudu.
type Difference struct {
	Name  string // in YAML
	Since int    // position in Profiles of the first profile that has it; len(Profiles) = none has
	Issue string // of Kudu's tracker, or the commit
	Help  string // what a server does with the rule; then, after "before:", what it does without
}

// Profile is a version of Kudu.
type Profile struct {
	Name             string
	CompactionBudget int64 // tablet_compaction_budget_mb, bytes
	Help             string
}

// Profiles are the versions, oldest first. kudu-1.12 stands for the time right before and at the change that added workload scores, kudu-1.18 for 1.18.1,
// kudu-1.19 for what came after.
var Profiles = []Profile{
	{"kudu-1.12", 128 << 20, "before and at the change that added workload scores"},
	{"kudu-1.18", 128 << 20, "what 1.18.1 does"},
	{"kudu-1.19", 256 << 20, "what came after"},
}

const (
	since112 = iota
	since118
	since119
	never
)

// Differences are all the rules, in the order of the fields of Set. Those since kudu-1.12 are older than every profile: switching them off brings back
// what made Kudu's developers add them.
var Differences = []Difference{
	{"flush_by_time", since112, "KUDU-1156", "a store's age earns it a score up to 1 within flush_upper_bound; before: at most 0.05"},
	{"skip_empty_memrowset", since112, "KUDU-1236", "an empty MemRowSet is not flushed; before: it could be, under memory pressure"},
	{"flush_by_excess", since112, "KUDU-2017", "a store above its threshold scores by its excess; before: all of them scored the same huge number"},
	{"flush_at_threshold", since118, "KUDU-3180", "a store as large as its threshold scores 1 or more, and a smaller one by the larger of age and size; before: only above it, by the excess alone, and below it by age"},
	{"dms_ties_by_size", since112, "b7f05eb1c", "of DeltaMemStores that retain as much WAL the larger is flushed first; before: the first one"},
	{"dms_weighs_memory", since112, "KUDU-2238", "under memory pressure the DeltaMemStore to flush is chosen by memory and WAL; before: by WAL alone"},
	{"dms_age_of_oldest", since118, "KUDU-3195", "a DeltaMemStore flush is as old as the tablet's oldest store; before: as the tablet's last such flush"},
	{"log_retention_by_size", since112, "KUDU-1567", "WAL comes before scores from log_target_replay_size on; before: from two retained segments on"},
	{"early_pressure", since112, "KUDU-1949", "memory comes before scores as soon as memory_pressure is reached; before: only as likely as writes are rejected, above memory_soft_limit"},
	{"pressure_falls_through", since112, "KUDU-2929", "under memory pressure with nothing to flush, other ops run; before: none"},
	{"pressure_by_wal", since112, "KUDU-3002", "under memory pressure the op that retains most WAL runs; before: the one that anchors most memory"},
	{"pressure_skip", since119, "KUDU-3407, KUDU-3722", "between memory_pressure and memory_soft_limit, the memory rule is passed over with a probability that starts at non_memory_ops_prob; before: never"},
	{"data_gc", since112, "KUDU-1601", "data GC comes before scores with data_gc_probability; before: it never ran"},
	{"cached_stats", since112, "e7fe0c1a9", "what compactions are worth is computed anew only after an op that changes it; before: at every look"},
	{"approximate_search", since112, "KUDU-1582", "the compaction policy looks for a good set first and searches exactly where that pays; before: exactly everywhere"},
	{"small_rowset_value", since112, "KUDU-1400", "getting rid of a small rowset is worth something of its own; before: only falling height was"},
	{"small_by_full_size", since112, "KUDU-2701", "whether a rowset is small goes by its whole size; before: by base data and REDO"},
	{"small_value_floor", since112, "KUDU-2704", "a large rowset loses nothing for its size; before: the value for being small fell below 0"},
	{"weigh_undo", since119, "KUDU-3734", "a rowset's weight counts its UNDO deltas; before: base data and REDO only"},
	{"memory_budget", never, "KUDU-3406", "a rowset whose deltas would need more memory than is left, by delta_memory_factor, is not compacted; before: it is. Off by default in every version"},
	{"undo_gc_drops_stats", since118, "KUDU-3406", "an UNDO GC that ended makes the tablet's compaction stats stale; before: it did not"},
	{"ancient_undo_veto", since118, "KUDU-3406", "rowsets of whose UNDO deltas ancient_undo_ratio could be dropped are not compacted before they are; before: they are"},
	{"veto_known_undo_only", since112, "ef2a5c39d", "UNDO deltas of unknown age do not count as old for the veto; before: they did"},
	{"major_for_deletes", never, "KUDU-3367, KUDU-3619", "files of nothing but old deletes make a rowset worth a major delta compaction; before: never. Off again since KUDU-3619"},
	{"disable_compaction", since118, "KUDU-3340", "tables can switch their compactions off; before: they could not"},
	{"immediate_loop", since112, "40aa4c3c2", "free threads are filled at once, and again as soon as an op ends; before: one op each polling_interval"},
	{"failed_prepare_frees_thread", since112, "KUDU-2083", "an op that could not be prepared gives its thread back; before: the thread was lost"},
	{"cancel_before_wait", since112, "KUDU-1495", "an op that is to go is not scheduled again; before: it could be, while what runs of it was waited for"},
	{"recheck_cancelled", since112, "KUDU-3268", "an op that went while it was being chosen is not launched; before: it was"},
	{"complete_without_lock", since118, "9e4664d44", "an op's end counts at once; before: only when no look at all ops is under way"},
	{"register_without_lock", since118, "KUDU-3149", "a tablet opens without waiting for a look at all ops; before: it waited"},
	{"enable_at_runtime", since118, "80009d6af", "a manager that was off at the start can be switched on; before: it could not"},
}

// Of gives the rules of a profile.
func Of(profile string) (p Profile, s Set, ok bool) {
	for i, p := range Profiles {
		if p.Name == profile {
			for j := range Differences {
				s.Switch(j, Differences[j].Since <= i)
			}
			return p, s, true
		}
	}
	return Profile{}, Set{}, false
}

// Switch sets the rule that Differences lists at a position.
func (s *Set) Switch(position int, on bool) { reflect.ValueOf(s).Elem().Field(position).SetBool(on) }

// On tells how the rule that Differences lists at a position is set.
func (s *Set) On(position int) bool { return reflect.ValueOf(s).Elem().Field(position).Bool() }

// ProfileNames lists the profiles, oldest first.
func ProfileNames() []string {
	names := make([]string, len(Profiles))
	for i, p := range Profiles {
		names[i] = p.Name
	}
	return names
}
