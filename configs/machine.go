package configs

import "math"

// Machine says what operations cost on one kind of server. In YAML it starts from the values of its base, whose times are
// divided by factor, except those that say so below; after reading, Base is empty and Factor 1.
// docs/model.md gives the source of each default.
type Machine struct {
	Name   string  `yaml:"name"`           // of a machine that ships with mmsim, or of this one
	Base   string  `yaml:"base,omitempty"` // machine whose values fill what is not set here
	Factor float64 `yaml:"factor"`         // how much faster than Base one core is; 1 after resolving
	Cores  int     `yaml:"cores"`          // shared by all that computes on a server; also threads of the apply pool

	CoreWorth    float64 `yaml:"core_worth"`    // what one of them does while all are busy, as a share of what it does alone
	ClientsShare bool    `yaml:"clients_share"` // clients compute on the servers' cores

	Client  ClientCost  `yaml:"client"`
	Network NetworkCost `yaml:"network"` // not divided by Factor
	Scan    ScanCost    `yaml:"scan"`
	Write   WriteCost   `yaml:"write"`
	Store   StoreSize   `yaml:"store"` // sizes, not times
	Disk    DiskCost    `yaml:"disk"`  // not divided by Factor
	Op      OpCost      `yaml:"op"`
}

// ClientCost is time spent in the YCSB process.
type ClientCost struct {
	AppendHot    Duration `yaml:"append_hot"`    // median time to buffer a write right after another
	AppendCold   Duration `yaml:"append_cold"`   // median time to buffer a write right after a scan
	AppendSpread float64  `yaml:"append_spread"` // sigma of the log-normal factor
	Between      Duration `yaml:"between"`       // choosing an operation and its key: between operations, in no latency
	Scan         Duration `yaml:"scan"`          // client share of a scan's latency: RPC, decoding
	WarmUp       float64  `yaml:"warm_up"`       // what the first of a client's operations takes more, in times: its code is not compiled yet
	WarmUpOps    int64    `yaml:"warm_up_ops"`   // operations after which that has halved
	RetryBase    Duration `yaml:"retry_base"`    // a rejected write retries after uniform(0,1) * base * 2^min(attempt, retry_cap); not divided
	RetryCap     int      `yaml:"retry_cap"`     //
}

// NetworkCost is time on the wire.
type NetworkCost struct {
	RoundTrip Duration `yaml:"round_trip"`
	Replicate Duration `yaml:"replicate"` // from the leader's append to a majority's
}

// ScanCost is the server's side of a scan: fixed + iterate * rowsets at or above the start key + seek * rowsets
// whose range holds it + redo_file * REDO files of the rowset read, all times one log-normal factor, + cold reads.
type ScanCost struct {
	Fixed    Duration `yaml:"fixed"`
	Iterate  Duration `yaml:"iterate"`
	Seek     Duration `yaml:"seek"`
	RedoFile Duration `yaml:"redo_file"`
	Spread   float64  `yaml:"spread"` // sigma of the log-normal factor
}

// WriteCost is the server's side of a write RPC of n rows to a tablet of height H.
type WriteCost struct {
	Dispatch   Duration `yaml:"dispatch"`    // a service thread's time for one RPC
	Fixed      Duration `yaml:"fixed"`       // handler time of one RPC beyond dispatch and apply
	Row        Duration `yaml:"row"`         // handler time a row beyond apply
	ApplyFixed Duration `yaml:"apply_fixed"` // apply thread's time of one RPC
	ApplyRow   Duration `yaml:"apply_row"`   // apply thread's time a row
	Bloom      Duration `yaml:"bloom"`       // one bloom lookup (H a row) in batches of 100 rows or fewer
	BloomBatch Duration `yaml:"bloom_batch"` // the same in batches of 1000 rows or more
	Spread     float64  `yaml:"spread"`      // sigma of the log-normal factor
}

