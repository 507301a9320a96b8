package oplog

import (
	"math"
	"strings"

	"mmsim/results"
)

// Unseen stands for a count or a number of bytes that a log does not tell; a float that it does not tell is NaN.
const Unseen = -1

// Op is one maintenance op of an op log.
type Op struct {
	Server        int
	Kind          string       // Kudu's name: CompactRowSetsOp
	Tablet        string       // table/bucket; where the table is not known, the tablet's id
	Role          string       // of the replica: "yes" = leader, "no", "" = not known
	Chosen        int64        //
	Ran           int64        // ns; Unseen = it had not ended when the log ends
	Rule          results.Rule // "" = not known
	Reason        string       // in Kudu's words
	Score         float64
	RAM           int64   // bytes of memory it anchored
	WAL           int64   // bytes of WAL it retained or frees
	Data          int64   // bytes of data a GC frees
	MemoryPercent float64 // % of the hard limit

	Inputs, Outputs           int
	BytesRead, BytesWritten   int64
	HeightBefore, HeightAfter float64
}

// NewOp gives an op of which nothing is known but what it is and when it was chosen.
func NewOp(kind, tablet string, chosen int64) Op {
	nan := math.NaN()
	return Op{Kind: kind, Tablet: tablet, Chosen: chosen, Ran: Unseen, Score: nan, MemoryPercent: nan,
		RAM: Unseen, WAL: Unseen, Data: Unseen, Inputs: Unseen, Outputs: Unseen, BytesRead: Unseen, BytesWritten: Unseen,
		HeightBefore: nan, HeightAfter: nan}
}

// Table is the table of the op's tablet; "" = not known.
func (o *Op) Table() string { return TableOf(o.Tablet) }

// TableOf is the table of a tablet named as table/bucket, "" of any other.
func TableOf(tablet string) string {
	if slash := strings.LastIndexByte(tablet, '/'); slash >= 0 {
		return tablet[:slash]
	}
	return ""
}

// Idle says whether the op is known to have found nothing to do. Kudu schedules an op a second time if the first has not yet taken
// its locks.
func (o *Op) Idle() bool { return o.Inputs == 0 && strings.HasPrefix(o.Kind, "CompactRowSets") }

// setName takes Kind(tablet), or a kind alone, with Kudu's ending or without.
func (o *Op) setName(name string) {
	kind, tablet, ok := strings.Cut(name, "(")
	o.Kind = KindName(kind)
	if ok {
		o.Tablet = strings.TrimSuffix(tablet, ")")
	}
}

// KindName is Kudu's name of a kind that may be given without its ending: CompactRowSets for CompactRowSetsOp.
func KindName(kind string) string {
	if kind == "" || strings.HasSuffix(kind, "Op") {
		return kind
	}
	return kind + "Op"
}
