package sim

import (
	"time"

	"mmsim/configs"
	"mmsim/sim/client"
	"mmsim/sim/engine"
	"mmsim/sim/maintenance"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
)

// ns turns a configured time into the engine's.
func ns(d configs.Duration) engine.Time { return engine.Time(time.Duration(d)) }

// serverCosts compiles what client work costs on a server.
func serverCosts(m *configs.Machine) server.Costs {
	f := func(d configs.Duration) float64 { return float64(d) }
	return server.Costs{
		RoundTrip: ns(m.Network.RoundTrip), Replicate: ns(m.Network.Replicate),
		ScanFixed: f(m.Scan.Fixed), ScanIterate: f(m.Scan.Iterate), ScanSeek: f(m.Scan.Seek), ScanRedo: f(m.Scan.RedoFile),
		ScanFactor: engine.Factor(m.Scan.Spread), ColdRead: engine.Exponential(f(m.Disk.ColdRead)),
		Dispatch: ns(m.Write.Dispatch), WriteFixed: f(m.Write.Fixed), WriteRow: f(m.Write.Row),
		ApplyFixed: f(m.Write.ApplyFixed), ApplyRow: f(m.Write.ApplyRow), Bloom: f(m.Write.Bloom), BloomBatch: f(m.Write.BloomBatch),
		WriteFactor: engine.Factor(m.Write.Spread), ColdChecks: m.Disk.BloomBlockRows > 0,
		ClientsShare: m.ClientsShare, ClientScan: m.ClientScan(), ClientRow: m.ClientRow(), Cold: m.Cold,
	}
}

// serverConfig is what every server is made of.
func serverConfig(e *configs.Experiment) server.Config {
	s := &e.Server
	ram := int64(s.RAM)
	if ram == 0 { // Kudu's default limit is 80 % of the machine's memory
		ram = int64(float64(s.MemoryLimit) / 0.8)
	}
	return server.Config{
		Memory: server.Memory{Limit: int64(s.MemoryLimit), RAM: ram, BlockCache: int64(s.BlockCache), Base: int64(s.BaseMemory),
			PressurePercent: s.MemoryPressure, SoftPercent: s.MemorySoftLimit},
		Threads: s.RPCServiceThreads, Room: s.RPCQueueLength, Cores: e.Machine.Cores, Bandwidth: float64(e.Machine.Disk.Bandwidth), Devices: e.Machine.Disk.Devices, Stripes: e.Machine.Disk.Stripes,
		Together: float64(e.Machine.Cores) * e.Machine.CoreWorth, Unsynced: int64(s.Unsynced),
	}
}

// rolledSize is how large full outputs are. A real writer with a target of 32 MiB, which it looks at now and then and which leaves out what it writes last, makes
// them of 33,769 kB.
func rolledSize(m *configs.Maintenance) int64 {
	if m.RolledRowsetSize > 0 {
		return int64(m.RolledRowsetSize)
	}
	return int64(float64(m.TargetRowsetSize) * (33_769_000. / (32 << 20)))
}

// tableSizes is what a row of a table takes in each store.
func tableSizes(e *configs.Experiment, t *configs.Table) *tablet.Sizes {
	s, r, d := &e.Machine.Store, &t.Record, &e.Machine.Disk
	value := int64(r.Fields) * int64(r.FieldLength)
	row := int64(r.KeyLength) + value
	field := int64(r.FieldLength)
	return &tablet.Sizes{
		MRSRow: row + int64(s.MRSRow), MRSFixed: int64(s.MRSFixed), MRSChunk: int64(s.MRSChunk), BaseRow: float64(row) + s.DiskRow, IndexRow: s.FullRow - s.UndoRow, UndoRow: s.UndoRow,
		RowsetFixed: int64(s.RowsetFixed), DMSRow: field + int64(s.DMSRow), RedoRow: field + int64(s.RedoRow),
		DMSUpsert: value + int64(s.DMSRow), RedoUpsert: value + int64(s.RedoRow), DMSDelete: int64(s.DMSRow), RedoDelete: int64(s.RedoRow),
		WALDelete: int64(r.KeyLength) + int64(s.WALRow),
		WALRow:    row + int64(s.WALRow), WALUpdate: int64(r.KeyLength) + field + int64(s.WALRow), WALBatch: int64(s.WALBatch),
		RolledSize: rolledSize(&e.Maintenance), RolledBlock: e.Maintenance.RolledBlockRows, KeyRows: int64(d.KeyBlockRows), BloomRows: int64(max(d.BloomBlockRows, 1)), DataRows: int64(d.DataBlockRows), Columns: int64(r.Fields),
	}
}

