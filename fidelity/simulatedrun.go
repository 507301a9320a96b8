package fidelity

import (
	"context"
	"fmt"
	"time"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
	"mmsim/results/oplog"
	"mmsim/sim"
)

// simulate runs one policy line of an experiment that ships with mmsim, with assignments laid over it.
func simulate(ctx context.Context, seed int, experiment, line string, assignments ...string) (*configs.Doc, *results.Run, error) {
	doc, err := configs.LoadEmbedded(experiment)
	if err != nil {
		return nil, nil, err
	}
	if err := doc.Set(append([]string{fmt.Sprintf("seed=%d", seed)}, assignments...)...); err != nil {
		return nil, nil, err
	}
	for i := range doc.Experiment.Policies {
		l := &doc.Experiment.Policies[i]
		if l.Name != line {
			continue
		}
		played, err := builtinLine(l.Policy, l.Params)
		if err != nil {
			return nil, nil, fmt.Errorf("experiment %s, line %s: %w", experiment, line, err)
		}
		run, err := sim.Run(ctx, doc.Experiment, played, sim.Options{})
		return doc, run, err
	}
	return nil, nil, fmt.Errorf("experiment %s has no line %s", experiment, line)
}

// builtinLine makes a line of a built-in policy.
func builtinLine(policy string, params map[string]any) (sim.Line, error) {
	spec, ok := policies.Lookup(policy)
	if !ok {
		return sim.Line{}, fmt.Errorf("no policy %q", policy)
	}
	values, err := spec.Resolve(params)
	return sim.Line{Name: policy, Policy: spec.Name, New: func() (policies.Policy, error) { return spec.New(values) }}, err
}

// simulatedRun gives a run the form of a recorded one, with time 0 where rowset compaction is switched on.
func simulatedRun(doc *configs.Doc, run *results.Run) *runOps {
	zero := switchedOn(doc.Experiment, run)
	log := oplog.Of(run)
	log.Shift(zero)
	out := seen(log)
	out.scans = serverScans(doc.Experiment, run, func(ns int64) float64 { return float64(ns-zero) / 1e9 })
	return out
}

// switchedOn is when rowset compaction was switched on, from the start of the run.
func switchedOn(e *configs.Experiment, run *results.Run) int64 {
	for i := range e.Phases {
		for _, event := range e.Phases[i].Events {
			for _, kind := range event.SwitchOn {
				if kind == policies.CompactRowSets.String() && i < len(run.Phases) {
					return run.Phases[i].Start + int64(time.Duration(event.After))
				}
			}
		}
	}
	return 0
}

// serverScans are the server's own times of scans, over all tables.
func serverScans(e *configs.Experiment, run *results.Run, seconds func(int64) float64) (out []scanWindow) {
	interval := time.Duration(e.Series.Interval).Seconds()
	var count, sum float64
	for i := range run.Samples {
		s := &run.Samples[i]
		count += float64(s.Scans)
		sum += float64(s.Scans) * s.ServerScanMean
		if i+1 < len(run.Samples) && run.Samples[i+1].At == s.At {
			continue
		}
		if count > 0 {
			to := seconds(s.At)
			out = append(out, scanWindow{to - interval, to, sum / count})
		}
		count, sum = 0, 0
	}
	return out
}
