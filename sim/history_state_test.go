package sim

import (
	"strings"

	"mmsim/results"
	"mmsim/sim/tablet"
)

// ofRequests is a figure of what clients asked.
func (p *historyRun) ofRequests(in *scope, what string) (float64, bool) {
	var count, sum, p95 float64
	for _, l := range p.Latencies {
		if l.Op != in.request || (in.phase != nil && l.Phase != in.phase.Name) || (in.table >= 0 && l.Table != p.Tables[in.table].Name) {
			continue
		}
		count, sum = count+float64(l.Count), sum+float64(l.SumNs)
		p95 = max(p95, float64(l.Hist.ValueAtPercentile(95)))
	}
	switch what {
	case "mean_us":
		return sum / count / 1e3, true
	case "p95_us":
		return p95, true
	}
	return 0, false
}

// ofSeries is a figure of the samples: its mean or its largest value.
func (p *historyRun) ofSeries(in *scope, what string) (float64, bool) {
	figures := map[string]func(*results.Sample) float64{
		"height":     func(s *results.Sample) float64 { return s.Height },
		"memory_mib": func(s *results.Sample) float64 { return float64(s.Memory) / mebi },
		"rowsets":    func(s *results.Sample) float64 { return float64(s.Rowsets) },
	}
	how, of, _ := strings.Cut(what, "_")
	figure := figures[of]
	if figure == nil {
		return 0, false
	}
	var all []float64
	at := int64(-1)
	for i := range p.Samples {
		s := &p.Samples[i]
		if !in.during(s.At) || (in.table >= 0 && s.Table != in.table) {
			continue
		}
		if s.At == at && of != "height" { // another table of the same time
			all[len(all)-1] += figure(s)
			continue
		}
		at = s.At
		all = append(all, figure(s))
	}
	return summary(all, how)
}

// atEnd is a figure of the whole run, or of its last state.
func (p *historyRun) atEnd(in *scope, what string) (float64, bool) {
	t := &p.Totals
	switch what {
	case "minutes":
		if in.phase != nil {
			return float64(in.phase.End-in.phase.Start) / 60e9, true
		}
		return float64(p.End) / 60e9, true
	case "rejected":
		return float64(t.RejectedMemory), true
	case "peak_percent":
		return t.PeakMemoryPercent, true
	case "looks":
		return float64(t.Decisions), true
	case "policy_runs":
		return float64(t.PolicyRuns), true
	case "drop_s":
		return p.drop(), true
	case "height":
		return p.sum(in, (*tablet.Replica).Height) / p.sum(in, func(*tablet.Replica) float64 { return 1 }), true
	case "rowsets":
		return p.sum(in, func(r *tablet.Replica) float64 { return float64(len(r.Rowsets)) }), true
	case "small_rowsets":
		return p.sum(in, p.small), true
	case "disk_mib":
		return p.sum(in, onDisk), true
	case "undo_mib":
		return p.sum(in, undo), true
	case "wal_mib":
		return p.sum(in, func(r *tablet.Replica) float64 { return float64(r.WAL.Bytes()) / mebi }), true
	case "memory_mib":
		return p.sum(in, func(r *tablet.Replica) float64 { return float64(r.Memory()) / mebi }), true
	}
	return 0, false
}

// sum adds a figure of all replicas in a scope.
func (p *historyRun) sum(in *scope, of func(*tablet.Replica) float64) (sum float64) {
	for _, s := range p.world.cluster.Servers {
		for _, r := range s.Replicas {
			if in.table < 0 || int(r.Table) == in.table {
				sum += of(r)
			}
		}
	}
	return sum
}

// small counts rowsets below half the target size.
func (p *historyRun) small(r *tablet.Replica) (n float64) {
	for _, rs := range r.Rowsets {
		if rs.Full() < int64(p.world.exp.Maintenance.TargetRowsetSize)/2 {
			n++
		}
	}
	return n
}

func onDisk(r *tablet.Replica) (mib float64) {
	for _, rs := range r.Rowsets {
		mib += float64(rs.Full()) / mebi
	}
	return mib
}

func undo(r *tablet.Replica) (mib float64) {
	for _, rs := range r.Rowsets {
		mib += float64(rs.Undo) / mebi
	}
	return mib
}

// drop is how long it took until no op ran any more on a table that was dropped, in seconds.
func (p *historyRun) drop() float64 {
	began := int64(-1)
	for _, phase := range p.Phases {
		for _, e := range phase.Events {
			switch {
			case strings.HasSuffix(e.Text, "dropped"):
				began = e.At
			case strings.HasSuffix(e.Text, "has ended") && began >= 0:
				return float64(e.At-began) / 1e9
			}
		}
	}
	if began < 0 {
		return nothing
	}
	for i := range p.Ops { // it runs still, or never ran
		if p.Ops[i].End < 0 {
			return float64(p.End-began) / 1e9
		}
	}
	return 0
}