// managerConfig is the maintenance manager's configuration.
func managerConfig(e *configs.Experiment) *maintenance.Config {
	m := &e.Maintenance
	return &maintenance.Config{
		Enabled: m.Enabled, Off: kindsOf(m.Off), Threads: m.Threads, PollingInterval: ns(m.PollingInterval), Rules: e.Rules,
		LogTarget: int64(m.LogTargetReplaySize), DataGCMin: int64(m.DataGCMinSize), DataGCProbability: m.DataGCProbability, SkipProbability: m.NonMemoryOpsProb,
		MiB: float64(1<<20) * e.Scale, FlushThreshold: int64(m.FlushThreshold), FlushAfter: ns(m.FlushThresholdTime), FlushUpper: ns(m.FlushUpperBound),
		Compaction: tablet.PolicyConfig{Budget: int64(m.CompactionBudget), TargetSize: int64(m.TargetRowsetSize), WeightUnit: int64(m.WeightUnit),
			MinimumImprovement: m.MinimumImprovement, SmallRowsetTradeoff: m.SmallRowsetTradeoff, ApproximationRatio: m.ApproximationRatio, SupportAdjust: 1.003},
		Deltas:        tablet.DeltaRules{MinorMax: m.MinorDeltaMax, MajorRatio: m.MajorDeltaMinRatio, ForDeletes: e.Rules.MajorForDeletes, DeleteFiles: m.DeleteOnlyFiles},
		HistoryMaxAge: ns(m.HistoryMaxAge), UndoGCBudget: ns(m.UndoGCInitBudget), NoCompaction: noCompaction(e.Tables),
		AncientUndoRatio: m.AncientUndoRatio, DeltaMemoryFactor: m.DeltaMemoryFactor, MinDeltas: int64(m.MinDeltasSize), WALMinSegs: e.Server.WALMinSegments, WALSegment: int64(e.Server.WALSegmentSize),
		RateMin: ns(e.Workload.MinInterval), RateReset: ns(e.Workload.ResetInterval),
	}
}

// noCompaction tells which tables want no compaction.
func noCompaction(tables []configs.Table) []bool {
	off := make([]bool, len(tables))
	for i := range tables {
		off[i] = tables[i].NoCompaction
	}
	return off
}

// kindsOf makes a set of kinds by their names.
func kindsOf(names []string) (set maintenance.Kinds) {
	for _, name := range names {
		set |= maintenance.KindsOf(kindOf(name))
	}
	return set
}

// opCosts compiles what maintenance ops cost.
func opCosts(e *configs.Experiment) *maintenance.OpCosts {
	o := &e.Machine.Op
	f := func(d configs.Duration) float64 { return float64(d) }
	return &maintenance.OpCosts{
		FlushFixed: f(o.FlushFixed), FlushMiB: f(o.FlushMiB), FlushSync: f(o.FlushSync), DMSFixed: f(o.DMSFixed), DMSMiB: f(o.DMSMiB),
		CompactFixed: f(o.CompactFixed), CompactMiB: f(o.CompactMiB), CompactInput: f(o.CompactInput),
		DeltaFixed: f(o.DeltaFixed), DeltaRow: f(o.DeltaRow), LogGC: f(o.LogGC), Nothing: f(o.Nothing),
		UndoGC: f(o.UndoGC), UndoOpen: f(o.UndoOpen), UndoFree: f(o.UndoFree), UndoFreeBlock: f(o.UndoFreeBlock),
		Launch: f(o.Launch), Start: f(o.Start), StartIdle: f(o.StartIdle), DecideOp: f(o.DecideOp), DecideRowset: f(o.DecideRowset),
		Factor: engine.Factor(o.Spread), FlushFactor: engine.Factor(o.FlushSpread),
	}
}

// clientCosts compiles what a client's own work costs.
func clientCosts(m *configs.Machine) *client.Costs {
	c := &m.Client
	scan := engine.LogNormal(float64(c.Scan), c.AppendSpread)
	if c.Scan == 0 {
		scan = engine.Constant(0)
	}
	return &client.Costs{
		AppendHot: engine.LogNormal(float64(c.AppendHot), c.AppendSpread), AppendCold: engine.LogNormal(float64(c.AppendCold), c.AppendSpread),
		Between: ns(c.Between), Scan: scan, RetryBase: ns(c.RetryBase), RetryCap: c.RetryCap,
	}
}
