// Package policies defines how the waiting maintenance ops of a server are ranked, and the policies that ship with mmsim.
package policies

import "fmt"

// Kind is the kind of a maintenance op. The order is that of the op names in Kudu, so it is also the order of rows.
type Kind uint8

// The eight op kinds of a Kudu tablet replica.
const (
	CompactRowSets Kind = iota
	DeletedRowSetGC
	FlushDeltaMemStores
	FlushMRS
	LogGC
	MajorDeltaCompaction
	MinorDeltaCompaction
	UndoDeltaBlockGC
	NumKinds
)

var kindNames = [NumKinds]string{"CompactRowSetsOp", "DeletedRowSetGCOp", "FlushDeltaMemStoresOp", "FlushMRSOp",
	"LogGCOp", "MajorDeltaCompactionOp", "MinorDeltaCompactionOp", "UndoDeltaBlockGCOp"}

// String gives Kudu's name of the kind.
func (k Kind) String() string {
	if k < NumKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// IsFlush says whether the kind gets Kudu's FLUSH workload score (reads only).
func (k Kind) IsFlush() bool { return k == FlushMRS || k == FlushDeltaMemStores }

// IsCompaction says whether the kind gets Kudu's COMPACT workload score (reads and writes).
func (k Kind) IsCompaction() bool {
	return k == CompactRowSets || k == MajorDeltaCompaction || k == MinorDeltaCompaction
}

// Candidates are the runnable ops of one server at one decision, as columns; row i is one op. Rows are sorted by op
// name (kind, then tablet), which is Kudu's order, so that the first of equal scores is Kudu's choice too.
// A policy must not keep or change the slices.
type Candidates struct {
	Kind          []Kind
	Table         []int32   // table's position in the experiment
	Tablet        []int32   // tablet's id, unique in the cluster
	Perf          []float64 // Kudu's raw perf_improvement
	RAM           []int64   // bytes of memory the op would free
	WAL           []int64   // bytes of WAL that its store retains
	Data          []int64   // bytes on disk that a data GC would free
	Priority      []int32   // of the table, as set: not clamped
	ScansPerSec   []float64 // of the tablet replica, by Kudu's window
	RowsPerSec    []float64 // rows written, by Kudu's window
	HeightRemoved []float64 // average rowset height the op would remove
	Bytes         []int64   // estimated bytes the op moves: read and written by a compaction, written by the others, freed by a log GC
	Seconds       []float64 // estimated run time
	WaitingSince  []int64   // ns of simulated time since which the op could have won
}

// Len is the number of candidates.
func (c *Candidates) Len() int { return len(c.Kind) }

// Policy ranks the candidates of one server. One instance serves a whole run and is called from one goroutine.
// It sets scores[i] for every row i; scores holds zeros on entry and has Len elements. The manager runs the op with the highest
// score above 0; the first row wins a tie. A NaN or infinite score is an error and ends the run. Scores may depend on
// nothing but the arguments, the policy's parameters and what it remembers of earlier calls in the run.
// An op whose Perf is 0 or less has nothing to gain: every tablet always offers a compaction, and one of Perf 0 would merge nothing. It must get a score of
// 0 or less, or the manager runs it again and again. Only ops of garbage collection have work to do at Perf 0, and Kudu's rules take those before
// scores count; a policy that ranks everything must score them by WAL and Data, and flushes by RAM.
// now is simulated time in ns, server the position of the server in the cluster.
type Policy interface {
	Score(now int64, server int, c *Candidates, scores []float64) error
}

// ParamType is the type of a parameter's value.
type ParamType string

// Types of parameters.
const (
	Float  ParamType = "float"
	Int    ParamType = "int"
	Bool   ParamType = "bool"
	Choice ParamType = "choice" // one of Param.Choices
)

// Param is a parameter that a policy declares.
type Param struct {
	Name    string
	Type    ParamType
	Default any     // float64, int64, bool or string, by Type
	Min     float64 // of Float and Int, inclusive
	Max     float64
	Choices []string
	Help    string // one sentence with the unit
}

// Values are a policy's parameters after checking: every declared name is present, with the Go type of its Default.
type Values map[string]any

// Float gives a parameter declared Float.
func (v Values) Float(name string) float64 { return v[name].(float64) }

// Int gives a parameter declared Int.
func (v Values) Int(name string) int64 { return v[name].(int64) }

// Bool gives a parameter declared Bool.
func (v Values) Bool(name string) bool { return v[name].(bool) }

// Text gives a parameter declared Choice.
func (v Values) Text(name string) string { return v[name].(string) }

// Column is a bit for each column of Candidates.
type Column uint32

// The columns a policy can declare that it reads. Kind, table and tablet are always sent.
const (
	ColPerf Column = 1 << iota
	ColRAM
	ColWAL
	ColData
	ColPriority
	ColScansPerSec
	ColRowsPerSec
	ColHeightRemoved
	ColBytes
	ColSeconds
	ColWaitingSince
)

// Spec is a policy as it is registered and served. The same Spec is a built-in and a plugin.
type Spec struct {
	Name            string
	Version         string
	Summary         string // one sentence
	Params          []Param
	Columns         Column // the columns it reads
	RanksEverything bool   // true: Kudu's rules before the scores (log GC, memory pressure, log retention, data GC) are skipped
	New             func(Values) (Policy, error)
}
