package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
	"mmsim/sim"
)

// TestDecide takes the decisions of testdata/decide. Commands:
//
//	ops     the input is a decision, kept for the commands after it
//	choose  the choice for every free thread, with the assignments that the input holds, one a line
//	order   the same until nothing is worth doing
//	scores  every op's perf, score and standing
//	count   how often each rule decides among the first 10,000 decisions
//	print   what mmsim decide prints; policy=... gives --policy
//	json    the same with --json
func TestDecide(t *testing.T) {
	datadriven.Walk(t, "testdata/decide", func(t *testing.T, path string) {
		var ops string
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "ops" {
				ops = d.Input
				return "ok"
			}
			out, err := decideText(t, d, ops)
			if err != nil {
				return err.Error()
			}
			return out
		})
	})
}

func decideText(t *testing.T, d *datadriven.TestData, ops string) (string, error) {
	doc, err := configs.ParseDecision("ops.yaml", []byte(ops), strings.Fields(d.Input)...)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	f := decideFlags{json: d.Cmd == "json", untilIdle: d.Cmd == "order" || d.Cmd == "count"}
	if d.HasArg("policy") {
		d.ScanArgs(t, "policy", &f.policy)
	}
	if d.Cmd == "print" || d.Cmd == "json" {
		err := f.decideDoc(context.Background(), &out, doc)
		return out.String(), err
	}
	lines, err := assembleAt(context.Background(), doc.Experiment(), "%[2]s")
	if err != nil {
		return "", err
	}
	policy, err := lines.lines[0].New()
	if err != nil {
		return "", err
	}
	decided, err := sim.Decide(doc.Decision, policy, lines.lines[0].RanksAll, f.untilIdle)
	if err != nil {
		return "", err
	}
	switch d.Cmd {
	case "scores":
		for i := range decided.Ops {
			s := &decided.Ops[i]
			fmt.Fprintf(&out, "%s: perf %.7g, score %.7g, %s\n", s.Op.Name, s.Perf, s.Score, standing(s))
		}
	case "count":
		counts := map[results.Rule]int{}
		for i := range decided.Order[:10_000] {
			counts[decided.Order[i].Rule]++
		}
		for _, rule := range []results.Rule{results.RuleMemory, results.RuleDataGC, results.RulePerf} {
			fmt.Fprintf(&out, "%s %d\n", rule, counts[rule])
		}
	default:
		for i := range decided.Order {
			fmt.Fprintf(&out, "%s: %s\n", decided.Order[i].Op.Name, decided.Order[i].Reason)
		}
		if len(decided.Order) == 0 {
			return nothingToDo, nil
		}
	}
	return out.String(), nil
}

func TestKindsAreThePolicies(t *testing.T) {
	var kinds []string
	for k := range policies.NumKinds {
		kinds = append(kinds, k.String())
	}
	if !slices.Equal(kinds, configs.OpKinds()) {
		t.Errorf("a decision knows %v, policies %v", configs.OpKinds(), kinds)
	}
}

// Real decisions of Kudu 1.18.1 in each state of the server, cut down to the ops that had any stats.
func TestRealDecisions(t *testing.T) {
	var out bytes.Buffer
	f := decideFlags{lines: "testdata/decisions.jsonl", check: true}
	if err := f.decideLines(&out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	f.logTarget = "1GiB" // with which the run with little WAL cannot be explained
	err := f.decideLines(&out)
	var failed *failure
	if !errors.As(err, &failed) || failed.code != exitDiffers {
		t.Errorf("with another log target: %v, want exit code %d", err, exitDiffers)
	}
}
