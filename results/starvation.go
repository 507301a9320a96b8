package results

import (
	"maps"
	"slices"
	"sort"
)

// Judge finds out what starved and what was stuck in the runs of a result; a wait longer than after (ns of simulated time) is too long.
func Judge(r *Result, after int64) {
	r.Verdicts, r.Stuck = nil, nil
	for _, run := range r.Runs {
		r.Verdicts = append(r.Verdicts, Starvation(run, after))
		r.Stuck = append(r.Stuck, StuckGroups(run))
	}
}

// Starvation judges each table of a run. A table starved if an op of it that clients feel waited longer than after (ns of simulated
// time) while its server chose other ops: a long wait during which the server chose nothing is slowness, not
// starvation, and a table without work to wait for is idle.
func Starvation(run *Run, after int64) []TableVerdict {
	served := serverChoices(run)
	waits := make([]map[string][]*Wait, len(run.Tables)) // by kind
	felt := make([][]*Wait, len(run.Tables))
	for i := range run.Waits {
		w := &run.Waits[i]
		if waits[w.Table] == nil {
			waits[w.Table] = map[string][]*Wait{}
		}
		waits[w.Table][w.Kind] = append(waits[w.Table][w.Kind], w)
		if Felt(w.Kind) {
			felt[w.Table] = append(felt[w.Table], w)
		}
	}
	verdicts := make([]TableVerdict, len(run.Tables))
	for table := range run.Tables {
		v := TableVerdict{Table: run.Tables[table].Name, After: after, Lasted: run.End, Kinds: []KindWaits{}}
		for _, kind := range slices.Sorted(maps.Keys(waits[table])) {
			k := KindWaits{Kind: kind, Felt: Felt(kind), Waits: served.summary(run, waits[table][kind], after)}
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
func verdict(s *WaitSummary, lasted, after int64) Verdict {
	switch {
	case s.Count == 0:
		return Idle
	case s.Exceeded > 0:
		return Starved
	case lasted <= after:
		return Untold
	}
	return NotStarved
}

// choices holds the times at which ops were chosen, ascending, by server and by server and table.
type choices struct {
	all   [][]int64
	table [][][]int64
}

func serverChoices(run *Run) choices {
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
func (c choices) during(w *Wait, end int64) (others, otherTables int) {
	until := w.Since + w.Age(end)
	if w.Outcome == Open {
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

func (c choices) summary(run *Run, waits []*Wait, after int64) WaitSummary {
	var s WaitSummary
	var ages []int64
	var longest, longestExceeded *Wait
	for _, w := range waits {
		age := w.Age(run.End)
		ages = append(ages, age)
		switch w.Outcome {
		case Lapsed:
			s.Lapsed++
		case Open:
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
func longer(a, b *Wait, end int64) *Wait {
	if a == nil || b.Age(end) > a.Age(end) {
		return b
	}
	return a
}

func (c choices) longestWait(run *Run, w *Wait) *LongestWait {
	others, otherTables := c.during(w, run.End)
	return &LongestWait{
		Op: OpName(w.Kind, run.Tables[w.Table].Name, w.Tablet), Server: w.Server, Since: w.Since, Age: w.Age(run.End),
		Outcome: w.Outcome, Others: others, OtherTables: otherTables,
	}
}

// nearestRank is the smallest value that percent of the sorted values do not exceed; nil if they are too few to tell.
func nearestRank(sorted []int64, percent int) *int64 {
	if !Told(float64(percent), int64(len(sorted))) {
		return nil
	}
	v := sorted[(len(sorted)*percent+99)/100-1]
	return &v // of a copy, which does not keep the others
}
