package results

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What follows from the other numbers, worked out by hand.
func TestCompleteTotals(t *testing.T) {
	run := &Run{Servers: 2, End: 100e9, Tables: []Table{{Name: "x"}, {Name: "y"}, {Name: "dropped"}},
		Samples:       []Sample{{At: 50e9, Table: 0, Rowsets: 9, Height: 3}, {At: 50e9, Table: 1, Rowsets: 1, Height: 1}, {At: 100e9, Table: 0, Rowsets: 5, Height: 2.5, HotHeight: 2, RedoFiles: 3, Memory: 11, WAL: 12}, {At: 100e9, Table: 1}},
		ServerSamples: []ServerSample{{At: 50e9, Server: 0, WAL: 70}, {At: 50e9, Server: 1, WAL: 90}, {At: 100e9, Server: 0, WAL: 80}, {At: 100e9, Server: 1, WAL: 10}}}
	got := Totals{WALBytes: 1200, ClientBytes: 1000, Kinds: []KindTotals{
		{Kind: "CompactRowSetsOp", Count: 2, Ns: 60e9, BytesRead: 5000, BytesWritten: 2000}, {Kind: "FlushMRSOp", Count: 4, Ns: 39e9, BytesWritten: 1000}, {Kind: "LogGCOp", Count: 1, Ns: 1e9}}}
	want := got
	got.Complete(run, 4)
	want.BytesAFlush = 250
	want.WriteAmplification = 4.2 // (1200 + 2000 + 1000) / 1000
	want.IdleThreads = 0.75       // 100 s of 4 threads for 100 s
	want.MaxWALHeld = 90
	want.AtEnd = []TableEnd{{Table: "x", Rowsets: 5, Height: 2.5, HotHeight: 2, RedoFiles: 3, Memory: 11, WAL: 12}, {Table: "y"}, {Table: "dropped"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
