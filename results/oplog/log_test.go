package oplog

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"mmsim/results"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestFormats: what is written can be read again, unknown or not, and the ops.tsv of a run as well.
func TestFormats(t *testing.T) {
	known := NewOp("CompactRowSetsOp", "ta/3", -15e8)
	known.Server, known.Role, known.Ran = 1, "no", 25e7
	known.SetReason("perf score=1.500000")
	known.Inputs, known.Outputs, known.BytesRead, known.BytesWritten, known.HeightBefore, known.HeightAfter = 3, 2, 100, 90, 3.5, 1
	pressed := NewOp("FlushMRSOp", "1e28764c", 2e9)
	pressed.SetReason("under memory pressure (61.25% used), 50 bytes log retention, and flush 60 bytes memory")
	l := &Log{Ops: []Op{known, pressed, NewOp("LogGCOp", "ta/0", 3e9)}}
	var text bytes.Buffer
	if err := l.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := Read("x", &text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l.Ops, again.Ops, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if again.Servers != 2 || again.End != 3e9 {
		t.Errorf("%d servers until %d", again.Servers, again.End)
	}
}

func TestReadRefuses(t *testing.T) {
	const head = "op\tchosen_s\tran_s\tinputs\n"
	for text, want := range map[string]string{
		head:                                    "x: no op in it",
		head + "FlushMRSOp(a/0)\t1\n":           "x:2: 2 columns, want 4: is the file cut off?",
		head + "FlushMRSOp(a/0)\tone\t\t\n":     `x:2: chosen_s: "one" is not a number of seconds`,
		head + "FlushMRSOp(a/0)\t\t1\t\n":       "x:2: the op has no time",
		head + "FlushMRSOp\t1\t1\t\n":           "x:2: FlushMRSOp has no tablet",
		head + "\t1\t1\t\n":                     "x:2: the op has no name",
		head + "FlushMRSOp(a/0)\t1\t-1\t\n":     `x:2: ran_s: "-1" is below 0`,
		head + "FlushMRSOp(a/0)\t1\t1\tseven\n": `x:2: inputs: "seven" is not a whole number from 0 to 2147483647`,
	} {
		if _, err := Read("x", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
	for header, want := range map[string]bool{Header: true, "start_s\top\ttablet": true, "t_s\tta/0": false, "op": false, "Log file created at: 2026": false} {
		if Is(header) != want {
			t.Errorf("%s: %v", header, !want)
		}
	}
}

// TestOf: heights of tablets come from what ops found and left, on one server at a time.
func TestOf(t *testing.T) {
	op := func(server, tablet int, chosen, end int64, before, after float64) results.Op {
		return results.Op{Server: server, Kind: "CompactRowSetsOp", Tablet: tablet, Chosen: chosen, End: end, Rule: results.RulePerf, Score: before - after,
			Inputs: 2, HeightBefore: before, HeightAfter: after}
	}
	run := &results.Run{Line: "raw", Servers: 2, End: 10e9, Tables: []results.Table{{Name: "ta", Tablets: 2}},
		Ops:     []results.Op{op(0, 0, 1e9, 4e9, 3, 1), op(0, 0, 2e9, 3e9, 3, 2), op(1, 1, 2e9, 3e9, 5, 4), op(0, 1, 5e9, -1, 2, 0)},
		Samples: []results.Sample{{At: 1e9, Height: 3}, {At: 2e9, Height: 2}}}
	l := Of(run)
	if diff := cmp.Diff([]HeightLine{{"ta", []int64{1e9, 2e9}, []float64{3, 2}}}, l.Tables); diff != "" || l.Tablets != nil {
		t.Error(diff, l.Tablets)
	}
	if last := l.Ops[3]; last.Ran != Unseen || !math.IsNaN(last.HeightAfter) || last.Tablet != "ta/1" || last.Score != 2 {
		t.Errorf("%+v", last)
	}
	l.Only(0)
	want := []HeightLine{{"ta/0", []int64{1e9, 3e9, 4e9}, []float64{3, 2, 1}}, {"ta/1", []int64{1e9}, []float64{2}}}
	if diff := cmp.Diff(want, l.Tablets); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]HeightLine{{"ta", []int64{1e9, 3e9, 4e9}, []float64{2.5, 2, 1.5}}}, l.Tables); diff != "" {
		t.Error(diff)
	}
	l.Shift(1e9)
	l.Rename(map[string]string{"ta/1": "tz/1"})
	if l.Ops[0].Chosen != 0 || l.End != 9e9 || l.Tablets[0].At[1] != 2e9 || l.Ops[2].Tablet != "tz/1" || l.Tablets[1].Name != "tz/1" {
		t.Errorf("%+v", l)
	}
}
