package waits

import (
	"fmt"
	"strings"

	"mmsim/results"
	"mmsim/results/short"
)

var outcomeWords = map[results.Outcome]string{results.Served: "then served", results.Lapsed: "then lapsed", results.Open: "still waiting at the end"}

// Sentence says in one sentence what became of a table's waits.
func Sentence(v *results.TableVerdict) string {
	verdict := "not starved"
	w, l := v.Waits, v.Waits.Longest
	switch v.Verdict {
	case results.Idle:
		return v.Table + ": idle: no flush or compaction waited"
	case results.Untold:
		return fmt.Sprintf("%s: can't tell: the run lasted %s, so no wait can exceed %s; longest %s %s on server %d, %s; %d of %d still waiting",
			v.Table, short.Duration(v.Lasted), short.Duration(v.After), short.Duration(l.Age), l.Op, l.Server, outcomeWords[l.Outcome], w.Open, w.Count)
	case results.Starved:
		verdict = "STARVED"
	}
	s := fmt.Sprintf("%s: %s: %d of %d waits exceeded %s while others were served; longest %s %s on server %d, %s, %d others served meanwhile",
		v.Table, verdict, w.Exceeded, w.Count, short.Duration(v.After), short.Duration(l.Age), l.Op, l.Server, outcomeWords[l.Outcome], l.Others)
	if l.Others > 0 {
		s += fmt.Sprintf(" (%d of other tables)", l.OtherTables)
	}
	return s + fmt.Sprintf("; %d lapsed, %d still waiting", w.Lapsed, w.Open)
}

// Collected says in one sentence what became of the waits of the kinds that clients don't feel, over all tables; empty if there were none.
func Collected(verdicts []results.TableVerdict) string {
	var parts []string
	for _, kind := range results.CollectedKinds {
		var sum results.WaitSummary
		var after int64
		for i := range verdicts {
			for k := range verdicts[i].Kinds {
				if v := &verdicts[i].Kinds[k]; v.Kind == kind {
					after = verdicts[i].After
					add(&sum, &v.Waits)
				}
			}
		}
		if sum.Count == 0 {
			continue
		}
		part := fmt.Sprintf("%s %d of %d waits exceeded %s", strings.TrimSuffix(kind, "Op"), sum.Exceeded, sum.Count, short.Duration(after))
		if l := sum.Longest; sum.Exceeded > 0 {
			part += fmt.Sprintf(", longest %s %s", short.Duration(l.Age), l.Op)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// add counts the waits of another summary and keeps the longer of the longest.
func add(s, other *results.WaitSummary) {
	s.Count, s.Exceeded = s.Count+other.Count, s.Exceeded+other.Exceeded
	if s.Longest == nil || other.Longest.Age > s.Longest.Age {
		s.Longest = other.Longest
	}
}
