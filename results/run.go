// Package results holds what a run leaves behind, as values: latencies, series, maintenance ops, waits and what was found in them. It never runs a
// simulation. What is done with the values is in the packages below: waits finds out what starved, folder keeps a result on the disk, oplog and compare
// compare.
package results

import "github.com/HdrHistogram/hdrhistogram-go"

// Run is everything one policy line left. Times are ns of simulated time from the start of the experiment.
type Run struct {
	Line          string         // name of the policy line
	Policy        string         // name of the policy
	End           int64          // when the last phase ended
	Operations    int64          // client operations simulated
	Tables        []Table        //
	Servers       int            //
	Phases        []Phase        //
	Latencies     []Latency      // by phase, table, operation
	Samples       []Sample       // by time, then table
	ServerSamples []ServerSample // by time, then server
	Ops           []Op           // every maintenance op, by the time it was chosen
	Waits         []Wait         // every wait of a maintenance op, by the time it began
	Stuck         []Stuck        // by server, then table and tablet
	Totals        Totals         //
	Warnings      []Warning      // what its reader should know first
}

// Table names one table.
type Table struct {
	Name      string `json:"name"`
	Tablets   int    `json:"tablets"`
	HotTablet int    `json:"hot_tablet"` // the tablet at which long scans start: bucket 0
	HotServer int    `json:"hot_server"` // where its leader is
}

// Phase is the stretch of time of one phase.
type Phase struct {
	Name   string  `json:"name"`
	Start  int64   `json:"start_ns"`
	End    int64   `json:"end_ns"`
	Events []Event `json:"events,omitempty"` // by time
}

// Event is something that happened to the cluster, such as an operator's command.
type Event struct {
	At   int64  `json:"at_ns"`
	Text string `json:"text"`
}

// Latency holds the latencies of one operation on one table in one phase.
type Latency struct {
	Phase string
	Table string
	Op    string // INSERT, UPDATE, SCAN, READ
	Count int64
	SumNs int64                         // exact, for the mean
	Hist  *hdrhistogram.PackedHistogram // whole microseconds, truncated as YCSB does, 3 significant digits
}

// Sample is the state of one table over one interval of the series, At being the interval's end.
type Sample struct {
	At        int64
	Table     int
	Scans     int64
	ScanMean  float64 // us; 0 without scans
	ScanP95   float64 // us; 0 without scans
	Rows      int64   // rows written by clients (inserts and updates that reached a leader)
	Rejected  int64   // write RPCs rejected for memory or a full queue
	Height    float64 // average rowset height, mean over all replicas
	HotHeight float64 // average rowset height of the hot tablet's leader
	Rowsets   int     // disk rowsets in all replicas
	Memory    int64   // bytes of MemRowSets and DeltaMemStores of all replicas
	RedoFiles int     // files of REDO deltas in all replicas
	WAL       int64   // bytes of WAL that all replicas keep

	ServerScanMean float64 // us; of the servers' own times, from a request's arrival on; not kept in a result folder
}

// ServerSample is the state of a server at the end of an interval of the series.
type ServerSample struct {
	At     int64
	Server int
	Memory int64 // bytes in use, of which the server's limits are told
	WAL    int64 // bytes of WAL that its replicas keep
}

// Op is one maintenance op that was chosen.
type Op struct {
	Server        int
	Kind          string // Kudu's name: CompactRowSetsOp, FlushMRSOp, ...
	Table         int    // position in Run.Tables
	Tablet        int    // hash bucket in its table
	Leader        bool   // whether the replica led its tablet
	Since         int64  // when its wait began
	Chosen        int64  // when it was chosen, which is when it starts
	End           int64  // when it ended; -1 = still running at the end
	Rule          Rule   // why it was chosen
	Perf          float64
	Score         float64 // what the policy gave; 0 where no policy was asked
	ScansPS       float64 // scans a second in the tablet's window
	RowsPS        float64 // rows written a second in the tablet's window
	RAM           int64   // bytes of memory it anchored
	WAL           int64   // bytes of WAL it retained or frees
	Data          int64   // bytes of data a GC frees
	MemoryPercent float64 // memory used at the decision, % of the hard limit

	Candidates  int    // ops that could have been chosen
	RunnerUp    string // "FlushMRSOp(table-A/3)"; empty if none had a score above 0
	RunnerScore float64
	Longest     string // what had waited longest and was not chosen; empty if nothing waited
	LongestWait int64  // for how long, ns

	Inputs, Outputs           int // rowsets or delta files
	BytesRead, BytesWritten   int64
	HeightBefore, HeightAfter float64 // of the replica
}

// Rule is the rule of the maintenance manager under which an op was chosen.
type Rule string

// Kudu's rules in the order they are tried.
const (
	RuleLogGC        Rule = "log-gc"
	RuleMemory       Rule = "memory-pressure"
	RuleLogRetention Rule = "log-retention"
	RuleDataGC       Rule = "data-gc"
	RulePerf         Rule = "perf-score"
)

// Wait is one stretch of time in which an op could have won a decision.
type Wait struct {
	Server, Table, Tablet int
	Kind                  string
	Since, Until          int64
	Outcome               Outcome
}

// Outcome is how a wait ended.
type Outcome string

// Outcomes of a wait.
const (
	Served Outcome = "served" // the op was chosen
	Lapsed Outcome = "lapsed" // the op no longer could win: its work was done by another op or its reason went away
	Open   Outcome = "open"   // still waiting at the end
)
