// Package resultstest makes runs for tests.
package resultstest

import (
	"math/rand/v2"

	"mmsim/results"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
)

// EqualHistograms compares histograms by what they hold.
var EqualHistograms = cmp.Comparer(func(a, b *hdrhistogram.PackedHistogram) bool {
	return a == b || a != nil && b != nil && Dense(a).Equals(Dense(b))
})

// Dense is the histogram that YCSB would have kept.
func Dense(p *hdrhistogram.PackedHistogram) *hdrhistogram.Histogram {
	h := hdrhistogram.New(1, 3_600_000_000, 3)
	p.MergeInto(h)
	return h
}

// Latency makes a Latency of values in microseconds.
func Latency(phase, table, op string, us ...int64) results.Latency {
	l := results.Latency{Phase: phase, Table: table, Op: op, Hist: results.NewHistogram()}
	for _, v := range us {
		l.Hist.RecordValue(v)
		l.SumNs += v*1000 + 500
		l.Count++
	}
	return l
}

// Run has something in every field.
func Run(line string) *results.Run {
	return &results.Run{
		Line: line, Policy: "workload-scaled", End: 123_456_789_012, Operations: 4, Servers: 6,
		Tables:    []results.Table{{Name: "table-A", Tablets: 64, HotServer: 3}, {Name: "table-B", Tablets: 64, HotTablet: 64, HotServer: 5}},
		Phases:    []results.Phase{{Name: "a", End: 100_000_000_001}, {Name: "b", Start: 100_000_000_001, End: 123_456_789_012, Events: []results.Event{{At: 101_000_000_000, Text: "table-A is dropped"}}}},
		Latencies: []results.Latency{Latency("a", "table-A", "INSERT", 0, 4, 110_000), Latency("b", "table-B", "SCAN", 3_600_000_000), Latency("b", "table-B", "READ")},
		Samples: []results.Sample{
			{At: 10e9, Scans: 3, ScanMean: 812.25, ScanP95: 1999, Rows: 100_000, Rejected: 2, Height: 3.25, HotHeight: 4.5, Rowsets: 1000, Memory: 1 << 30, RedoFiles: 17, WAL: 1 << 33},
			{At: 10e9, Table: 1, Height: 1, HotHeight: 1.0 / 3, Rowsets: 64, WAL: 5},
		},
		Ops: []results.Op{
			{Server: 5, Kind: "FlushMRSOp", Table: 0, Tablet: 3, Leader: true, Since: 1, Chosen: 250_000_000, End: 1_250_000_007, Rule: results.RuleMemory,
				Perf: 1.5, RAM: 200 << 20, WAL: 900 << 20, MemoryPercent: 60.125, Candidates: 12,
				RunnerUp: "CompactRowSetsOp(table-B/17)", RunnerScore: 13.1, Longest: "LogGCOp(table-A/0)", LongestWait: 3_000_000_001,
				Outputs: 7, BytesRead: 0, BytesWritten: 130 << 20, HeightBefore: 2.25, HeightAfter: 3.25},
			{Server: 0, Kind: "CompactRowSetsOp", Table: 1, Tablet: 63, Since: 5e9, Chosen: 100e9, End: -1, Rule: results.RulePerf,
				Perf: 0.1, Score: 1.1, ScansPS: 2.0 / 3, RowsPS: 1e5, Candidates: 1, Inputs: 4, BytesRead: 128 << 20, HeightBefore: 4, HeightAfter: 4},
		},
		Waits: []results.Wait{
			{Server: 5, Tablet: 3, Kind: "FlushMRSOp", Since: 1, Until: 250_000_000, Outcome: results.Served},
			{Server: 1, Table: 1, Tablet: 9, Kind: "MajorDeltaCompactionOp", Since: 7e9, Until: 8e9, Outcome: results.Lapsed},
			{Server: 2, Table: 1, Tablet: 8, Kind: "CompactRowSetsOp", Since: 7e9, Until: 123_456_789_012, Outcome: results.Open},
		},
		ServerSamples: []results.ServerSample{{At: 10e9, Memory: 3 << 30, WAL: 1 << 32}, {At: 10e9, Server: 5, Memory: 1 << 30, WAL: 7}},
		Stuck: []results.Stuck{{Server: 2, Tablet: 7, Leader: true, Height: 2.5, Rowsets: 9, Why: results.WhyBudget, Since: 23_456_789_012},
			{Server: 5, Tablet: 3, Height: 3.25, Rowsets: 4, Why: results.WhyBudget, Since: 100e9}, {Table: 1, Tablet: 63, Height: 1.0625, Rowsets: 2, Why: results.WhyNoGain}},
		Totals: results.Totals{WriteRPCs: 1, RejectedMemory: 2, RejectedQueue: 3, ColdReads: 4, FlushedBytes: 5, CompactedBytes: 6, WALBytes: 7, Decisions: 8, PolicyRuns: 9,
			PeakMemoryPercent: 61.5, Updates: 10, Scans: 11, Inserts: 12, Deletes: 13, Upserts: 14, Kinds: []results.KindTotals{{Kind: "FlushMRSOp", Count: 13, Running: 1, Idle: 2, Ns: 14e9, BytesRead: 15, BytesWritten: 16e9}}, ClientBytes: 17,
			WriteAmplification: 1.75, BytesAFlush: 18.5, PeakMemory: 19, PressureShare: 0.25, MaxWALHeld: 20, IdleThreads: 0.5, DecideNs: 21,
			AtEnd: []results.TableEnd{{Table: "table-A", Rowsets: 1000, Height: 3.25, HotHeight: 4.5, RedoFiles: 17, Memory: 1 << 30, WAL: 1 << 33},
				{Table: "table-B", Rowsets: 64, Height: 1, HotHeight: 1.0 / 3, WAL: 5}}},
		Warnings: []results.Warning{{What: results.WarnIdle, Server: 3, Op: "CompactRowSetsOp(table-A/3)", Perf: -0.5, Score: 1, At: 5e9, Count: 120, Text: "the policy does what it should not"}},
	}
}

// Big has n ops and n waits.
func Big(n int) *results.Run {
	run := Run("big")
	r := rand.New(rand.NewPCG(1, 2))
	op, wait := run.Ops[0], run.Waits[0]
	run.Ops, run.Waits = nil, nil
	for i := range n {
		op.Server, op.Chosen, op.Table = r.IntN(6), int64(i)*1e9, r.IntN(2)
		op.End, op.Perf = op.Chosen+r.Int64N(1e9), r.Float64()
		wait.Server, wait.Table, wait.Since = op.Server, op.Table, op.Chosen-r.Int64N(1e12)
		wait.Until = op.Chosen
		run.Ops, run.Waits = append(run.Ops, op), append(run.Waits, wait)
	}
	run.End = int64(n) * 1e9
	return run
}
