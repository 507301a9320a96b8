package fidelity

import (
	"fmt"
	"maps"
	"slices"

	"mmsim/configs"
	"mmsim/importers/kudu/decisions"
	"mmsim/policies"
	"mmsim/results"
	"mmsim/sim"
)

// Retaken is what a real decision comes out as.
type Retaken struct {
	Op     decisions.OpID // zero: none was worth running
	Rule   results.Rule
	Score  float64
	Reason string // in Kudu's words
}

// Retake takes a real decision again by Kudu's formula, with a log_target_replay_size.
func Retake(d *decisions.Decision, logTarget configs.Bytes) (Retaken, error) {
	var out Retaken
	situation := d.Situation()
	situation.Maintenance.LogTargetReplaySize = logTarget
	policy, err := kuduFormula()
	if err != nil {
		return out, err
	}
	decided, err := sim.Decide(situation, policy, false, false)
	if err != nil || len(decided.Order) == 0 {
		return out, err
	}
	c := &decided.Order[0]
	out = Retaken{Rule: c.Rule, Score: c.Score, Reason: c.Reason}
	for i := range d.Ops {
		if d.Ops[i].Name() == c.Op.Name {
			out.Op = d.Ops[i].OpID
		}
	}
	return out, nil
}

// kuduFormula is Kudu's own score; workload scores come with the ops.
func kuduFormula() (policies.Policy, error) {
	spec := policies.PriorityWeighted()
	values, err := spec.Resolve(nil)
	if err != nil {
		return nil, err
	}
	return spec.New(values)
}

// LogTargets gives the log_target_replay_size of each decision, and those that were inferred from logged reasons, by server. given, if not negative,
// is that of all.
func LogTargets(all []decisions.Decision, given configs.Bytes) (targets []configs.Bytes, inferred map[string]int64) {
	shown, inferred := decisions.InferLogTargets(all), map[string]int64{}
	for i := range all {
		d := &all[i]
		target := d.Situation().Maintenance.LogTargetReplaySize
		if given >= 0 {
			target = given
		} else if size, ok := shown[d.Server()]; ok && d.LogTargetMB == nil {
			target, inferred[d.Server()] = configs.Bytes(size), size
		}
		targets = append(targets, target)
	}
	return targets, inferred
}

// retakes takes every recorded decision again.
func retakes() (Section, error) {
	s := Section{Title: "Which op is chosen",
		Text: "Decisions of a real maintenance manager, each with the stats of all ops as its page showed them right after, are taken again: by score with workload and priority, under memory pressure, for log retention and for free WAL."}
	const name = "decisions.jsonl"
	r, err := open(name)
	if err != nil {
		return s, err
	}
	all, err := decisions.Read(name, r)
	if err != nil {
		return s, err
	}
	targets, _ := LogTargets(all, -1)
	same, of := map[results.Rule]int{}, map[results.Rule]int{}
	for i := range all {
		got, err := Retake(&all[i], targets[i])
		if err != nil {
			return s, fmt.Errorf("%s:%d: %w", name, all[i].Line, err)
		}
		of[got.Rule]++
		if got.Op.Name() == all[i].Chosen.Name() {
			same[got.Rule]++
		} else {
			s.Notes = append(s.Notes, fmt.Sprintf("line %d: %s, the server chose %s", all[i].Line, got.Op.Label(), all[i].Chosen.Label()))
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(of)) {
		s.Checks = append(s.Checks, share("decisions by "+string(rule), Rule, same[rule], of[rule], of[rule]))
	}
	s.Notes = append(s.Notes, "the target of log retention is not recorded; it is inferred from the reasons the server logged")
	return s, nil
}
