package sim

import (
	"cmp"
	"fmt"
	"slices"

	"mmsim/policies"
	"mmsim/results"
	"mmsim/sim/client"
	"mmsim/sim/engine"
	"mmsim/sim/maintenance"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
	"mmsim/workloads"
)

// recorder collects what a run leaves behind.
type recorder struct {
	world      *world
	nextSample engine.Time
	interval   engine.Time
	scanned    []engine.Histogram // by table, since the last sample

	phases  []results.Phase
	events  []results.Event // of the phase under way
	hists   []results.Latency
	samples []results.Sample
	servers []results.ServerSample
	sampled engine.Time // when it was last
	pressed engine.Time // time under memory pressure, of all servers
	kinds   [policies.NumKinds]results.KindTotals
	ops     kept[results.Op]
	names   []string // of every op, by tablet and kind; made when first asked for
	waits   kept[results.Wait]
	totals  results.Totals
}

func newRecorder(w *world) *recorder {
	interval := ns(w.exp.Series.Interval)
	return &recorder{world: w, interval: interval, nextSample: interval, scanned: make([]engine.Histogram, len(w.exp.Tables))}
}

// scans gives the function that a client of the table calls with each scan.
func (r *recorder) scans(table int) func(at, latency engine.Time) {
	h := &r.scanned[table]
	return func(_, latency engine.Time) { h.Record(latency) }
}

// rules translates the manager's rules.
var rules = map[maintenance.Rule]results.Rule{maintenance.LogGC: results.RuleLogGC, maintenance.MemoryPressure: results.RuleMemory,
	maintenance.LogRetention: results.RuleLogRetention, maintenance.DataGC: results.RuleDataGC, maintenance.PerfScore: results.RulePerf}

// OpDone keeps an op that ran.
func (r *recorder) OpDone(m *maintenance.Record) {
	op := results.Op{Server: m.Server, Kind: m.Kind.String(), Table: int(m.Replica.Table), Tablet: int(m.Replica.Bucket), Leader: m.Replica.Leader,
		Since: m.Since, Chosen: m.Chosen, End: m.End, Rule: rules[m.Choice.Rule], Perf: m.Perf, Score: m.Choice.Score, ScansPS: m.ScansPerS, RowsPS: m.RowsPerS,
		RAM: m.RAM, WAL: m.WAL, Data: m.Data, MemoryPercent: m.MemoryPercent, Candidates: m.Candidates, RunnerScore: m.RunnerScore, LongestWait: m.LongestWait,
		Inputs: m.Inputs, Outputs: m.Outputs, BytesRead: m.BytesRead, BytesWritten: m.BytesWritten, HeightBefore: m.HeightBefore, HeightAfter: m.HeightAfter,
		RunnerUp: r.opName(m.RunnerKind, m.RunnerTablet), Longest: r.opName(m.LongestKind, m.LongestTablet)}
	r.ops.add(op)
	r.sum(m)
	switch m.Kind {
	case policies.FlushMRS:
		r.totals.FlushedBytes += m.BytesWritten
	case policies.CompactRowSets:
		r.totals.CompactedBytes += m.BytesWritten
	}
}

// opName names an op as Kudu does, with the tablet as table/bucket; empty if tablet is -1.
func (r *recorder) opName(k policies.Kind, tablet int32) string {
	if tablet < 0 {
		return ""
	}
	if r.names == nil {
		r.names = make([]string, len(r.world.cluster.Tablets)*int(policies.NumKinds))
	}
	name := &r.names[int(tablet)*int(policies.NumKinds)+int(k)]
	if *name == "" {
		lead := r.world.cluster.Tablets[tablet].Replicas[0].Replica
		*name = results.OpName(k.String(), r.world.exp.Tables[lead.Table].Name, int(lead.Bucket))
	}
	return *name
}

// WaitDone keeps a wait that is over.
func (r *recorder) WaitDone(server int, t *tablet.Replica, k policies.Kind, since, until engine.Time, served bool) {
	outcome := results.Lapsed
	if served {
		outcome = results.Served
	}
	r.waits.add(results.Wait{Server: server, Table: int(t.Table), Tablet: int(t.Bucket), Kind: k.String(), Since: since, Until: until, Outcome: outcome})
}

// event keeps what happened now.
func (r *recorder) event(format string, args ...any) {
	r.events = append(r.events, results.Event{At: r.world.now, Text: fmt.Sprintf(format, args...)})
}

// endPhase keeps a phase.
func (r *recorder) endPhase(name string, start engine.Time) {
	r.phases = append(r.phases, results.Phase{Name: name, Start: start, End: r.world.now, Events: r.events})
	r.events = nil
}

