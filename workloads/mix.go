package workloads

// Op is what a client does in one operation.
type Op uint8

// Operations, in the order in which they are laid out over a uniform: YCSB's, then those that YCSB's core workload does not have.
const (
	Read Op = iota
	Update
	Insert
	Scan
	ReadModifyWrite // reads a row, then updates it
	Delete
	Upsert // inserts a row, or updates it if it is there
	NumOps
)

var opNames = [NumOps]string{"READ", "UPDATE", "INSERT", "SCAN", "READ-MODIFY-WRITE", "DELETE", "UPSERT"}

// String gives YCSB's name of the operation.
func (o Op) String() string { return opNames[o] }

// Reads says whether an operation asks a server before it does anything else.
func (o Op) Reads() bool { return o == Read || o == Scan || o == ReadModifyWrite }

// Shares are the weights of operations, each 0 or more. Only their ratios count.
type Shares struct{ Read, Update, Insert, Scan, ReadModifyWrite, Delete, Upsert float64 }

// Mix chooses operations by their proportions.
type Mix struct {
	Shares
	update, insert, scan, modify, delete, upsert float64 // where each operation's share of [0, 1) begins
}

// NewMix takes the weights of the operations, not all 0.
func NewMix(s Shares) *Mix {
	known := s.Read + s.Update + s.Insert + s.Scan // added up first, so that a mix of these has the same bounds with other operations or without
	total := known + s.ReadModifyWrite + s.Delete + s.Upsert
	return &Mix{
		Shares: s,
		update: s.Read / total,
		insert: (s.Read + s.Update) / total,
		scan:   (s.Read + s.Update + s.Insert) / total,
		modify: known / total,
		delete: (known + s.ReadModifyWrite) / total,
		upsert: (known + s.ReadModifyWrite + s.Delete) / total,
	}
}

// At is the operation for the uniform u in [0, 1).
func (m *Mix) At(u float64) Op {
	switch {
	case u < m.update:
		return Read
	case u < m.insert:
		return Update
	case u < m.scan:
		return Insert
	case u < m.modify:
		return Scan
	case u < m.delete:
		return ReadModifyWrite
	case u < m.upsert:
		return Delete
	default:
		return Upsert
	}
}
