package resultstest

import (
	"pgregory.net/rapid"

	"mmsim/results"
)

func Draw(t *rapid.T) *results.Run {
	run := &results.Run{Servers: 2, Tables: []results.Table{{Name: "x"}, {Name: "y"}, {Name: "z"}}, End: 5000}
	for at := int64(0); at < run.End; at += rapid.Int64Range(1, 1500).Draw(t, "gap") {
		run.Ops = append(run.Ops, results.Op{Server: rapid.IntRange(0, 1).Draw(t, "server"), Table: rapid.IntRange(0, 2).Draw(t, "table"), Chosen: at})
	}
	for range rapid.IntRange(0, 30).Draw(t, "waits") {
		since := rapid.Int64Range(0, run.End).Draw(t, "since")
		run.Waits = append(run.Waits, results.Wait{
			Server: rapid.IntRange(0, 1).Draw(t, "server"), Table: rapid.IntRange(0, 1).Draw(t, "table"), // z stays idle
			Kind:  rapid.SampledFrom([]string{"FlushMRSOp", "CompactRowSetsOp", "LogGCOp"}).Draw(t, "kind"),
			Since: since, Until: rapid.Int64Range(since, run.End).Draw(t, "until"),
			Outcome: rapid.SampledFrom([]results.Outcome{results.Served, results.Lapsed, results.Open}).Draw(t, "outcome"),
		})
	}
	return run
}
