package configs

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestScaled(t *testing.T) {
	doc := mustLoad(t, "review-15995")
	before := doc.YAML()
	x, err := doc.Experiment.Scaled(0.01)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(before), string(doc.YAML())); diff != "" {
		t.Errorf("the experiment itself has changed:\n%s", diff)
	}
	b := x.Phases[1].Clients[1]
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"scale", x.Scale, 0.01},
		{"records", x.Phases[0].Clients[1].Workload.Records, int64(10_000_000)},
		{"operations", b.Workload.Operations, int64(100_000)},
		{"memory limit", x.Server.MemoryLimit, Bytes(600e6)},
		{"ram", x.Server.RAM, Bytes(750e6)},
		{"WAL segment", x.Server.WALSegmentSize, Bytes(83886)}, // 83886.08
		{"rowset, 4 times as coarse", x.Maintenance.TargetRowsetSize, Bytes(32 * 41944)},
		{"budget in weight units, as before", x.Maintenance.CompactionBudget, Bytes(128 * 41944)},
		{"weight unit, likewise", x.Maintenance.WeightUnit, Bytes(41944)},
		{"iterating over one", x.Machine.Scan.Iterate, Duration(4 * 2770)},
		{"fixed part of a compaction, as of four", x.Machine.Op.CompactFixed, Duration(253332)},
		{"window", x.Workload.MinInterval, Duration(600 * time.Millisecond)},
		{"starvation", x.Starvation.After, Duration(6 * time.Second)},
		{"fixed part of a flush", x.Machine.Op.FlushFixed, Duration(60 * time.Microsecond)},
		{"a flush by MiB", x.Machine.Op.FlushMiB, Duration(3 * time.Millisecond)},
		{"a scan", x.Machine.Scan.Fixed, Duration(34 * time.Microsecond)},
		{"threads", b.Threads, 16},
		{"buffer", b.Session.BufferOps, 2000},
		{"timer", b.Session.FlushInterval, Duration(time.Second)},
		{"tablets", x.Tables[0].Tablets, 64},
		{"polling off stays off", x.Maintenance.DataGCMinSize, Bytes(0)},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	for _, s := range []float64{0, -1, 1.1} {
		if _, err := doc.Experiment.Scaled(s); err == nil {
			t.Errorf("scale %v is accepted", s)
		}
	}
	same, err := doc.Experiment.Scaled(1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(doc.Experiment, same); diff != "" {
		t.Errorf("scale 1 changes something:\n%s", diff)
	}
}

func TestScaledInitial(t *testing.T) {
	doc, err := Parse("x.yaml", []byte(small+`
initial:
  - {table: t, memrowset_rows: 1000, rowsets: [{rows: 5000, size: 6MB, span: [0, 1], redo_files: 3, redo_rows: 200, undo: 9kB, undo_age: 70s, deleted: 10}, {rows: 1, span: [0, 0.5]}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Set("phases[0].duration=100s", "phases[0].events=[{after: 30s, manager: off}]"); err != nil {
		t.Fatal(err)
	}
	before := doc.YAML()
	x, err := doc.Experiment.Scaled(0.1)
	if err != nil {
		t.Fatal(err)
	}
	want := []Initial{{Table: "t", MemRowsetRows: 100, Rowsets: []InitialRowset{
		{Rows: 500, Size: 600_000, Span: []float64{0, 1}, RedoFiles: 3, RedoRows: 20, Undo: 900, UndoAge: 7 * second, Deleted: 1},
		{Rows: 1, Span: []float64{0, 0.5}},
	}}}
	if diff := cmp.Diff(want, x.Initial); diff != "" {
		t.Errorf("what is there at the start (-want +got):\n%s", diff)
	}
	if p := &x.Phases[0]; p.Duration != 10*second || p.Events[0].After != 3*second {
		t.Errorf("duration %v with an event after %v, want 10s and 3s", p.Duration, p.Events[0].After)
	}
	if diff := cmp.Diff(string(before), string(doc.YAML())); diff != "" {
		t.Errorf("the experiment itself has changed:\n%s", diff)
	}
}

// TestEveryOpTimeIsScaled: a time of maintenance that does not follow bytes or rows shrinks with the experiment, as it runs as many ops in less time.
func TestEveryOpTimeIsScaled(t *testing.T) {
	e := mustLoad(t, "review-15995").Experiment
	scaled := map[*Duration]bool{}
	for _, d := range e.scaledTimes() {
		scaled[d] = true
	}
	perByte := map[string]bool{"FlushMiB": true, "DMSMiB": true, "CompactMiB": true, "CompactInput": true, "DeltaRow": true}
	op := reflect.ValueOf(&e.Machine.Op).Elem()
	for i := range op.NumField() {
		name := op.Type().Field(i).Name
		if d, ok := op.Field(i).Addr().Interface().(*Duration); ok && scaled[d] == perByte[name] {
			t.Errorf("machine.op %s: scaled %v, a time for each byte or row %v: want one of the two", name, scaled[d], perByte[name])
		}
	}
}
