package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/fidelity"
	"mmsim/importers/kudu/decisions"
	"mmsim/importers/kudu/layout"
	"mmsim/policies"
	"mmsim/sim"
)

// FuzzDecide: what is a decision at all can be taken.
func FuzzDecide(f *testing.F) {
	f.Add("memory: {used_percent: 61}\nops:\n  - {name: CompactRowSetsOp(t), perf: 1.2, rates: {scans_per_sec: 3}}\n  - {name: FlushMRSOp(t), ram: 48MiB, age: 60s, after: {ram: 1B}}\n")
	f.Add("profile: kudu-1.18\nops: [{name: LogGCOp(a), logs: 1MiB}, {name: UndoDeltaBlockGCOp(a), data: 1GiB, counters: [{at: 1s, scans: 1}, {at: 70s, scans: 300}]}]\n")
	spec := policies.PriorityWeighted()
	values, err := spec.Resolve(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := configs.ParseDecision("fuzz.yaml", []byte(text))
		if err != nil {
			return
		}
		policy, err := spec.New(values)
		if err != nil {
			t.Fatal(err)
		}
		decided, err := sim.Decide(doc.Decision, policy, false, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range decided.Order {
			if math.IsNaN(c.Score) || c.Op.Name == "" {
				t.Fatalf("%+v", c)
			}
		}
	})
}

// FuzzLines: real decisions that can be read can be taken again.
func FuzzLines(f *testing.F) {
	f.Add(`{"run":"r","chosen":{"op":"FlushMRSOp","id":"a"},"reason":"52111707 bytes log retention, and flush 5 bytes memory","memory_used_percent":61.5,"log_target_mb":48,` +
		`"ops":[{"op":"FlushMRSOp","id":"a","tablet":"t/1","runnable":true,"ram":1,"logs":2,"data":3,"perf":4.5,"workload":5,"priority":6}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := decisions.Read("x.jsonl", strings.NewReader(text))
		if err != nil {
			return
		}
		targets, inferred := fidelity.LogTargets(all, -1)
		taken := make([]retaken, len(all))
		for i := range all {
			if taken[i], err = retake(&all[i], targets[i]); err != nil || math.IsNaN(taken[i].Score) {
				t.Fatalf("%+v, error %v", taken[i], err)
			}
		}
		for _, asJSON := range []bool{false, true} {
			if err := (&decideFlags{json: asJSON}).printLines(io.Discard, taken, inferred); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzCompact: a layout is refused, or the policy answers with numbers.
func FuzzCompact(f *testing.F) {
	f.Add("32\ta\tb\t7\n#\n0.1\tc\td\n5\ta\td\n5\tb\tc\n")
	f.Add("1e9\t\\x00\t\\xff\n0\tuser1\tuser1\n3\tuser1\tuser2\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(t.TempDir(), "x.tsv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rows, err := layout.Load(file)
		if err != nil {
			if !strings.HasPrefix(err.Error(), file) {
				t.Fatal(err)
			}
			return
		}
		policy, err := (&compactFlags{profile: "kudu-1.18"}).policy()
		if err != nil {
			t.Fatal(err)
		}
		if roomFor(policy, rows) != nil || len(rows) > 1000 {
			return
		}
		c, err := choose(policy, rows)
		if err != nil {
			t.Fatal(err)
		}
		if !(c.Quality >= 0) || !(c.Height >= 0) || !(c.HeightAfter >= 0) || c.Height > float64(len(rows))*1.01 {
			t.Fatalf("%+v", c)
		}
	})
}
