// Package waits finds out, from the waits of a run, which tables' maintenance ops starved, and which compactions could not run at its end.
package waits

import (
	"maps"
	"slices"
	"sort"

	"mmsim/results"
)

// Judge finds out what starved and what was stuck in the runs of a result; a wait longer than after (ns of simulated time) is too long.
func Judge(r *results.Result, after int64) {
	r.Verdicts, r.Stuck = nil, nil
	for _, run := range r.Runs {
		r.Verdicts = append(r.Verdicts, Starvation(run, after))
		r.Stuck = append(r.Stuck, Stuck(run))
	}
}

// Starvation judges each table of a run. A table starved if an op of it that clients feel waited longer than after (ns of simulated
// time) while its server chose other ops: a long wait during which the server chose nothing is slowness, not
// starvation, and a table without work to wait for is idle.
func Starvation(run *results.Run, after int64) []results.TableVerdict {
	served := serverChoices(run)
	waits := make([]map[string][]*results.Wait, len(run.Tables)) // by kind
	felt := make([][]*results.Wait, len(run.Tables))
	for i := range run.Waits {
		w := &run.Waits[i]
		if waits[w.Table] == nil {
			waits[w.Table] = map[string][]*results.Wait{}
		}
		waits[w.Table][w.Kind] = append(waits[w.Table][w.Kind], w)
		if results.Felt(w.Kind) {
			felt[w.Table] = append(felt[w.Table], w)
		}
	}
	verdicts := make([]results.TableVerdict, len(run.Tables))
	for table := range run.Tables {
		v := results.TableVerdict{Table: run.Tables[table].Name, After: after, Lasted: run.End, Kinds: []results.KindWaits{}}
		for _, kind := range slices.Sorted(maps.Keys(waits[table])) {
			k := results.KindWaits{Kind: kind, Felt: results.Felt(kind), Waits: served.summary(run, waits[table][kind], after)}
			k.Verdict = verdict(&k.Waits, run.End, after)
			v.Kinds = append(v.Kinds, k)
		}
		v.Waits = served.summary(run, felt[table], after)
		v.Verdict = verdict(&v.Waits, run.End, after)
		verdicts[table] = v
	}
	return verdicts
}

// verdict follows from what became of waits in a run that lasted so long.
func verdict(s *results.WaitSummary, lasted, after int64) results.Verdict {
	switch {
	case s.Count == 0:
		return results.Idle
	case s.Exceeded > 0:
		return results.Starved
	case lasted <= after:
		return results.Untold
	}
	return results.NotStarved
}

// choices holds the times at which ops were chosen, ascending, by server and by server and table.
type choices struct {
	all   [][]int64
	table [][][]int64
}

func serverChoices(run *results.Run) choices {
	c := choices{make([][]int64, run.Servers), make([][][]int64, run.Servers)}
	for server := range c.table {
		c.table[server] = make([][]int64, len(run.Tables))
	}
	for _, o := range run.Ops {
		c.all[o.Server] = append(c.all[o.Server], o.Chosen)
		c.table[o.Server][o.Table] = append(c.table[o.Server][o.Table], o.Chosen)
	}
	return c
}

// during counts the ops that the wait's server chose while it lasted, and those of them that were of other tables.
// The choice that ends a served wait is the op's own, so the end is left out; a wait still open has no such choice.
func (c choices) during(w *results.Wait, end int64) (others, otherTables int) {
	until := w.Since + w.Age(end)
	if w.Outcome == results.Open {
		until++
	}
	others = between(c.all[w.Server], w.Since, until)
	return others, others - between(c.table[w.Server][w.Table], w.Since, until)
}

// between counts the times in [from, to).
func between(times []int64, from, to int64) int {
	before := func(limit int64) int {
		return sort.Search(len(times), func(i int) bool { return times[i] >= limit })
	}
	return before(to) - before(from)
}

func (c choices) summary(run *results.Run, waits []*results.Wait, after int64) results.WaitSummary {
	var s results.WaitSummary
	var ages []int64
	var longest, longestExceeded *results.Wait
	for _, w := range waits {
		age := w.Age(run.End)
		ages = append(ages, age)
		switch w.Outcome {
		case results.Lapsed:
			s.Lapsed++
		case results.Open:
			s.Open++
		}
		longest = longer(longest, w, run.End)
		if age <= after {
			continue
		}
		if others, _ := c.during(w, run.End); others > 0 {
			s.Exceeded++
			longestExceeded = longer(longestExceeded, w, run.End)
		}
	}
	if s.Count = len(ages); s.Count == 0 {
		return s
	}
	if longestExceeded != nil {
		longest = longestExceeded
	}
	s.Longest = c.longestWait(run, longest)
	slices.Sort(ages)
	s.P50, s.P99, s.Max = nearestRank(ages, 50), nearestRank(ages, 99), ages[len(ages)-1]
	return s
}

// longer gives the longer of two waits, the earlier of equals.
func longer(a, b *results.Wait, end int64) *results.Wait {
	if a == nil || b.Age(end) > a.Age(end) {
		return b
	}
	return a
}

func (c choices) longestWait(run *results.Run, w *results.Wait) *results.LongestWait {
	others, otherTables := c.during(w, run.End)
	return &results.LongestWait{
		Op: results.OpName(w.Kind, run.Tables[w.Table].Name, w.Tablet), Server: w.Server, Since: w.Since, Age: w.Age(run.End),
		Outcome: w.Outcome, Others: others, OtherTables: otherTables,
	}
}

// nearestRank is the smallest value that percent of the sorted values do not exceed; nil if they are too few to tell.
func nearestRank(sorted []int64, percent int) *int64 {
	if !results.Told(float64(percent), int64(len(sorted))) {
		return nil
	}
	v := sorted[(len(sorted)*percent+99)/100-1]
	return &v // of a copy, which does not keep the others
}
