package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mmsim/configs"
	"mmsim/plugins/host"
	"mmsim/policies"
	"mmsim/results"
	"mmsim/sim"
)

// lineup is the policies of an experiment, each opened and given its parameters.
type lineup struct {
	lines   []sim.Line
	specs   []*policies.Spec
	sources []results.PolicyFile
	plugins []*host.Plugin
}

// Close ends the plugins.
func (l *lineup) Close() {
	for _, p := range l.plugins {
		p.Close()
	}
}

// assemble opens the policies of all lines and puts the defaults of their parameters into the experiment. Which process a
// built-in runs in is no part of the experiment any more then: run.json says it.
func assemble(ctx context.Context, doc *configs.Doc) (*lineup, error) {
	l := &lineup{}
	var problems []error
	for i := range doc.Experiment.Policies {
		problems = append(problems, l.add(ctx, doc, i))
	}
	if err := errors.Join(problems...); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// add opens the policy of line i.
func (l *lineup) add(ctx context.Context, doc *configs.Doc, i int) error {
	line := &doc.Experiment.Policies[i]
	source := results.PolicyFile{Line: line.Name}
	spec, err := l.open(ctx, doc, i, &source)
	if err != nil {
		return err
	}
	values, err := resolve(doc, i, spec)
	if err != nil {
		return err
	}
	policy, err := spec.New(values)
	if err != nil {
		return pluginProblem(doc, i, err)
	}
	line.Params, line.Serve = values, false
	source.Policy = spec.Name
	l.specs = append(l.specs, spec)
	l.sources = append(l.sources, source)
	l.lines = append(l.lines, sim.Line{
		Name: line.Name, Policy: spec.Name, RanksAll: spec.RanksEverything,
		New: func() (policies.Policy, error) { return policy, nil },
	})
	return nil
}

// open finds a line's built-in or starts its plugin, and notes where it came from.
func (l *lineup) open(ctx context.Context, doc *configs.Doc, i int, source *results.PolicyFile) (*policies.Spec, error) {
	line := &doc.Experiment.Policies[i]
	command := host.Command{Path: doc.PluginPath(i)}
	if line.Policy != "" {
		spec, ok := policies.Lookup(line.Policy)
		if !ok {
			names := builtinNames()
			return nil, doc.Errorf(fmt.Sprintf("policies[%d].policy", i), line.Policy,
				"a policy: there are "+strings.Join(names, ", "), policies.Suggest(line.Policy, names))
		}
		if !line.Serve {
			return spec, nil
		}
		var err error
		if command, err = host.Self(line.Policy); err != nil {
			return nil, err
		}
	}
	plugin, err := host.Open(ctx, command, host.Limits{})
	if err != nil {
		return nil, pluginProblem(doc, i, err)
	}
	l.plugins = append(l.plugins, plugin)
	source.Path, source.SHA256 = plugin.Path(), plugin.SHA256()
	spec := plugin.Spec()
	return &spec, nil
}

// pluginProblem says where the plugin that can't be used was named.
func pluginProblem(doc *configs.Doc, i int, err error) error {
	line := &doc.Experiment.Policies[i]
	key, value := "plugin", line.Plugin
	if line.Policy != "" {
		key, value = "policy", line.Policy
	}
	reason := err.Error()
	var e *host.LoadError
	if errors.As(err, &e) {
		reason = strings.TrimPrefix(reason, "policy plugin "+e.Path+" ")
	}
	return doc.Errorf(fmt.Sprintf("policies[%d].%s", i, key), value, "usable as a policy: "+reason, "")
}

// resolve checks a line's parameters against what its policy declares.
func resolve(doc *configs.Doc, i int, spec *policies.Spec) (policies.Values, error) {
	params := flagDefaults(doc.Experiment, spec)
	for name, value := range doc.Experiment.Policies[i].Params {
		params[name] = value
	}
	values, err := spec.Resolve(params)
	var problems []error
	for _, err := range joined(err) {
		var e *policies.ParamError
		if !errors.As(err, &e) {
			return nil, err
		}
		value, allowed := fmt.Sprint(e.Value), e.Allowed
		if e.Unknown {
			value, allowed = e.Param, "a parameter of "+spec.Name+": there are "+e.Allowed
		}
		problems = append(problems, doc.Errorf(fmt.Sprintf("policies[%d].params.%s", i, e.Param), value, allowed, e.Suggestion))
	}
	return values, errors.Join(problems...)
}

// flagDefaults are the parameters that default to a flag of the experiment's maintenance manager.
func flagDefaults(e *configs.Experiment, spec *policies.Spec) map[string]any {
	params := map[string]any{}
	if spec.Name == policies.PriorityWeighted().Name {
		params["multiplier"], params["range"] = e.Maintenance.PriorityMultiplier, e.Maintenance.PriorityRange
	}
	return params
}

// joined gives the errors that errors.Join put together.
func joined(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
