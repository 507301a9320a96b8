package host

import (
	"fmt"
	"testing"

	"mmsim/policies"
)

// BenchmarkDecision times one decision of the costliest built-in, in process and out of process.
func BenchmarkDecision(b *testing.B) {
	local, _ := policies.Lookup("priority-weighted")
	remote := open(b, binary(local.Name)).Spec()
	for _, rows := range []int{20, 200, 2000} {
		for _, side := range []struct {
			name string
			spec policies.Spec
		}{{"in", *local}, {"out", remote}} {
			b.Run(fmt.Sprintf("%s/%d", side.name, rows), func(b *testing.B) { decide(b, side.spec, rows) })
		}
	}
}

func decide(b *testing.B, spec policies.Spec, rows int) {
	values, err := spec.Resolve(nil)
	if err != nil {
		b.Fatal(err)
	}
	policy, err := spec.New(values)
	if err != nil {
		b.Fatal(err)
	}
	c := busyServer(rows)
	scores := make([]float64, rows)
	b.ReportAllocs()
	for b.Loop() {
		clear(scores)
		if err := policy.Score(1, 0, c, scores); err != nil {
			b.Fatal(err)
		}
	}
}

// busyServer is a table of that many candidates.
func busyServer(rows int) *policies.Candidates {
	c := &policies.Candidates{}
	for i := range rows {
		x := float64(i)
		c.Kind = append(c.Kind, policies.Kind(i)%policies.NumKinds)
		c.Table, c.Tablet = append(c.Table, int32(i%2)), append(c.Tablet, int32(i))
		c.Perf, c.Priority = append(c.Perf, x/7), append(c.Priority, int32(i%11-5))
		c.ScansPerSec, c.RowsPerSec = append(c.ScansPerSec, x/50), append(c.RowsPerSec, 3*x)
		c.RAM, c.WAL, c.Data = append(c.RAM, int64(i)), append(c.WAL, int64(i)), append(c.Data, int64(i))
		c.HeightRemoved, c.Seconds = append(c.HeightRemoved, x), append(c.Seconds, x)
		c.Bytes, c.WaitingSince = append(c.Bytes, int64(i)), append(c.WaitingSince, int64(i))
	}
	return c
}
