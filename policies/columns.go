package policies

import "strings"

// AllColumns has the bit of every column a policy can declare.
const AllColumns = ColWaitingSince<<1 - 1

var columnNames = [...]string{"perf", "ram", "wal", "data", "priority", "scans_per_sec", "rows_per_sec",
	"height_removed", "bytes", "seconds", "waiting_since"}

// Names gives the names of the columns set in c, in the order of their bits. Bits that no column has are left out.
func (c Column) Names() []string {
	names := []string{}
	for i, name := range columnNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String lists the columns: "perf, priority".
func (c Column) String() string { return strings.Join(c.Names(), ", ") }
