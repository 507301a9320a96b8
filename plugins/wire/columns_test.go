package wire

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/policies"
)

// table has two rows with the extremes of every type.
func table() *policies.Candidates {
	whole := []int64{math.MinInt64, math.MaxInt64}
	real := []float64{math.SmallestNonzeroFloat64, -math.MaxFloat64}
	return &policies.Candidates{
		Kind: []policies.Kind{policies.CompactRowSets, policies.UndoDeltaBlockGC}, Table: []int32{0, math.MaxInt32},
		Tablet: []int32{7, 8}, Perf: real, RAM: whole, WAL: whole, Data: whole, Priority: []int32{math.MinInt32, 5},
		ScansPerSec: real, RowsPerSec: real, HeightRemoved: real, Bytes: whole, Seconds: real, WaitingSince: whole,
	}
}

func TestUnpackGivesWhatWasPacked(t *testing.T) {
	var m Decide
	var got policies.Candidates
	for range 2 { // the second time into used buffers
		m.Pack(table(), policies.AllColumns)
		if err := m.Unpack(&got, policies.AllColumns); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(table(), &got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOnlyDeclaredColumnsAreSent(t *testing.T) {
	var m Decide
	m.Pack(table(), policies.ColPerf)
	if len(m.Perf) != 16 || len(m.Kind) != 2 || len(m.Table) != 8 || len(m.Tablet) != 8 {
		t.Errorf("a declared column is missing: %v", &m)
	}
	for _, col := range columns {
		if col.bit&^policies.ColPerf != 0 && len(*col.raw(&m)) > 0 {
			t.Errorf("column %s was sent", col.name)
		}
	}
}

// TestEveryColumnIsListed keeps the table of columns in step with the declared bits.
func TestEveryColumnIsListed(t *testing.T) {
	var bits policies.Column
	for _, col := range columns {
		bits |= col.bit
	}
	if bits != policies.AllColumns {
		t.Errorf("columns %b, not %b", bits, policies.AllColumns)
	}
}

func TestUnpackRefusesWrongSizes(t *testing.T) {
	var m Decide
	m.Pack(table(), policies.ColPerf)
	m.Perf = m.Perf[:15]
	err := m.Unpack(&policies.Candidates{}, policies.ColPerf)
	if want := "column perf has 15 bytes, not 16 for 2 rows"; err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
	if err := UnpackScores(make([]float64, 2), make([]byte, 17)); err == nil {
		t.Error("17 bytes were taken for 2 scores")
	}
}
