// Package configs holds what an experiment says: its types, how they are read from YAML, their defaults,
// the checks that refuse a wrong one by file, line and field, and the experiments that ship with mmsim.
package configs

import (
	"time"

	"mmsim/rules"
)

// Bytes is a size. YAML writes it with a unit: 128MiB, 60GB, 100B.
type Bytes int64

// Duration is a span of time. YAML writes it with a unit: 8.5us, 250ms, 2m, 168h.
type Duration time.Duration

// Rate is a number of events per second. YAML writes it as a number with an optional unit
// (5k ops/s, 1 scan/s, 1000 rows/s); 0 means no limit where a limit is asked for.
type Rate float64

// Bandwidth is bytes per second. YAML writes it as 500MB/s.
type Bandwidth float64

// Experiment is one experiment of kind storage, after defaults were filled in.
type Experiment struct {
	Kind        string       `yaml:"kind"`        // "storage"
	Name        string       `yaml:"name"`        // short name
	Title       string       `yaml:"title"`       // one line for tables and plots
	Seed        uint64       `yaml:"seed"`        // root of every random stream
	Scale       float64      `yaml:"scale"`       // above 0, at most 1: the size to run at. The other values are those of full size until Scaled
	Profile     string       `yaml:"profile"`     // the Kudu whose rules apply
	Rules       rules.Set    `yaml:"rules"`       // where they are those of another version; default: the profile's
	Machine     Machine      `yaml:"machine"`     // what operations cost: a name, or a mapping
	Cluster     Cluster      `yaml:"cluster"`     //
	Server      Server       `yaml:"server"`      // one tablet server's resources
	Maintenance Maintenance  `yaml:"maintenance"` // Kudu's flags of the maintenance manager, flushes and compactions
	Workload    WorkloadRate `yaml:"workload_stats"`
	Tables      []Table      `yaml:"tables"`
	Initial     []Initial    `yaml:"initial,omitempty"` // what tablets hold at the start; empty = nothing
	Phases      []Phase      `yaml:"phases"`
	Policies    []Line       `yaml:"policies"`
	Starvation  Starvation   `yaml:"starvation"`
	Series      Series       `yaml:"series"`
	Measured    *Measured    `yaml:"measured,omitempty"` // numbers of the real experiment, drawn as marks; optional
}

// Cluster is the set of tablet servers.
type Cluster struct {
	Servers     int    `yaml:"servers"`
	Replication int    `yaml:"replication"` // replicas a tablet, odd
	Placement   string `yaml:"placement"`   // balanced: leaders and followers dealt evenly; random: power of two choices
}

// Server is what one tablet server has.
type Server struct {
	RPCServiceThreads int     `yaml:"rpc_service_threads"` // rpc_num_service_threads
	RPCQueueLength    int     `yaml:"rpc_queue_length"`    // rpc_service_queue_length; a full queue answers TOO_BUSY
	MemoryLimit       Bytes   `yaml:"memory_limit"`        // memory_limit_hard_bytes
	MemoryPressure    float64 `yaml:"memory_pressure"`     // memory_pressure_percentage, in percent
	MemorySoftLimit   float64 `yaml:"memory_soft_limit"`   // memory_limit_soft_percentage, in percent
	RAM               Bytes   `yaml:"ram"`                 // of the machine; 0 = memory_limit / 0.8. What mmsim does not use caches file pages
	BlockCache        Bytes   `yaml:"block_cache"`         // block_cache_capacity_mb
	BaseMemory        Bytes   `yaml:"base_memory"`         // used by everything that is not a store or the block cache
	PageCache         string  `yaml:"page_cache"`          // cold | warm: whether file pages of what tablets hold at the start are in it
	Unsynced          Bytes   `yaml:"unsynced"`            // written before the start, but not synced: the first op to write waits for it
	WALSegmentSize    Bytes   `yaml:"wal_segment_size"`    // log_segment_size_mb
	WALMinSegments    int     `yaml:"wal_min_segments"`    // log_min_segments_to_retain
}

