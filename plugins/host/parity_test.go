package host

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"mmsim/policies"
)

// TestParity checks that every built-in policy gives the same bits in process, as a binary and served by the program itself.
func TestParity(t *testing.T) {
	for _, spec := range policies.Builtins() {
		t.Run(spec.Name, func(t *testing.T) {
			self, err := Self(spec.Name)
			if err != nil {
				t.Fatal(err)
			}
			remotes := []policies.Spec{open(t, binary(spec.Name)).Spec(), open(t, self).Spec()}
			rapid.Check(t, func(t *rapid.T) { compare(t, spec, remotes) })
		})
	}
}

// compare runs one session of a few decisions on all sides.
func compare(t *rapid.T, local policies.Spec, remotes []policies.Spec) {
	params := drawParams(t, local.Params)
	here := instance(t, local, params)
	var there []policies.Policy
	for _, r := range remotes {
		there = append(there, instance(t, r, params))
	}
	for range rapid.IntRange(1, 4).Draw(t, "decisions") {
		c := drawCandidates(t)
		now, server := rapid.Int64Range(0, math.MaxInt64).Draw(t, "now"), rapid.IntRange(0, 9).Draw(t, "server")
		want := make([]float64, c.Len())
		if err := here.Score(now, server, c, want); err != nil {
			t.Fatal(err)
		}
		for _, p := range there {
			got := make([]float64, c.Len())
			if err := p.Score(now, server, c, got); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if math.Float64bits(want[i]) != math.Float64bits(got[i]) {
					t.Fatalf("row %d: %v in process, %v out of process", i, want[i], got[i])
				}
			}
		}
	}
	for _, p := range there {
		if err := p.(*session).Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func instance(t *rapid.T, spec policies.Spec, params map[string]any) policies.Policy {
	values, err := spec.Resolve(params)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(values)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawParams gives about half of the parameters a value.
func drawParams(t *rapid.T, declared []policies.Param) map[string]any {
	params := map[string]any{}
	for _, p := range declared {
		if rapid.Bool().Draw(t, "default") {
			continue
		}
		switch p.Type {
		case policies.Float:
			params[p.Name] = rapid.Float64Range(p.Min, p.Max).Draw(t, p.Name)
		case policies.Int:
			params[p.Name] = rapid.IntRange(int(p.Min), int(p.Max)).Draw(t, p.Name)
		case policies.Choice:
			params[p.Name] = rapid.SampledFrom(p.Choices).Draw(t, p.Name)
		}
	}
	return params
}

func drawCandidates(t *rapid.T) *policies.Candidates {
	c := &policies.Candidates{}
	size := rapid.Int64Range(0, math.MaxInt64)
	rate := rapid.Float64Range(0, 1e7)
	for range rapid.IntRange(0, 40).Draw(t, "rows") {
		c.Kind = append(c.Kind, policies.Kind(rapid.IntRange(0, int(policies.NumKinds)-1).Draw(t, "kind")))
		c.Table = append(c.Table, rapid.Int32Range(0, 9).Draw(t, "table"))
		c.Tablet = append(c.Tablet, rapid.Int32Range(0, 999).Draw(t, "tablet"))
		c.Perf = append(c.Perf, rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-1, 1e4)).Draw(t, "perf"))
		c.Priority = append(c.Priority, rapid.Int32().Draw(t, "priority"))
		c.RAM = append(c.RAM, size.Draw(t, "ram"))
		c.WAL = append(c.WAL, size.Draw(t, "wal"))
		c.Data = append(c.Data, size.Draw(t, "data"))
		c.ScansPerSec = append(c.ScansPerSec, rate.Draw(t, "scans"))
		c.RowsPerSec = append(c.RowsPerSec, rate.Draw(t, "written"))
		c.HeightRemoved = append(c.HeightRemoved, rate.Draw(t, "height"))
		c.Bytes = append(c.Bytes, size.Draw(t, "bytes"))
		c.Seconds = append(c.Seconds, rate.Draw(t, "seconds"))
		c.WaitingSince = append(c.WaitingSince, size.Draw(t, "since"))
	}
	return c
}
