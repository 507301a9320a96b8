// Package maintenance is Kudu's maintenance manager: the ops of every replica, what makes them runnable, the rules that
// choose among them, and the threads that run them. It asks a policy for the scores.
package maintenance

import (
	"mmsim/rules"
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// Config is the manager's configuration; names and meanings are Kudu's flags'. Sizes are bytes, times ns.
type Config struct {
	Enabled         bool  // enable_maintenance_manager, at the start
	Off             Kinds // switched off at the start (enable_rowset_compaction and so on)
	Threads         int
	PollingInterval engine.Time
	Rules           rules.Set

	LogTarget         int64   // log_target_replay_size_mb
	DataGCMin         int64   // data_gc_min_size_mb, exclusive
	DataGCProbability float64 // data_gc_prioritization_prob
	SkipProbability   float64 // run_non_memory_ops_prob

	MiB            float64     // bytes that count as one in scores: 2^20, or what stands for them in a scaled experiment
	FlushThreshold int64       // flush_threshold_mb
	FlushAfter     engine.Time // flush_threshold_secs
	FlushUpper     engine.Time // flush_upper_bound_ms

	Compaction    tablet.PolicyConfig
	Deltas        tablet.DeltaRules
	HistoryMaxAge engine.Time // tablet_history_max_age_sec
	UndoGCBudget  engine.Time // undo_delta_block_gc_init_budget_millis
	NoCompaction  []bool      // kudu.table.disable_compaction, by table; nil = of none

	AncientUndoRatio  float64 // rowset_compaction_ancient_delta_max_ratio
	DeltaMemoryFactor float64 // rowset_compaction_delta_memory_factor
	MinDeltas         int64   // rowset_compaction_estimate_min_deltas_size_mb

	WALMinSegs int
	WALSegment int64 // bytes of a WAL segment; 0 = 64 MiB. Counts only without the rule log_retention_by_size

	RateMin, RateReset engine.Time // workload_stats_*_interval_ms
}

// OpCosts are what ops take, in ns, before the factor that spreads them.
type OpCosts struct {
	FlushFixed, FlushMiB, FlushSync        float64
	DMSFixed, DMSMiB                       float64
	CompactFixed, CompactMiB, CompactInput float64
	DeltaFixed, DeltaRow                   float64
	LogGC                                  float64
	UndoGC, UndoOpen                       float64      // for each op and block of deltas opened
	UndoFree, UndoFreeBlock                float64      // more, if any are old enough to be deleted
	Nothing                                float64      // of an op that finds nothing to do
	Factor, FlushFactor                    *engine.Dist // of flushes the second

	Launch           float64 // from one launch to the next look, if a thread is free
	Start, StartIdle float64 // from an op's launch until its thread holds its locks; the second while no other op runs

	DecideOp, DecideRowset float64 // scheduler's time for a look at one op, and for each rowset of a replica whose compaction is valued anew; unspread
}
