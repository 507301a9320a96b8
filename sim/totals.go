package sim

import (
	"mmsim/policies"
	"mmsim/results"
	"mmsim/sim/maintenance"
)

// sum adds an op to the totals of its kind.
func (r *recorder) sum(m *maintenance.Record) {
	k := &r.kinds[m.Kind]
	k.Count++
	end := m.End
	if end < 0 {
		k.Running++
		end = r.world.now
	}
	if m.Idle {
		k.Idle++
	}
	k.Ns += end - m.Chosen
	k.BytesRead += m.BytesRead
	k.BytesWritten += m.BytesWritten
}

// count fills the totals.
func (r *recorder) count(out *results.Run) {
	t := &r.totals
	for _, s := range r.world.cluster.Servers {
		t.WriteRPCs += s.Counts.WriteRPCs
		t.RejectedMemory += s.Counts.RejectedMemory
		t.RejectedQueue += s.Counts.RejectedQueue
		t.ColdReads += s.Counts.ColdReads
		t.WALBytes += s.Counts.WALBytes
		t.PeakMemoryPercent = max(t.PeakMemoryPercent, s.Memory.PeakPercent())
		t.PeakMemory = max(t.PeakMemory, s.Memory.Peak())
	}
	for i := range r.hists {
		r.countOperations(&r.hists[i])
	}
	for k := range r.kinds {
		if r.kinds[k].Count > 0 {
			r.kinds[k].Kind = policies.Kind(k).String()
			t.Kinds = append(t.Kinds, r.kinds[k])
		}
	}
	servers := len(r.world.cluster.Servers)
	if r.world.now > 0 {
		t.PressureShare = float64(r.pressed) / (float64(r.world.now) * float64(servers))
	}
	t.Complete(out, r.world.exp.Maintenance.Threads*servers)
	out.Totals = *t
}

// countOperations counts what clients did, and the bytes that they wrote.
func (r *recorder) countOperations(l *results.Latency) {
	record := &r.world.exp.Tables[r.world.table(l.Table)].Record
	key, field := int64(record.KeyLength), int64(record.FieldLength)
	t := &r.totals
	switch l.Op {
	case "INSERT":
		t.Inserts += l.Count
		t.ClientBytes += l.Count * (key + int64(record.Fields)*field)
	case "UPDATE":
		t.Updates += l.Count
		t.ClientBytes += l.Count * (key + field)
	case "DELETE":
		t.Deletes += l.Count
		t.ClientBytes += l.Count * key
	case "UPSERT":
		t.Upserts += l.Count
		t.ClientBytes += l.Count * (key + int64(record.Fields)*field)
	case "SCAN":
		t.Scans += l.Count
	}
}
