package sim

import (
	"context"
	"testing"

	"mmsim/configs"
	"mmsim/policies"
)

// BenchmarkPhases reports how many client operations a second of each phase of the review are simulated: the tables, clients and servers
// of review-15995 with fewer rows, so that an iteration takes about a second.
func BenchmarkPhases(b *testing.B) {
	for _, bench := range []struct {
		name   string
		phases int // run up to this phase; the last one is measured
		sets   []string
	}{
		{"a/insert", 1, []string{"phases[0].clients[1].workload.records=30000000", "phases[0].clients[0].workload.records=1000000"}},
		{"b/scan-update", 2, []string{"phases[0].clients[1].workload.records=10000000", "phases[0].clients[0].workload.records=1000000",
			"phases[1].clients[1].workload.operations=3000000", "phases[1].clients[0].workload.operations=300000"}},
		{"c/scan-insert", 3, []string{"phases[0].clients[1].workload.records=10000000", "phases[0].clients[0].workload.records=1000000",
			"phases[1].clients[1].workload.operations=1000", "phases[1].clients[0].workload.operations=1000",
			"phases[2].clients[1].workload.operations=10000000", "phases[2].clients[0].workload.operations=500000"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			e := reviewWith(b, bench.sets...)
			e.Phases = e.Phases[:bench.phases]
			b.ReportAllocs()
			var ops int64
			for range b.N {
				b.StopTimer()
				w := newTestWorld(b, e)
				for i := range bench.phases - 1 {
					runPhase(b, w, i)
				}
				b.StartTimer()
				ops += runPhase(b, w, bench.phases-1)
			}
			b.ReportMetric(float64(ops)/b.Elapsed().Seconds(), "ops/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(ops), "ns/op")
		})
	}
}

// reviewWith is the review's experiment with assignments on top.
func reviewWith(t testing.TB, sets ...string) *configs.Experiment {
	t.Helper()
	doc, err := configs.LoadEmbedded("review-15995")
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Set(sets...); err != nil {
		t.Fatal(err)
	}
	return doc.Experiment
}

func newTestWorld(t testing.TB, e *configs.Experiment) *world {
	t.Helper()
	spec := policies.Raw()
	policy, err := spec.New(policies.Values{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorld(e, policy, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func runPhase(t testing.TB, w *world, i int) int64 {
	t.Helper()
	n, err := w.phase(context.Background(), i, false, func(int64) {})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
