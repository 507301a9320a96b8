package results

// Totals are counts over a whole run. Shares are from 0 to 1.
type Totals struct {
	WriteRPCs         int64   `json:"write_rpcs"`
	RejectedMemory    int64   `json:"rejected_memory"` // write RPCs rejected for memory
	RejectedQueue     int64   `json:"rejected_queue"`  // write RPCs rejected for a full queue
	ColdReads         int64   `json:"cold_reads"`
	FlushedBytes      int64   `json:"flushed_bytes"`   // by MemRowSet flushes
	CompactedBytes    int64   `json:"compacted_bytes"` // by rowset compactions
	WALBytes          int64   `json:"wal_bytes"`       // appended
	Decisions         int64   `json:"decisions"`       // times the manager looked for an op
	PolicyRuns        int64   `json:"policy_runs"`     // times a compaction value was computed
	PeakMemoryPercent float64 `json:"peak_memory_percent"`
	Updates           int64   `json:"updates"`
	Scans             int64   `json:"scans"`
	Inserts           int64   `json:"inserts"`
	Deletes           int64   `json:"deletes,omitempty"`
	Upserts           int64   `json:"upserts,omitempty"`

	Kinds              []KindTotals `json:"ops"`                 // of ops, by name; those that ran
	ClientBytes        int64        `json:"client_bytes"`        // keys and values that clients wrote, each once
	WriteAmplification float64      `json:"write_amplification"` // bytes of WAL, flushes and compactions for each of these, in all replicas; 0 without writes
	BytesAFlush        float64      `json:"bytes_a_flush"`       // written by the mean MemRowSet flush
	PeakMemory         int64        `json:"peak_memory_bytes"`   // of the server that used most
	PressureShare      float64      `json:"pressure_share"`      // of time, over all servers, above the line of memory pressure; by samples of the series
	MaxWALHeld         int64        `json:"max_wal_held_bytes"`  // on one server, by samples of the series
	IdleThreads        float64      `json:"idle_thread_share"`   // of the time of all maintenance threads, without an op
	DecideNs           int64        `json:"decide_ns"`           // simulated time of schedulers for their looks at ops
	AtEnd              []TableEnd   `json:"at_end"`              // by table
}

// KindTotals sums up the ops of one kind.
type KindTotals struct {
	Kind         string `json:"kind"`
	Count        int64  `json:"count"`
	Running      int64  `json:"running"` // of these, at the end
	Idle         int64  `json:"idle"`    // of these, found nothing to do
	Ns           int64  `json:"ns"`      // on threads
	BytesRead    int64  `json:"bytes_read"`
	BytesWritten int64  `json:"bytes_written"`
}

// TableEnd is how a run left the replicas of a table.
type TableEnd struct {
	Table     string  `json:"table"`
	Rowsets   int     `json:"rowsets"`     // in all replicas
	Height    float64 `json:"height"`      // average rowset height, mean over all replicas
	HotHeight float64 `json:"hot_height"`  // of the hot tablet's leader
	RedoFiles int     `json:"redo_files"`  // in all replicas
	Memory    int64   `json:"store_bytes"` // of MemRowSets and DeltaMemStores of all replicas
	WAL       int64   `json:"wal_bytes"`   // held by all replicas
}

// Complete works out what follows from a run's ops, samples and other totals. threads is the number of maintenance threads of all servers.
func (t *Totals) Complete(run *Run, threads int) {
	var busy, written int64
	for i := range t.Kinds {
		k := &t.Kinds[i]
		busy += k.Ns
		written += k.BytesWritten
		if k.Kind == "FlushMRSOp" && k.Count > 0 {
			t.BytesAFlush = float64(k.BytesWritten) / float64(k.Count)
		}
	}
	if t.ClientBytes > 0 {
		t.WriteAmplification = float64(t.WALBytes+written) / float64(t.ClientBytes)
	}
	if all := float64(threads) * float64(run.End); all > 0 {
		t.IdleThreads = max(0, 1-float64(busy)/all)
	}
	for _, s := range run.ServerSamples {
		t.MaxWALHeld = max(t.MaxWALHeld, s.WAL)
	}
	t.AtEnd = make([]TableEnd, len(run.Tables))
	for i := range run.Tables {
		t.AtEnd[i].Table = run.Tables[i].Name
	}
	for _, s := range run.Samples { // the last of a table stays
		t.AtEnd[s.Table] = TableEnd{run.Tables[s.Table].Name, s.Rowsets, s.Height, s.HotHeight, s.RedoFiles, s.Memory, s.WAL}
	}
}