// Maintenance is the maintenance manager's configuration. Names follow Kudu's flags.
type Maintenance struct {
	Enabled             bool     `yaml:"enabled"`                // enable_maintenance_manager
	Off                 []string `yaml:"off,omitempty"`          // kinds of ops that are switched off (enable_rowset_compaction and so on)
	Threads             int      `yaml:"threads"`                // maintenance_manager_num_threads
	PollingInterval     Duration `yaml:"polling_interval"`       // maintenance_manager_polling_interval_ms
	LogTargetReplaySize Bytes    `yaml:"log_target_replay_size"` // log_target_replay_size_mb
	DataGCMinSize       Bytes    `yaml:"data_gc_min_size"`       // data_gc_min_size_mb
	DataGCProbability   float64  `yaml:"data_gc_probability"`    // data_gc_prioritization_prob
	NonMemoryOpsProb    float64  `yaml:"non_memory_ops_prob"`    // run_non_memory_ops_prob

	FlushThreshold     Bytes    `yaml:"flush_threshold"`      // flush_threshold_mb
	FlushThresholdTime Duration `yaml:"flush_threshold_time"` // flush_threshold_secs
	FlushUpperBound    Duration `yaml:"flush_upper_bound"`    // flush_upper_bound_ms

	CompactionBudget    Bytes   `yaml:"compaction_budget"`     // tablet_compaction_budget_mb
	TargetRowsetSize    Bytes   `yaml:"target_rowset_size"`    // budgeted_compaction_target_rowset_size
	RolledRowsetSize    Bytes   `yaml:"rolled_rowset_size"`    // mean size of full outputs; 0: a little over the target, as they were seen to roll
	RolledBlockRows     int64   `yaml:"rolled_block_rows"`     // rows of the blocks between which they do
	WeightUnit          Bytes   `yaml:"weight_unit"`           // unit of a rowset's integer weight in the budgeted policy: 1MiB in Kudu, scaled with the sizes
	MinimumImprovement  float64 `yaml:"minimum_improvement"`   // compaction_minimum_improvement
	SmallRowsetTradeoff float64 `yaml:"small_rowset_tradeoff"` // compaction_small_rowset_tradeoff
	ApproximationRatio  float64 `yaml:"approximation_ratio"`   // compaction_approximation_ratio

	MinorDeltaMax      int      `yaml:"minor_delta_max"`       // tablet_delta_store_minor_compact_max
	MajorDeltaMinRatio float64  `yaml:"major_delta_min_ratio"` // tablet_delta_store_major_compact_min_ratio
	DeleteOnlyFiles    int      `yaml:"delete_only_files"`     // all_delete_op_delta_file_cnt_for_compaction; for rule major_for_deletes
	HistoryMaxAge      Duration `yaml:"history_max_age"`       // tablet_history_max_age_sec
	UndoGCInitBudget   Duration `yaml:"undo_gc_init_budget"`   // undo_delta_block_gc_init_budget_millis
	AncientUndoRatio   float64  `yaml:"ancient_undo_ratio"`    // rowset_compaction_ancient_delta_max_ratio; for rule ancient_undo_veto
	DeltaMemoryFactor  float64  `yaml:"delta_memory_factor"`   // rowset_compaction_delta_memory_factor; for rule memory_budget
	MinDeltasSize      Bytes    `yaml:"min_deltas_size"`       // rowset_compaction_estimate_min_deltas_size_mb; for rule memory_budget

	PriorityMultiplier float64 `yaml:"priority_multiplier"` // maintenance_op_multiplier; the default of the priority-weighted policy's
	PriorityRange      int     `yaml:"priority_range"`      // max_priority_range
}

// WorkloadRate holds Kudu's windows for the rates of scans and written rows of a tablet.
type WorkloadRate struct {
	MinInterval   Duration `yaml:"min_interval"`   // workload_stats_rate_collection_min_interval_ms
	ResetInterval Duration `yaml:"reset_interval"` // workload_stats_metric_collection_interval_ms
}

// Table is one table.
type Table struct {
	ID           string `yaml:"id"`                   // what random streams are derived from; default: the position, "t0", "t1", ...
	Name         string `yaml:"name"`                 //
	Tablets      int    `yaml:"tablets"`              // hash buckets, times ranges of keys
	Partitions   Parts  `yaml:"partitions,omitempty"` // instead of tablets, or what they are
	Priority     int    `yaml:"priority"`             // kudu.table.maintenance_priority
	Keys         string `yaml:"keys"`                 // ycsb: keys as YCSB makes them; padded: with zeros in front; uniform: keys whose bytes are spread evenly
	NoCompaction bool   `yaml:"disable_compaction"`   // kudu.table.disable_compaction
	Record       Record `yaml:"record"`               //
}

// Parts is how a table is cut into tablets: each hash bucket into as many ranges of keys.
type Parts struct {
	Hash   int `yaml:"hash"`
	Ranges int `yaml:"ranges"`
}

// Record is the shape of one row.
type Record struct {
	Fields      int   `yaml:"fields"`       // fieldcount
	FieldLength Bytes `yaml:"field_length"` // fieldlength
	KeyLength   Bytes `yaml:"key_length"`   // mean length of a key; 23B for YCSB's
}

// Phase is a stretch of the experiment in which every client runs one workload. It ends when all its clients have ended, or after its duration.
type Phase struct {
	Name        string   `yaml:"name"`
	PauseBefore Duration `yaml:"pause_before"`     // idle time before the clients start
	Duration    Duration `yaml:"duration"`         // after which clients are stopped; 0 = none
	Clients     []Client `yaml:"clients"`          // may be empty if there is a duration
	Events      []Event  `yaml:"events,omitempty"` // what an operator does meanwhile
}

