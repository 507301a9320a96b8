package waits

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mmsim/results"
	"mmsim/results/resultstest"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"
)

// TestStarvation runs testdata/starvation. The command starvation takes servers, tables, end and after (whole seconds), and a
// line for each op and wait:
//
//	op SERVER NAME at=SECOND
//	wait SERVER NAME FROM..UNTIL OUTCOME
//
// It prints a sentence for each table, beneath it the summary of each kind in seconds, and at last what became of garbage collection.
func TestStarvation(t *testing.T) {
	datadriven.RunTest(t, "testdata/starvation", func(t *testing.T, d *datadriven.TestData) string {
		run := &results.Run{}
		var tables string
		var after int64
		d.ScanArgs(t, "servers", &run.Servers)
		d.ScanArgs(t, "end", &run.End)
		d.ScanArgs(t, "tables", &tables)
		d.ScanArgs(t, "after", &after)
		run.End *= 1e9
		for _, name := range strings.Split(tables, "+") {
			run.Tables = append(run.Tables, results.Table{Name: name})
		}
		for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
			parseEvent(t, run, strings.Fields(line))
		}
		var b strings.Builder
		verdicts := Starvation(run, after*1e9)
		for _, v := range verdicts {
			fmt.Fprintln(&b, Sentence(&v))
			for _, k := range v.Kinds {
				w := k.Waits
				fmt.Fprintf(&b, "  %s: %s: n %d, lapsed %d, open %d, p50 %s, p99 %s, max %d, exceeded %d, longest %s of server %d since %d\n", k.Kind, k.Verdict,
					w.Count, w.Lapsed, w.Open, inSeconds(w.P50), inSeconds(w.P99), w.Max/1e9, w.Exceeded, w.Longest.Op, w.Longest.Server, w.Longest.Since/1e9)
			}
		}
		if collected := Collected(verdicts); collected != "" {
			fmt.Fprintf(&b, "garbage collection: %s\n", collected)
		}
		return b.String()
	})
}

func inSeconds(ns *int64) string {
	if ns == nil {
		return "-"
	}
	return fmt.Sprint(*ns / 1e9)
}

func parseEvent(t *testing.T, run *results.Run, words []string) {
	t.Helper()
	if len(words) == 0 {
		return
	}
	seconds := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n * 1e9
	}
	server, err := strconv.Atoi(words[1])
	kind, name, tablet, err2 := results.SplitOpName(words[2])
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	table := slices.IndexFunc(run.Tables, func(t results.Table) bool { return t.Name == name })
	if words[0] == "op" {
		run.Ops = append(run.Ops, results.Op{Server: server, Kind: kind, Table: table, Tablet: tablet, Chosen: seconds(strings.TrimPrefix(words[3], "at="))})
		return
	}
	from, until, _ := strings.Cut(words[3], "..")
	run.Waits = append(run.Waits, results.Wait{Server: server, Table: table, Tablet: tablet, Kind: kind, Since: seconds(from), Until: seconds(until), Outcome: results.Outcome(words[4])})
}

// Whatever happens: kinds that clients feel add up to their table, exceeded waits are long ones, and the verdict follows from the numbers.
func TestStarvationAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := resultstest.Draw(t)
		after := rapid.Int64Range(0, 7000).Draw(t, "after")
		for table, v := range Starvation(run, after) {
			var count, lapsed, open, exceeded, long int
			var longest int64
			for _, k := range v.Kinds {
				if k.Felt != results.Felt(k.Kind) || k.Verdict == results.Idle || (k.Verdict == results.Starved) != (k.Waits.Exceeded > 0) {
					t.Fatalf("%+v", k)
				}
				if !k.Felt {
					continue
				}
				count, lapsed, open, exceeded = count+k.Waits.Count, lapsed+k.Waits.Lapsed, open+k.Waits.Open, exceeded+k.Waits.Exceeded
				longest = max(longest, k.Waits.Max)
			}
			for _, w := range run.Waits {
				if w.Table == table && results.Felt(w.Kind) && bruteExceeded(run, w, after) {
					long++
				}
			}
			if got := (results.WaitSummary{Count: count, Lapsed: lapsed, Open: open, Exceeded: exceeded}); got.Count != v.Waits.Count || got.Lapsed != v.Waits.Lapsed ||
				got.Open != v.Waits.Open || got.Exceeded != v.Waits.Exceeded || longest != v.Waits.Max {
				t.Fatalf("kinds add up to %+v with maximum %d, table is %+v", got, longest, v.Waits)
			}
			if v.Waits.Exceeded != long {
				t.Fatalf("%d exceeded, counting one by one gives %d", v.Waits.Exceeded, long)
			}
			if (v.Verdict == results.Idle) != (count == 0) || (v.Verdict == results.Starved) != (long > 0) || (v.Verdict == results.Untold) != (count > 0 && long == 0 && run.End <= after) {
				t.Fatalf("verdict %q with %+v", v.Verdict, v.Waits)
			}
			if (v.Waits.P50 == nil) != (count < 2) || (v.Waits.P99 == nil) != (count < 100) {
				t.Fatalf("percentiles of %d waits: %+v", count, v.Waits)
			}
			if count >= 100 && (*v.Waits.P50 > *v.Waits.P99 || *v.Waits.P99 > v.Waits.Max) {
				t.Fatalf("percentiles out of order: %+v", v.Waits)
			}
		}
	})
}

// bruteExceeded looks at every op for one that was chosen while w waited.
func bruteExceeded(run *results.Run, w results.Wait, after int64) bool {
	until := w.Until
	if w.Outcome == results.Open {
		until = run.End + 1
	}
	for _, o := range run.Ops {
		if o.Server == w.Server && o.Chosen >= w.Since && o.Chosen < until {
			return w.Age(run.End) > after
		}
	}
	return false
}
