package results

import (
	"strings"
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

// Rows in which the runs agree are put together, and of the tables those are shown that some run left highest.
func TestWriteTotals(t *testing.T) {
	a, b := sampleRun("raw"), sampleRun("workload-scaled-10")
	b.Totals.Kinds = []KindTotals{{Kind: "FlushMRSOp", Count: 1300, Ns: 141e9, BytesWritten: 3 << 40}, {Kind: "LogGCOp", Count: 1, Ns: 250_000}}
	b.Totals.WriteAmplification = 12
	b.Totals.AtEnd = []TableEnd{{Table: "table-A", Rowsets: 7, Height: 1}, {Table: "table-B", Rowsets: 9, Height: 11.5}}
	for _, test := range []struct {
		runs   []*Run
		tables int
		want   string
	}{
		{[]*Run{a, b}, 1, `
totals                                                raw       workload-scaled-10
FlushMRS                              13     14s  14.9GiB   1,300   2m21s     3TiB
LogGC                                  0      0s       0B       1   250us       0B
ops that found nothing to do                            2                        0
write amplification                                  1.75                    12.00
table-B at the end: rowsets, height              64  1.00                  9 11.50
the same under all: bytes a MemRowSet flush 18B; writes rejected for memory 2; writes rejected, queue full 3;
  peak memory of a server 19B 61.5%; time under memory pressure 25.0%; most WAL held by a server 20B;
  maintenance threads idle 50.0%; looks at ops, simulated time 8 21ns
of tables at the end, shown are the 1 of 2 tables with the greatest height at the end; 1 left out; all are in result.json
`},
		{[]*Run{b}, 6, `
totals                                    workload-scaled-10
FlushMRS                              1,300   2m21s     3TiB
LogGC                                     1   250us       0B
ops that found nothing to do                               0
bytes a MemRowSet flush                                  18B
write amplification                                    12.00
writes rejected for memory                                 2
writes rejected, queue full                                3
peak memory of a server                            19B 61.5%
time under memory pressure                             25.0%
most WAL held by a server                                20B
maintenance threads idle                               50.0%
looks at ops, simulated time                          8 21ns
table-A at the end: rowsets, height                  7  1.00
table-B at the end: rowsets, height                  9 11.50
`},
	} {
		var out strings.Builder
		if err := WriteTotals(&out, test.runs, test.tables); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), out.String()); diff != "" {
			t.Errorf("%s\n%s", diff, out.String())
		}
	}
}

func TestShortBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0B", 5: "5B", 999: "999B", 1000: "0.98KiB", 1024: "1KiB", 12_700: "12.4KiB", 10 << 20: "10MiB", 5<<30 + 1<<29: "5.5GiB", 1 << 62: "4096PiB"} {
		if got := shortBytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestWriteStuck(t *testing.T) {
	var out strings.Builder
	WriteStuck(&out, []*Run{sampleRun("raw")}, 1)
	want := "raw: table-A: 2 replicas: settled, budget: no selection that gains enough fits into compaction_budget; highest CompactRowSetsOp(table-A/3) at height 3.25 on server 5, for 23.5s\n" +
		"1 more, of lower tablets, are in result.json\n"
	if out.String() != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
	out.Reset()
	WriteStuck(&out, []*Run{{}}, 1)
	if !strings.HasPrefix(out.String(), "none: ") {
		t.Error(out.String())
	}
}
