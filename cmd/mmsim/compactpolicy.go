package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/rules"
	"mmsim/sim/maintenance"
	"mmsim/sim/tablet"
)

const mebibyte = 1 << 20 // what Kudu calls MB

// constant is one of the policy's constants, under the name that it has in an experiment.
type constant struct {
	name     string
	help     string
	least    float64
	size     func(*tablet.PolicyConfig) *int64   // of a size in bytes
	fraction func(*tablet.PolicyConfig) *float64 // of a number
}

var constants = []constant{
	{name: "minimum_improvement", help: "value that a compaction must exceed",
		fraction: func(c *tablet.PolicyConfig) *float64 { return &c.MinimumImprovement }},
	{name: "small_rowset_tradeoff", help: "value of getting rid of one small rowset, below minimum_improvement",
		fraction: func(c *tablet.PolicyConfig) *float64 { return &c.SmallRowsetTradeoff }},
	{name: "approximation_ratio", help: "gain from which an exact search is worth while", least: 1,
		fraction: func(c *tablet.PolicyConfig) *float64 { return &c.ApproximationRatio }},
	{name: "support_adjust", help: "how much more than its width the range of overlapping rowsets counts", least: 1,
		fraction: func(c *tablet.PolicyConfig) *float64 { return &c.SupportAdjust }},
	{name: "target_rowset_size", help: "size from which a rowset no longer counts as small",
		size: func(c *tablet.PolicyConfig) *int64 { return &c.TargetSize }},
}

// policyRules are the rules of the policy, among all the differences between Kudu's versions.
var policyRules = []string{"approximate_search", "small_rowset_value", "small_by_full_size", "small_value_floor"}

// policy gives the profile's policy with the flags laid over it.
func (f *compactFlags) policy() (*tablet.PolicyConfig, error) {
	policy := tablet.KuduPolicy(0)
	profile, set, ok := rules.Of(f.profile)
	if !ok {
		names := rules.ProfileNames()
		return nil, &configs.Problem{File: "--profile", Field: "profile", Value: f.profile, Allowed: "one of " + strings.Join(names, ", "),
			Suggestion: policies.Suggest(f.profile, names)}
	}
	policy.Budget = profile.CompactionBudget
	if f.budget != "" {
		budget, ok := atLeast(f.budget, mebibyte)
		if !ok {
			return nil, &configs.Problem{File: "--budget", Field: "budget", Value: f.budget, Allowed: "a size of at least 1MiB, such as 128MiB"}
		}
		policy.Budget = budget
	}
	for _, change := range f.sets {
		if err := setPolicy(&policy, &set, change); err != nil {
			return nil, err
		}
	}
	if policy.SmallRowsetTradeoff >= policy.MinimumImprovement {
		return nil, &configs.Problem{File: "--set", Field: "small_rowset_tradeoff", Value: fmt.Sprint(policy.SmallRowsetTradeoff),
			Allowed: fmt.Sprintf("below minimum_improvement (%v), as Kudu demands", policy.MinimumImprovement)}
	}
	policy = maintenance.PolicyByRules(policy, &set)
	return &policy, nil
}

// policyPaths are what --set can change.
func policyPaths() []configs.Path {
	var all []configs.Path
	for _, c := range constants {
		all = append(all, configs.Path{Path: c.name, Help: c.help})
	}
	for _, name := range policyRules {
		all = append(all, configs.Path{Path: name, Help: "a rule", Words: []string{"on", "off"}})
	}
	return all
}

// setPolicy changes one constant or rule by NAME=VALUE.
func setPolicy(policy *tablet.PolicyConfig, set *rules.Set, change string) error {
	name, value, _ := strings.Cut(change, "=")
	if slices.Contains(policyRules, name) {
		return switchRule(set, name, value)
	}
	names := slices.Clone(policyRules)
	for _, c := range constants {
		names = append(names, c.name)
		if c.name == name {
			return c.set(policy, value)
		}
	}
	return &configs.Problem{File: "--set", Field: change, Value: name, Allowed: "a constant or rule of the policy (there are " + strings.Join(names, ", ") + ")",
		Suggestion: policies.Suggest(name, names)}
}

func switchRule(set *rules.Set, name, text string) error {
	on := text == "on" || text == "true"
	if !on && text != "off" && text != "false" {
		return &configs.Problem{File: "--set", Field: name, Value: text, Allowed: "true or false, on or off"}
	}
	set.Switch(differenceOf(name), on)
	return nil
}

// differenceOf is the position of a rule among the differences.
func differenceOf(name string) int {
	return slices.IndexFunc(rules.Differences, func(d rules.Difference) bool { return d.Name == name })
}

func (c *constant) set(policy *tablet.PolicyConfig, text string) error {
	allowed := "a size of at least 1B, such as 32MiB"
	if c.size != nil {
		if v, ok := atLeast(text, 1); ok {
			*c.size(policy) = v
			return nil
		}
	} else {
		const most = 1000
		if v, err := strconv.ParseFloat(text, 64); err == nil && c.least <= v && v <= most {
			*c.fraction(policy) = v
			return nil
		}
		allowed = fmt.Sprintf("a number from %v to %v", c.least, most)
	}
	return &configs.Problem{File: "--set", Field: c.name, Value: text, Allowed: allowed}
}

// atLeast reads a size that must not be below another, in bytes.
func atLeast(text string, least int64) (int64, bool) {
	size, err := configs.ParseBytes(text)
	return int64(size), err == nil && int64(size) >= least
}

// constantsHelp lists the constants and rules, their defaults and what they mean.
func constantsHelp() string {
	var b strings.Builder
	policy := tablet.KuduPolicy(0)
	for _, c := range constants {
		value := ""
		if c.size != nil {
			value = configs.Bytes(*c.size(&policy)).String()
		} else {
			value = fmt.Sprint(*c.fraction(&policy))
		}
		fmt.Fprintf(&b, "  %-22s %-6s %s\n", c.name, value, c.help)
	}
	b.WriteString("\nor switches one of its rules to what it was in the past, such as small_rowset_value=off:\n")
	for _, name := range policyRules {
		fmt.Fprintf(&b, "  %-22s %-6s %s\n", name, "on", rules.Differences[differenceOf(name)].Help)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
