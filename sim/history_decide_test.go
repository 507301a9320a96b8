package sim

import (
	"fmt"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
)

// situation reads the experiment as a situation with more laid over it. Keys that only scenarios know are taken out before.
func (s *scenario) situation(input string, own ...string) (*configs.Decision, map[string]any, error) {
	text, extra, err := laidOver(own, "profile: kudu-1.19", s.base, input)
	if err != nil {
		return nil, nil, err
	}
	doc, err := configs.ParseDecision("situation", text)
	if err != nil {
		return nil, nil, fmt.Errorf("%w in\n%s", err, text)
	}
	return doc.Decision, extra, nil
}

// policyOf makes a policy by its name; "" is Kudu's own formula.
func policyOf(name string, params map[string]any) (policies.Policy, error) {
	if name == "" {
		name = policies.PriorityWeighted().Name
	}
	spec, ok := policies.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("unknown policy %q", name)
	}
	values, err := spec.Resolve(params)
	if err != nil {
		return nil, err
	}
	return spec.New(values)
}

// historyDecision is the order in which ops were chosen.
type historyDecision struct{ *Decided }

// decide takes decisions until nothing is left to do.
func (s *scenario) decide(input string) (outcome, error) {
	d, _, err := s.situation(input)
	if err != nil {
		return nil, err
	}
	policy, err := policyOf(d.Policy, d.Params)
	if err != nil {
		return nil, err
	}
	out, err := Decide(d, policy, false, true)
	return historyDecision{out}, err
}

func (d historyDecision) String() string { return fmt.Sprintf("%d choices", len(d.Order)) }

// value is a count of choices, by kind or rule, or which of all choices the last of them was, from 1.
func (d historyDecision) value(words []string) (float64, error) {
	kind, rule := "", results.Rule("")
	for _, word := range words[:len(words)-1] {
		k, isKind := historyKinds[word]
		r, isRule := historyRules[word]
		switch {
		case isKind:
			kind = k.String()
		case isRule:
			rule = r
		default:
			return 0, fmt.Errorf("%q is no kind of op or rule", word)
		}
	}
	count, last := 0.0, nothing
	for i, c := range d.Order {
		if (kind == "" || c.Op.Kind == kind) && (rule == "" || c.Rule == rule) {
			count, last = count+1, float64(i+1)
		}
	}
	switch what := words[len(words)-1]; what {
	case "count":
		return count, nil
	case "last":
		return last, nil
	default:
		return 0, fmt.Errorf("%q is not known of a decision", what)
	}
}
