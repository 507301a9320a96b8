package plots

import (
	"errors"
	"fmt"
	"slices"

	"mmsim/results"
	"mmsim/results/compare"
)

// A Source has what runs left beyond their latencies. It calls each with one after the other.
type Source interface {
	Ops(run *results.Run, each func(results.Op)) error
	Waits(run *results.Run, each func(results.Wait)) error
	Samples(run *results.Run, each func(results.Sample)) error
	Servers(run *results.Run, each func(results.ServerSample)) error
}

// shown is which tables a figure shows.
type shown struct {
	compare.Selection
	whole  []*results.Run // the runs with all tables, as Source knows them
	places []int          // of each table among those shown, or -1
}

// only gives the input with the selected tables alone, in the selection's order. Its runs hold no ops, waits or samples.
func (in Input) only(selection compare.Selection) Input {
	in.shown = shown{selection, in.Runs, slices.Repeat([]int{-1}, selection.Of)}
	for place, table := range selection.Tables {
		in.places[table] = place
	}
	in.Runs = make([]*results.Run, len(in.whole))
	for i, r := range in.whole {
		in.Runs[i] = withTables(r, selection.Tables)
	}
	return in
}

// withTables is a run with these tables and their latencies alone.
func withTables(r *results.Run, tables []int) *results.Run {
	part := *r
	part.Tables, part.Latencies, part.Ops, part.Waits, part.Samples, part.ServerSamples = nil, nil, nil, nil, nil, nil
	names := map[string]bool{}
	for _, table := range tables {
		part.Tables = append(part.Tables, r.Tables[table])
		names[r.Tables[table].Name] = true
	}
	for _, l := range r.Latencies {
		if names[l.Table] {
			part.Latencies = append(part.Latencies, l)
		}
	}
	return &part
}

// place gives where a table stands among those shown, or -1, and fails for one that the run doesn't have.
func (s *shown) place(r *results.Run, what string, table int) (int, error) {
	if table < 0 || table >= len(s.places) {
		return -1, fmt.Errorf("run %q: %s is of table %d of %d", r.Line, what, table, len(s.places))
	}
	return s.places[table], nil
}

// changedIn is the input with the tables whose latencies change most in a phase.
func (in Input) changedIn(phase string) Input {
	return in.only(compare.WorstByChange(in.Runs, phase, "", in.Worst))
}

// slowest picks the tables of the timelines: those of which scans change most or, where nobody scans, those with the longest waits.
func (in Input) slowest(longest longestWaits) compare.Selection {
	for _, ph := range in.Runs[0].Phases {
		if slices.Contains(phaseOps(in.Runs, ph.Name), "SCAN") {
			return compare.WorstByChange(in.Runs, "", "SCAN", in.Worst)
		}
	}
	return longest.worst(append(longest.ranked, longest.collected...), in.Worst)
}

// longestWaits are the longest waits of each kind of op, by table: of the kinds that a policy ranks and of those that only free space.
type longestWaits struct {
	ranked, collected []string
	tables            int
	byKind            map[string][]int64
}

// longestWaits reads through all waits.
func (in Input) longestWaits() (longestWaits, error) {
	all := in.only(compare.WorstByWait(make([]int64, len(in.Runs[0].Tables)), len(in.Runs[0].Tables)))
	l := longestWaits{tables: len(all.places), byKind: map[string][]int64{}}
	err := all.eachWait(func(r *results.Run, w results.Wait) {
		if l.byKind[w.Kind] == nil {
			l.byKind[w.Kind] = make([]int64, l.tables)
			if slices.Contains(collectedKinds, w.Kind) {
				l.collected = addKind(l.collected, w.Kind)
			} else {
				l.ranked = addKind(l.ranked, w.Kind)
			}
		}
		longest := &l.byKind[w.Kind][w.Table]
		*longest = max(*longest, age(r, &w))
	})
	return l, err
}

// worst picks the tables with the longest waits of ops of some kinds.
func (l longestWaits) worst(kinds []string, n int) compare.Selection {
	longest := make([]int64, l.tables)
	for _, kind := range kinds {
		for table, ns := range l.byKind[kind] {
			longest[table] = max(longest[table], ns)
		}
	}
	return compare.WorstByWait(longest, n)
}

// eachWait calls each with every wait of the tables that are shown.
func (in Input) eachWait(each func(*results.Run, results.Wait)) error {
	for i, r := range in.whole {
		var bad error
		err := in.Source.Waits(r, func(w results.Wait) {
			var err error
			if w.Table, err = in.place(r, "a wait of "+w.Kind, w.Table); err != nil {
				bad = err
			} else if w.Table >= 0 {
				each(in.Runs[i], w)
			}
		})
		if err != nil || bad != nil {
			return errors.Join(err, bad)
		}
	}
	return nil
}

// withWaits is the input with the waits of some kinds of ops.
func (in Input) withWaits(kinds []string) (Input, error) {
	return in, in.eachWait(func(r *results.Run, w results.Wait) {
		if slices.Contains(kinds, w.Kind) {
			r.Waits = append(r.Waits, w)
		}
	})
}

// timelines is what all timelines show: runs with the samples of tables, and with the samples of and the ops on the servers of hot tablets, the axes, and the kinds of
// all ops, so that all timelines have the same rows.
type timelines struct {
	Input
	limits
	kinds []string
}

// timelines reads the samples and ops.
func (in Input) timelines() (timelines, error) {
	var kinds []string
	for i, r := range in.whole {
		part := in.Runs[i]
		var bad error
		samples := in.Source.Samples(r, func(s results.Sample) {
			var err error
			if s.Table, err = in.place(r, "a sample", s.Table); err != nil {
				bad = err
			} else if s.Table >= 0 {
				part.Samples = append(part.Samples, s)
			}
		})
		ops := in.Source.Ops(r, func(o results.Op) {
			var err error
			if o.Table, err = in.place(r, "a "+o.Kind, o.Table); err != nil {
				bad = err
			} else if o.Table >= 0 {
				kinds = addKind(kinds, o.Kind)
				if o.Server == part.Tables[o.Table].HotServer {
					part.Ops = append(part.Ops, o)
				}
			}
		})
		servers := in.Source.Servers(r, func(s results.ServerSample) {
			if slices.ContainsFunc(part.Tables, func(t results.Table) bool { return t.HotServer == s.Server }) {
				part.ServerSamples = append(part.ServerSamples, s)
			}
		})
		if err := errors.Join(samples, ops, servers, bad); err != nil {
			return timelines{}, err
		}
	}
	return timelines{in, timelineLimits(in.Runs, in.Memory), kinds}, nil
}
