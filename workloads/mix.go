package workloads

// Op is what a client does in one operation.
type Op uint8

// Operations, in the order in which YCSB lays them out over a uniform.
const (
	Read Op = iota
	Update
	Insert
	Scan
)

// String gives YCSB's name of the operation.
func (o Op) String() string { return [...]string{"READ", "UPDATE", "INSERT", "SCAN"}[o&3] }

// Mix chooses operations by their proportions.
type Mix struct {
	update, insert, scan float64 // where each operation's share of [0, 1) begins
}

// NewMix takes the weights of the operations, each 0 or more and not all 0. Only their ratios count.
func NewMix(read, update, insert, scan float64) *Mix {
	total := read + update + insert + scan
	return &Mix{
		update: read / total,
		insert: (read + update) / total,
		scan:   (read + update + insert) / total,
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
	default:
		return Scan
	}
}
