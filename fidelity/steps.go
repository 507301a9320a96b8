package fidelity

import (
	"context"
	"fmt"
	"strings"

	"mmsim/configs"
	"mmsim/results"
	"mmsim/sim"
)

// step is a tablet after a compaction; step 0 lists the waves of rows it was filled with.
type step struct {
	Scenario string
	Step     int
	Waves    []struct {
		Lo, Hi float64 // key range, as a fraction of the key space
		Rows   int64
	}
	Score   float64
	Written float64 `json:"bytes_written"`
	Height  float64 `json:"average_height"`
}

// steps compacts tablets filled with waves of rows until nothing is worth doing.
func steps(ctx context.Context, seed int) (Section, error) {
	s := Section{Title: "A tablet compacted step by step",
		Text: "A tablet is filled with waves of rows, each flushed to a rowset, and then compacted one op at a time. Keys are decimal numbers of 19 digits, zeros in front, spread evenly over all of the key space or, in the scenarios of ranges, over parts of it. They are not recorded: the simulation places their ends where those of as many evenly drawn keys lie on average."}
	all, err := lines[step]("compaction-steps.jsonl")
	if err != nil {
		return s, err
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].Step > 0 {
			to++
		}
		checks, err := stepwise(ctx, seed, &all[from], all[from+1:to])
		if err != nil {
			return s, fmt.Errorf("scenario %s: %w", all[from].Scenario, err)
		}
		s.Checks = append(s.Checks, checks...)
		from = to
	}
	return s, nil
}

// stepwise holds one scenario against its simulation.
func stepwise(ctx context.Context, seed int, start *step, real []step) ([]Check, error) {
	doc, err := configs.Parse("steps.yaml", []byte(start.experiment(seed)))
	if err != nil {
		return nil, err
	}
	line, err := builtinLine("raw", nil)
	if err != nil {
		return nil, err
	}
	run, err := sim.Run(ctx, doc.Experiment, line, sim.Options{})
	if err != nil {
		return nil, err
	}
	var got []*results.Op
	for i := range run.Ops {
		if op := &run.Ops[i]; op.Inputs > 0 && op.End >= 0 {
			got = append(got, op)
		}
	}
	name := start.Scenario
	same := Check{What: name + ": number of compactions", Basis: Rule, Measured: fmt.Sprint(len(real)), Simulated: fmt.Sprint(len(got)), Bound: "the same", OK: len(got) == len(real)}
	checks := []Check{same}
	for i := range min(len(got), len(real)) {
		what := fmt.Sprintf("%s, step %d: ", name, i+1)
		checks = append(checks, near(what+"score", Rule, real[i].Score, got[i].Score, 2, "%.4f", ""),
			within(what+"height after it", Rule, real[i].Height, got[i].HeightAfter, 0.05, "%.3f", ""),
			near(what+"MB written", Rule, real[i].Written/1e6, float64(got[i].BytesWritten)/1e6, 3, "%.1f", ""))
	}
	return checks, nil
}

// experiment puts the waves on a server that does nothing but compact.
func (s *step) experiment(seed int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed: %d\n", seed)
	b.WriteString("name: steps\nprofile: kudu-1.18\nmachine: kudu-2core-vm\ncluster: {servers: 1, replication: 1}\n" +
		"maintenance: {off: [UndoDeltaBlockGCOp]}\ntables: [{name: t, tablets: 1, keys: padded}]\nphases: [{name: watch, duration: 60s}]\npolicies: [{policy: raw}]\n" +
		"initial:\n  - table: t\n    tablet: 0\n    rowsets:\n")
	for _, w := range s.Waves {
		n := float64(w.Rows + 1) // the smallest and the largest of n even draws leave a gap of 1/(n+1) on average
		fmt.Fprintf(&b, "      - {rows: %d, keys: [%s, %s]}\n", w.Rows, waveKey(w.Lo+(w.Hi-w.Lo)/n), waveKey(w.Hi-(w.Hi-w.Lo)/n))
	}
	return b.String()
}

// waveKey is the key at a place of the waves: a decimal number of 19 digits, zeros in front, below 9.2e18.
func waveKey(place float64) string { return fmt.Sprintf("user%019d", int64(place*9.2e18)) }