// Event is what an operator does on all servers at a time of a phase.
type Event struct {
	After     Duration `yaml:"after"`                // from the start of the phase's clients
	SwitchOn  []string `yaml:"switch_on,omitempty"`  // kinds of ops
	SwitchOff []string `yaml:"switch_off,omitempty"` //
	Manager   string   `yaml:"manager,omitempty"`    // on | off: the maintenance manager
	Drop      string   `yaml:"drop,omitempty"`       // name of a table, whose clients end
}

// Client is one YCSB process: threads that run one workload on one table.
type Client struct {
	ID       string   `yaml:"id,omitempty"` // what random streams are derived from; default: the position among the table's clients
	Table    string   `yaml:"table"`
	Threads  int      `yaml:"threads"`
	Target   Rate     `yaml:"target"`   // operations a second over all threads; 0 = as fast as the loop goes
	Workload Workload `yaml:"workload"` //
	Session  Session  `yaml:"session"`  //
}

// Workload is what a client asks for, in YCSB's terms.
type Workload struct {
	YCSB        string  `yaml:"ycsb,omitempty"`       // property file that says what is not said here; empty once it is read
	YCSBPhase   string  `yaml:"ycsb_phase,omitempty"` // load | run: which of its phases
	Records     int64   `yaml:"records"`              // load phase: rows to insert. At most one of records and operations is above 0, none in a phase with a duration for as many as there is time for
	Operations  int64   `yaml:"operations"`           // run phase: operations over all threads
	Read        float64 `yaml:"read"`                 // proportions; they add up to 1 in a run phase
	Update      float64 `yaml:"update"`
	Insert      float64 `yaml:"insert"`
	Scan        float64 `yaml:"scan"`
	Modify      float64 `yaml:"read_modify_write"`
	Delete      float64 `yaml:"delete"`
	Upsert      float64 `yaml:"upsert"`
	UpsertNew   float64 `yaml:"upsert_new"`               // share of the upserts whose key is new
	RequestDist string  `yaml:"request_distribution"`     // uniform | zipfian | latest
	ScanLenDist string  `yaml:"scan_length_distribution"` // uniform | zipfian
	MinScanLen  int     `yaml:"min_scan_length"`
	MaxScanLen  int     `yaml:"max_scan_length"`
	InsertOrder string  `yaml:"insert_order"`   // hashed | ordered | ranges
	ZeroPadding int     `yaml:"zero_padding"`   // digits of a key's number, with zeros in front
	ScanPlace   string  `yaml:"scan_placement"` // first_bucket | uniform: the tablet at which a scan longer than one row starts
}

// Session is the client's write buffer (Kudu's Java client, AUTO_FLUSH_BACKGROUND).
type Session struct {
	BufferOps     int      `yaml:"buffer_ops"`     // kudu_buffer_num_ops: operations a buffer holds
	Buffers       int      `yaml:"buffers"`        // 2
	FlushInterval Duration `yaml:"flush_interval"` // timer from the first operation in a buffer
}

// Line is one policy with its parameters: a line in every plot and a column in every table.
type Line struct {
	Name   string         `yaml:"name"`                     // label; default: policy or plugin name plus its parameters
	Policy string         `yaml:"policy,omitempty"`         // a built-in; exactly one of policy and plugin is set
	Plugin string         `yaml:"plugin,omitempty"`         // path of a policy binary, relative to the experiment's file
	Serve  bool           `yaml:"out_of_process,omitempty"` // run a built-in as a plugin process of mmsim itself
	Params map[string]any `yaml:"params,omitempty"`         // checked against what the policy declares
}

// Starvation says when a wait is too long.
type Starvation struct {
	After Duration `yaml:"after"`
}

// Series says how finely the figures over time are kept.
type Series struct {
	Interval Duration `yaml:"interval"`
}

// Measured are the numbers of the real experiment, in microseconds, for comparison only: no rule of the simulator reads them.
type Measured struct {
	Source string        `yaml:"source"`
	Before string        `yaml:"before"` // name of the policy line that plays the "before" role
	After  string        `yaml:"after"`  // name of the policy line that plays the "after" role
	Rows   []MeasuredRow `yaml:"latency"`
}

// MeasuredRow is one row of the review's table.
type MeasuredRow struct {
	Phase  string  `yaml:"phase"`
	Table  string  `yaml:"table"`
	Op     string  `yaml:"op"`   // INSERT | UPDATE | SCAN | READ
	Stat   string  `yaml:"stat"` // avg | p95 | p99 ...
	Before float64 `yaml:"before"`
	After  float64 `yaml:"after"`
}