// latencies keeps the histograms of a phase of all clients of a table.
func (r *recorder) latencies(phase, table string, loads []*client.Load) {
	for op := range workloads.NumOps {
		all := results.Latency{Phase: phase, Table: table, Op: op.String()}
		for _, l := range loads {
			h := &l.Latency[op]
			if h.Count == 0 {
				continue
			}
			if all.Hist == nil {
				all.Hist = results.NewHistogram()
			}
			most := all.Hist.HighestTrackableValue()
			all.Count, all.SumNs = all.Count+h.Count, all.SumNs+h.SumNs
			h.Each(func(us, count int64) { all.Hist.RecordValues(min(us, most), count) }) // longer ones count as that long
		}
		if all.Count > 0 {
			all.Hist.Compact()
			r.hists = append(r.hists, all)
		}
	}
}

// sample closes an interval of the series.
func (r *recorder) sample(at engine.Time) {
	r.nextSample = at + r.interval
	for i := range r.world.exp.Tables {
		t := &r.world.cluster.Tables[i]
		h := &r.scanned[i]
		s := results.Sample{At: at, Table: i, Scans: h.Count, Rows: t.Series.Rows, Rejected: t.Series.Rejected}
		if h.Count > 0 {
			s.ScanMean = float64(h.SumNs) / float64(h.Count) / 1e3
			s.ScanP95 = float64(h.Percentile(95))
		}
		if t.Series.Scans > 0 {
			s.ServerScanMean = float64(t.Series.ScanTime) / float64(t.Series.Scans) / 1e3
		}
		h.Reset()
		t.Series = server.Series{}
		replicas := 0
		for b := range t.Tablets {
			for n, p := range r.world.cluster.Tablets[t.First+b].Replicas {
				s.Height += p.Replica.Height()
				s.Rowsets += len(p.Replica.Rowsets)
				s.Memory += p.Replica.Memory()
				s.WAL += p.Replica.WAL.Bytes()
				s.RedoFiles += p.Replica.RedoFiles()
				replicas++
				if b == 0 && n == 0 {
					s.HotHeight = p.Replica.Height()
				}
			}
		}
		s.Height /= float64(replicas)
		r.samples = append(r.samples, s)
	}
	r.sampleServers(at)
}

func (r *recorder) sampleServers(at engine.Time) {
	for id, server := range r.world.cluster.Servers {
		s := results.ServerSample{At: at, Server: id, Memory: server.Memory.Used()}
		for _, replica := range server.Replicas {
			s.WAL += replica.WAL.Bytes()
		}
		r.servers = append(r.servers, s)
		if server.Memory.UnderPressure() {
			r.pressed += at - r.sampled
		}
	}
	r.sampled = at
}

// result puts together all but the ops and the waits.
func (r *recorder) result(line Line, operations int64) (*results.Run, error) {
	w := r.world
	for _, m := range w.managers {
		m.Unfinished()
		r.totals.Decisions += m.Decisions
		r.totals.PolicyRuns += m.PolicyRuns
		r.totals.DecideNs += m.Deciding
	}
	r.openWaits()
	if w.now > r.nextSample-r.interval { // the interval that the end cut short
		r.sample(w.now)
	}
	out := &results.Run{Line: line.Name, Policy: line.Policy, End: w.now, Operations: operations, Servers: len(w.cluster.Servers),
		Phases: r.phases, Latencies: r.hists, Samples: r.samples, ServerSamples: r.servers, Warnings: r.warnings(line.Policy)}
	for i := range w.exp.Tables {
		t := &w.cluster.Tables[i]
		out.Tables = append(out.Tables, results.Table{Name: w.exp.Tables[i].Name, Tablets: t.Tablets, HotServer: w.cluster.Tablets[t.First].Replicas[0].Server.ID})
	}
	r.count(out)
	return out, r.stuck(out)
}

// handOver gives out the ops and the waits, in order.
func (r *recorder) handOver(out *results.Run) {
	out.Ops = r.ops.take()
	slices.SortStableFunc(out.Ops, func(a, b results.Op) int {
		return cmp.Or(cmp.Compare(a.Chosen, b.Chosen), cmp.Compare(a.Server, b.Server))
	})
	out.Waits = r.waits.take()
	slices.SortStableFunc(out.Waits, func(a, b results.Wait) int {
		return cmp.Or(cmp.Compare(a.Since, b.Since), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Tablet, b.Tablet), cmp.Compare(a.Kind, b.Kind))
	})
}

// openWaits adds the ops that still wait at the end.
func (r *recorder) openWaits() {
	for s, m := range r.world.managers {
		m.OpenWaits(func(_, bucket, table int32, k policies.Kind, since engine.Time) {
			r.waits.add(results.Wait{Server: s, Table: int(table), Tablet: int(bucket), Kind: k.String(), Since: since, Until: r.world.now, Outcome: results.Open})
		})
	}
}
