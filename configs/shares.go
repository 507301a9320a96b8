package configs

// Share is a kind of operation with its part of all.
type Share struct {
	Key   string
	Value float64
}

// Shares are the parts of a run phase's operations.
func (w *Workload) Shares() []Share {
	return []Share{{"read", w.Read}, {"update", w.Update}, {"insert", w.Insert}, {"scan", w.Scan}, {"read_modify_write", w.Modify}, {"delete", w.Delete}, {"upsert", w.Upsert}}
}

// shareNames are the keys of shares, for messages.
const shareNames = "read, update, insert, scan, read_modify_write, delete and upsert"

// sum is 1 in a run phase and 0 in a load phase.
func (w *Workload) sum() float64 {
	return w.Read + w.Update + w.Insert + w.Scan + w.Modify + w.Delete + w.Upsert
}

// OnlyInserts says whether the client loads: it has no shares of operations.
func (w *Workload) OnlyInserts() bool { return w.sum() == 0 }

// Inserted is the part of the operations that insert a row.
func (w *Workload) Inserted() float64 {
	if w.OnlyInserts() {
		return 1
	}
	return w.Insert + float64(w.Upsert*w.UpsertNew)
}

// Existing is the part of the operations that need a row that is there.
func (w *Workload) Existing() float64 {
	return w.Read + w.Update + w.Scan + w.Modify + float64(w.Upsert*(1-w.UpsertNew))
}

// Reads is the part of the operations that ask a server for rows.
func (w *Workload) Reads() float64 { return w.Read + w.Scan + w.Modify }

// Changes is the part of the operations that change or delete a row that is there.
func (w *Workload) Changes() float64 {
	return w.Update + w.Modify + w.Delete + float64(w.Upsert*(1-w.UpsertNew))
}

// Inserts says whether the client inserts rows.
func (w *Workload) Inserts() bool { return w.Inserted() > 0 }

// Loads says whether the client inserts a certain number of rows and does nothing else.
func (w *Workload) Loads() bool {
	return w.Existing()+w.Delete+w.Upsert == 0 && max(w.Records, w.Operations) > 0
}
