package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"mmsim/policies"
)

// column is one column of a decision: where it is in a message and in a candidate table, and how its values are laid out.
type column struct {
	bit    policies.Column // 0: always sent
	name   string
	raw    func(*Decide) *[]byte
	values values
}

// values packs one column of a candidate table and unpacks it again.
type values interface {
	pack(dst []byte, c *candidates) []byte
	unpack(src []byte, c *candidates)
	width() int // bytes of one value
}

type candidates = policies.Candidates

var columns = []column{
	{0, "kind", func(m *Decide) *[]byte { return &m.Kind }, kinds{}},
	{0, "table", func(m *Decide) *[]byte { return &m.Table }, int32s(func(c *candidates) *[]int32 { return &c.Table })},
	{0, "tablet", func(m *Decide) *[]byte { return &m.Tablet }, int32s(func(c *candidates) *[]int32 { return &c.Tablet })},
	{policies.ColPerf, "perf", func(m *Decide) *[]byte { return &m.Perf }, floats(func(c *candidates) *[]float64 { return &c.Perf })},
	{policies.ColRAM, "ram", func(m *Decide) *[]byte { return &m.Ram }, int64s(func(c *candidates) *[]int64 { return &c.RAM })},
	{policies.ColWAL, "wal", func(m *Decide) *[]byte { return &m.Wal }, int64s(func(c *candidates) *[]int64 { return &c.WAL })},
	{policies.ColData, "data", func(m *Decide) *[]byte { return &m.Data }, int64s(func(c *candidates) *[]int64 { return &c.Data })},
	{policies.ColPriority, "priority", func(m *Decide) *[]byte { return &m.Priority }, int32s(func(c *candidates) *[]int32 { return &c.Priority })},
	{policies.ColScansPerSec, "scans_per_sec", func(m *Decide) *[]byte { return &m.ScansPerSec }, floats(func(c *candidates) *[]float64 { return &c.ScansPerSec })},
	{policies.ColRowsPerSec, "rows_per_sec", func(m *Decide) *[]byte { return &m.RowsPerSec }, floats(func(c *candidates) *[]float64 { return &c.RowsPerSec })},
	{policies.ColHeightRemoved, "height_removed", func(m *Decide) *[]byte { return &m.HeightRemoved }, floats(func(c *candidates) *[]float64 { return &c.HeightRemoved })},
	{policies.ColBytes, "bytes", func(m *Decide) *[]byte { return &m.Bytes }, int64s(func(c *candidates) *[]int64 { return &c.Bytes })},
	{policies.ColSeconds, "seconds", func(m *Decide) *[]byte { return &m.Seconds }, floats(func(c *candidates) *[]float64 { return &c.Seconds })},
	{policies.ColWaitingSince, "waiting_since", func(m *Decide) *[]byte { return &m.WaitingSince }, int64s(func(c *candidates) *[]int64 { return &c.WaitingSince })},
}

// Pack writes the candidates into m: the columns in want, and those that are always sent. It reuses m's buffers.
func (m *Decide) Pack(c *policies.Candidates, want policies.Column) {
	m.Rows = uint32(c.Len())
	for _, col := range columns {
		if col.bit&^want == 0 {
			raw := col.raw(m)
			*raw = col.values.pack((*raw)[:0], c)
		}
	}
}

// Unpack reads the candidates out of m, of which the columns in want must be there for every row. Other columns become
// empty. It reuses c's slices.
func (m *Decide) Unpack(c *candidates, want policies.Column) error {
	for _, col := range columns {
		src, need := *col.raw(m), int(m.Rows)*col.values.width()
		if col.bit&^want != 0 {
			src, need = nil, 0
		}
		if len(src) != need {
			return fmt.Errorf("column %s has %d bytes, not %d for %d rows", col.name, len(src), need, m.Rows)
		}
		col.values.unpack(src, c)
	}
	return nil
}

// PackScores appends scores to dst.
func PackScores(dst []byte, scores []float64) []byte {
	for _, s := range scores {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(s))
	}
	return dst
}

// UnpackScores fills scores from src, which must hold as many.
func UnpackScores(scores []float64, src []byte) error {
	if len(src) != 8*len(scores) {
		return fmt.Errorf("%d bytes of scores, not %d for %d candidates", len(src), 8*len(scores), len(scores))
	}
	for i := range scores {
		scores[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
	}
	return nil
}

// kinds lays op kinds out as bytes.
type kinds struct{}

func (kinds) width() int { return 1 }

func (kinds) pack(dst []byte, c *candidates) []byte {
	for _, k := range c.Kind {
		dst = append(dst, byte(k))
	}
	return dst
}

func (kinds) unpack(src []byte, c *candidates) {
	c.Kind = c.Kind[:0]
	for _, b := range src {
		c.Kind = append(c.Kind, policies.Kind(b))
	}
}

// int32s lays a column of 32-bit integers out as 4 bytes each.
type int32s func(*candidates) *[]int32

func (int32s) width() int { return 4 }

func (f int32s) pack(dst []byte, c *candidates) []byte {
	for _, v := range *f(c) {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

func (f int32s) unpack(src []byte, c *candidates) {
	dst := (*f(c))[:0]
	for ; len(src) > 0; src = src[4:] {
		dst = append(dst, int32(binary.LittleEndian.Uint32(src)))
	}
	*f(c) = dst
}

// int64s lays a column of 64-bit integers out as 8 bytes each.
type int64s func(*candidates) *[]int64

func (int64s) width() int { return 8 }

func (f int64s) pack(dst []byte, c *candidates) []byte {
	for _, v := range *f(c) {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
	}
	return dst
}

func (f int64s) unpack(src []byte, c *candidates) {
	dst := (*f(c))[:0]
	for ; len(src) > 0; src = src[8:] {
		dst = append(dst, int64(binary.LittleEndian.Uint64(src)))
	}
	*f(c) = dst
}

// floats lays a column of floats out as the 8 bytes of their bits, so that no score changes on the way.
type floats func(*candidates) *[]float64

func (floats) width() int { return 8 }

func (f floats) pack(dst []byte, c *candidates) []byte {
	return PackScores(dst, *f(c))
}

func (f floats) unpack(src []byte, c *candidates) {
	dst := (*f(c))[:0]
	for ; len(src) > 0; src = src[8:] {
		dst = append(dst, math.Float64frombits(binary.LittleEndian.Uint64(src)))
	}
	*f(c) = dst
}
