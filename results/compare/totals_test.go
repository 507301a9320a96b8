package compare

import (
	"strings"
	"testing"

	"mmsim/results"
	"mmsim/results/resultstest"

	"github.com/google/go-cmp/cmp"
)

// Rows in which the runs agree are put together, and of the tables those are shown that some run left highest.
func TestWriteTotals(t *testing.T) {
	a, b := resultstest.Run("raw"), resultstest.Run("workload-scaled-10")
	b.Totals.Kinds = []results.KindTotals{{Kind: "FlushMRSOp", Count: 1300, Ns: 141e9, BytesWritten: 3 << 40}, {Kind: "LogGCOp", Count: 1, Ns: 250_000}}
	b.Totals.WriteAmplification = 12
	b.Totals.AtEnd = []results.TableEnd{{Table: "table-A", Rowsets: 7, Height: 1}, {Table: "table-B", Rowsets: 9, Height: 11.5}}
	for _, test := range []struct {
		runs   []*results.Run
		tables int
		want   string
	}{
		{[]*results.Run{a, b}, 1, `
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
		{[]*results.Run{b}, 6, `
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
