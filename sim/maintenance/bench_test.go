package maintenance

import (
	"testing"

	"mmsim/policies"
)

// BenchmarkLook is a look at 1000 candidates whose cached stats are good: compactions, MRS and DMS flushes of 334 tablets with nothing worth doing, so that every score is asked
// for. It must not allocate.
func BenchmarkLook(b *testing.B) {
	const tablets = 334
	m := newBench(b, 1, tablets, builtin(b, policies.WorkloadScaled(), nil))
	for i := range tablets {
		m.flushed(i)
		m.fillMRS(i, 10)
		m.replicas[i].Update(0, 1, .5, .9)
	}
	if err := m.Step(0); err != nil {
		b.Fatal(err)
	}
	if n := m.candidates.Len(); n < 1000 || len(m.ops) > 0 {
		b.Fatalf("%d candidates, %q ran", n, m.log())
	}
	b.ReportAllocs()
	looks := m.Decisions
	for b.Loop() {
		m.wake = 1
		if err := m.Step(1); err != nil {
			b.Fatal(err)
		}
	}
	if m.Decisions-looks < int64(b.N) {
		b.Errorf("%d looks in %d steps", m.Decisions-looks, b.N)
	}
}