// StoreSize is what a row takes in each store, beyond its key and fields.
type StoreSize struct {
	MRSRow      Bytes   `yaml:"mrs_row"`      // memory of a MemRowSet: a row
	MRSFixed    Bytes   `yaml:"mrs_fixed"`    // fixed memory of a MemRowSet that has rows
	MRSChunk    Bytes   `yaml:"mrs_chunk"`    // memory of a MemRowSet comes in chunks of so much
	DiskRow     float64 `yaml:"disk_row"`     // bytes of a disk rowset (base + REDO): a row
	FullRow     float64 `yaml:"full_row"`     // further bytes of bloom, index and UNDO: a row
	UndoRow     float64 `yaml:"undo_row"`     // of these, UNDO
	RowsetFixed Bytes   `yaml:"rowset_fixed"` // fixed bytes of a rowset
	DMSRow      Bytes   `yaml:"dms_row"`      // memory of a DeltaMemStore: an update beyond its field
	RedoRow     Bytes   `yaml:"redo_row"`     // bytes of a REDO file: an update beyond its field
	WALRow      Bytes   `yaml:"wal_row"`      // WAL bytes: a row
	WALBatch    Bytes   `yaml:"wal_batch"`    // WAL bytes: a batch
}

// DiskCost is the server's storage, shared by maintenance ops and cold reads.
type DiskCost struct {
	Bandwidth      Bandwidth `yaml:"bandwidth"`        // sequential, reads and writes together
	ColdRead       Duration  `yaml:"cold_read"`        // mean of one random read that misses every cache (exponential)
	Devices        int       `yaml:"devices"`          // that share the bandwidth; a cold read holds one of them
	Stripes        int       `yaml:"stripes"`          // devices that hold one op's files (fs_target_data_dirs_per_tablet); it gets no more bandwidth than theirs
	KeyBlockRows   int       `yaml:"key_block_rows"`   // rows whose keys one cold read brings in
	DataBlockRows  int       `yaml:"data_block_rows"`  // rows of one column that one cold read brings in
	BloomBlockRows int       `yaml:"bloom_block_rows"` // rows whose bloom filter one cold read of a presence check brings in; 0 = such checks read nothing
}

// OpCost is what maintenance ops take: fixed + per MiB (+ per input), all times one log-normal factor.
type OpCost struct {
	FlushFixed    Duration `yaml:"flush_fixed"`
	FlushMiB      Duration `yaml:"flush_mib"`
	FlushSync     Duration `yaml:"flush_sync"` // more, if a rowset compaction ran last before it
	DMSFixed      Duration `yaml:"dms_fixed"`
	DMSMiB        Duration `yaml:"dms_mib"`
	CompactFixed  Duration `yaml:"compact_fixed"`
	CompactMiB    Duration `yaml:"compact_mib"`       // a MiB merged, as the compaction policy weighs it
	CompactInput  Duration `yaml:"compact_input_mib"` // a MiB merged, for each input rowset
	DeltaFixed    Duration `yaml:"delta_fixed"`       // minor and major delta compaction
	DeltaRow      Duration `yaml:"delta_row"`         // an update read
	LogGC         Duration `yaml:"log_gc"`
	UndoGC        Duration `yaml:"undo_gc"`
	UndoOpen      Duration `yaml:"undo_open"`       // a block of UNDO opened
	UndoFree      Duration `yaml:"undo_free"`       // more, if any block is deleted
	UndoFreeBlock Duration `yaml:"undo_free_block"` // and for each of them
	Nothing       Duration `yaml:"nothing"`         // an op that finds nothing to do
	Launch        Duration `yaml:"launch"`          // from the launch of an op until the scheduler looks again, if a thread is free
	Start         Duration `yaml:"start"`           // from an op's launch until its thread holds its locks; of several threads only
	StartIdle     Duration `yaml:"start_idle"`      // the same while no other op runs

	DecideOp     Duration `yaml:"decide_op"`     // scheduler's time for the stats of one op, at every look at all ops
	DecideRowset Duration `yaml:"decide_rowset"` // the same for each rowset when a compaction's value is computed anew
	Spread       float64  `yaml:"spread"`        // sigma of the log-normal factor
	FlushSpread  float64  `yaml:"flush_spread"`  // that of flushes
}

// ClientScan is what a client whose code is compiled computes for a scan, in ns.
func (m *Machine) ClientScan() float64 { return m.Client.mean(m.Client.Scan) }

// ClientRow is the same for a row written.
func (m *Machine) ClientRow() float64 {
	return m.Client.mean(m.Client.AppendHot) + float64(m.Client.Between)
}

// mean is that of a log-normal time with a median.
func (c *ClientCost) mean(median Duration) float64 {
	return float64(median) * math.Exp(c.AppendSpread*c.AppendSpread/2)
}

// Cold is how many times as much a client computes for an operation when it has done so many before: its code is compiled as it is used.
func (m *Machine) Cold(done float64) float64 {
	return 1 + m.Client.WarmUp/(1+done/float64(m.Client.WarmUpOps))
}
