package waits

import (
	"strings"
	"testing"

	"mmsim/results"
	"mmsim/results/resultstest"
)

func BenchmarkStarvation(b *testing.B) {
	run := resultstest.Big(200_000)
	for b.Loop() {
		Starvation(run, 600e9)
	}
}

func TestWriteStuck(t *testing.T) {
	var out strings.Builder
	r := &results.Result{Runs: []*results.Run{resultstest.Run("raw")}}
	Judge(r, 60e9)
	WriteStuck(&out, r, 1)
	want := "raw: table-A: 2 replicas: settled, budget: no selection that gains enough fits into compaction_budget; highest CompactRowSetsOp(table-A/3) at height 3.25 on server 5, for 23.5s\n" +
		"1 more, of lower tablets, are in result.json\n"
	if out.String() != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
	out.Reset()
	WriteStuck(&out, &results.Result{Runs: []*results.Run{{}}, Stuck: [][]results.StuckGroup{nil}}, 1)
	if !strings.HasPrefix(out.String(), "none: ") {
		t.Error(out.String())
	}
}
