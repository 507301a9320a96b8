package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mmsim/results"
)

// DefaultWorst is how many tables a figure and the terminal show where nothing else is asked for.
const DefaultWorst = 6

// A Selection is the tables that are shown where there is no room for all.
type Selection struct {
	Tables []int  // positions; all in their order, or else the worst first
	Of     int    // how many there are
	By     string // what makes a table one of the worst, to follow "those with"
}

// Left is how many tables are left out.
func (s Selection) Left() int { return s.Of - len(s.Tables) }

// Has says whether a table is shown.
func (s Selection) Has(table int) bool { return slices.Contains(s.Tables, table) }

// String says which tables are shown of how many; nothing if they are all.
func (s Selection) String() string {
	if s.Left() == 0 {
		return ""
	}
	return fmt.Sprintf("the %d of %d tables with %s; %d left out", len(s.Tables), s.Of, s.By, s.Left())
}

// worst picks the n tables of which the measures, compared from the first on, are the largest; equals stay in their order.
func worst(tables, n int, by string, measures ...[]float64) Selection {
	s := Selection{Of: tables, By: by}
	for i := range tables {
		s.Tables = append(s.Tables, i)
	}
	if n >= tables {
		return s
	}
	slices.SortStableFunc(s.Tables, func(a, b int) int {
		for _, m := range measures {
			if c := cmp.Compare(m[b], m[a]); c != 0 {
				return c
			}
		}
		return 0
	})
	s.Tables = s.Tables[:n]
	return s
}

// WorstByChange picks the n tables that the choice of a policy matters to most: those with the largest change, up or down and as a factor,
// of p95 or p99 of an operation under any policy line against the first. Of equals it prefers those with the longest p99, or p95
// where that can't be told, which is all that counts where there is one line. Phase and op limit what is looked at; "" is any.
func WorstByChange(runs []*results.Run, phase, op string, n int) Selection {
	tables := runs[0].Tables
	changes, longest := make([]float64, len(tables)), make([]float64, len(tables))
	positions := map[string]int{}
	for i := range tables {
		positions[tables[i].Name] = i
	}
	first := byOperation(runs[0])
	for _, run := range runs {
		for k := range run.Latencies {
			l := &run.Latencies[k]
			table, known := positions[l.Table]
			if !known || phase != "" && l.Phase != phase || op != "" && l.Op != op {
				continue
			}
			before := first[operation{l.Phase, l.Table, l.Op}]
			for _, stat := range []string{"p95", "p99"} {
				us := l.Stat(stat)
				if math.IsNaN(us) {
					continue
				}
				longest[table] = max(longest[table], us)
				if before != nil {
					changes[table] = max(changes[table], factor(before.Stat(stat), us))
				}
			}
		}
	}
	if len(runs) == 1 {
		return worst(len(tables), n, "the longest "+percentiles(op), longest)
	}
	return worst(len(tables), n, "the largest change of "+percentiles(op)+" against "+runs[0].Line, changes, longest)
}

func percentiles(op string) string {
	if op == "" {
		return "p95 or p99"
	}
	return op + " p95 or p99"
}

// factor is how far two latencies in whole us lie apart, as a logarithm; 0 if one of them can't be told.
func factor(before, after float64) float64 {
	apart := math.Abs(math.Log(max(after, 1) / max(before, 1)))
	if math.IsNaN(apart) {
		return 0
	}
	return apart
}

// WorstByWait picks the n tables with the longest waits, given the longest of each table under any policy line.
func WorstByWait(longest []int64, n int) Selection {
	measure := make([]float64, len(longest))
	for i, ns := range longest {
		measure[i] = float64(ns)
	}
	return worst(len(longest), n, "the longest waits", measure)
}

// WorstVerdicts picks the n tables of a run to be named, given its verdicts: those that starved first, and then those with the longest waits.
func WorstVerdicts(verdicts []results.TableVerdict, n int) Selection {
	starved, longest := make([]float64, len(verdicts)), make([]float64, len(verdicts))
	for i, v := range verdicts {
		if v.Verdict == results.Starved {
			starved[i] = 1
		}
		longest[i] = float64(v.Waits.Max)
	}
	return worst(len(verdicts), n, "the longest waits, those that starved first", starved, longest)
}
