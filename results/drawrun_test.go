package results

import "pgregory.net/rapid"

func drawRun(t *rapid.T) *Run {
	run := &Run{Servers: 2, Tables: []Table{{Name: "x"}, {Name: "y"}, {Name: "z"}}, End: 5000}
	for at := int64(0); at < run.End; at += rapid.Int64Range(1, 1500).Draw(t, "gap") {
		run.Ops = append(run.Ops, Op{Server: rapid.IntRange(0, 1).Draw(t, "server"), Table: rapid.IntRange(0, 2).Draw(t, "table"), Chosen: at})
	}
	for range rapid.IntRange(0, 30).Draw(t, "waits") {
		since := rapid.Int64Range(0, run.End).Draw(t, "since")
		run.Waits = append(run.Waits, Wait{
			Server: rapid.IntRange(0, 1).Draw(t, "server"), Table: rapid.IntRange(0, 1).Draw(t, "table"), // z stays idle
			Kind:  rapid.SampledFrom([]string{"FlushMRSOp", "CompactRowSetsOp", "LogGCOp"}).Draw(t, "kind"),
			Since: since, Until: rapid.Int64Range(since, run.End).Draw(t, "until"),
			Outcome: rapid.SampledFrom([]Outcome{Served, Lapsed, Open}).Draw(t, "outcome"),
		})
	}
	return run
}
