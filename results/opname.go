package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mmsim/reading"
)

// OpName names a maintenance op: its kind, its table and the hash bucket of its tablet, as in FlushMRSOp(table-A/3).
func OpName(kind, table string, tablet int) string {
	return kind + "(" + table + "/" + strconv.Itoa(tablet) + ")"
}

// SplitOpName takes an op's name apart.
func SplitOpName(name string) (kind, table string, tablet int, err error) {
	kind, rest, ok := strings.Cut(name, "(")
	rest, closed := strings.CutSuffix(rest, ")")
	slash := strings.LastIndexByte(rest, '/')
	if !ok || !closed || slash < 0 {
		return "", "", 0, fmt.Errorf("%q is not the name of a maintenance op", name)
	}
	bucket, ok := reading.Whole(rest[slash+1:], 0, math.MaxInt32)
	if !ok {
		return "", "", 0, fmt.Errorf("%q is not the name of a maintenance op: %q is no tablet's number", name, rest[slash+1:])
	}
	return kind, rest[:slash], int(bucket), nil
}

// Reason says in the words of Kudu's maintenance manager why the op was chosen.
func (o *Op) Reason() string { return string(o.AppendReason(nil)) }

// AppendReason appends the reason to b.
func (o *Op) AppendReason(b []byte) []byte {
	switch o.Rule {
	case RuleLogGC:
		b = append(b, "free "...)
		b = strconv.AppendInt(b, o.WAL, 10)
		return append(b, " bytes of WAL"...)
	case RuleMemory:
		b = append(b, "under memory pressure ("...)
		b = strconv.AppendFloat(b, o.MemoryPercent, 'f', 2, 64)
		return appendAnchored(append(b, "% used), "...), o)
	case RuleLogRetention:
		return appendAnchored(b, o)
	case RuleDataGC:
		b = strconv.AppendInt(b, o.Data, 10)
		return append(b, " bytes on disk"...)
	default:
		b = append(b, "perf score="...)
		return strconv.AppendFloat(b, o.Score, 'f', 6, 64)
	}
}

func appendAnchored(b []byte, o *Op) []byte {
	b = strconv.AppendInt(b, o.WAL, 10)
	b = append(b, " bytes log retention, and flush "...)
	b = strconv.AppendInt(b, o.RAM, 10)
	return append(b, " bytes memory"...)
}
