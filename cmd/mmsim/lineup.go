package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"mmsim/configs"
	"mmsim/plugins/host"
	"mmsim/policies"
	"mmsim/results/folder"
	"mmsim/sim"
)

// lineup is the policies of an experiment, each opened and given its parameters.
type lineup struct {
	at      string // format of the path of a line's key in its file
	lines   []sim.Line
	specs   []*policies.Spec
	values  []policies.Values // their parameters
	sources []folder.PolicyFile
	timers  []*timed // what each line is asked through
	plugins []linePlugin
}

// linePlugin is the plugin of a line.
type linePlugin struct {
	*host.Plugin
	line string
}

// Close ends the plugins.
func (l *lineup) Close() {
	for _, p := range l.plugins {
		p.Close()
	}
}

// logTo lets what plugins print go to their lines' folders.
func (l *lineup) logTo(into *folder.Folder) {
	for _, p := range l.plugins {
		p.LogTo(filepath.Join(into.Path(p.line), folder.PolicyLogFile))
	}
}

// endLogs ends the plugins, so that nothing is printed any more, and says whether all they printed was written.
func (l *lineup) endLogs() error {
	l.Close()
	var problems []error
	for _, p := range l.plugins {
		problems = append(problems, p.LogError())
	}
	return errors.Join(problems...)
}

// files says where the policies came from and how long they took on this machine.
func (l *lineup) files() []folder.PolicyFile {
	for i, t := range l.timers {
		l.sources[i].Asked, l.sources[i].Seconds = t.asked, t.took.Seconds()
	}
	return l.sources
}

// assemble opens the policies of all lines and puts the defaults of their parameters into the experiment. Which process a
// built-in runs in is no part of the experiment any more then: run.json says it.
func assemble(ctx context.Context, doc *configs.Doc) (*lineup, error) {
	return assembleAt(ctx, doc, "policies[%d].%s")
}

// assembleAt is assemble for a file in which the lines' keys stand elsewhere: at makes their paths of line and key.
func assembleAt(ctx context.Context, doc *configs.Doc, at string) (*lineup, error) {
	l := &lineup{at: at}
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

// path is where a key of line i stands.
func (l *lineup) path(i int, key string) string { return fmt.Sprintf(l.at, i, key) }

// add opens the policy of line i, unless the line names none or its names are wrong.
func (l *lineup) add(ctx context.Context, doc *configs.Doc, i int) error {
	line := &doc.Experiment.Policies[i]
	if !doc.Sound(l.path(i, "policy"), l.path(i, "plugin")) {
		return nil
	}
	source := folder.PolicyFile{Line: line.Name}
	spec, err := l.open(ctx, doc, i, &source)
	if err != nil {
		return err
	}
	values, err := l.resolve(doc, i, spec)
	if err != nil {
		return err
	}
	policy, err := spec.New(values)
	if err != nil {
		return l.pluginProblem(doc, i, err)
	}
	timer := &timed{Policy: policy}
	line.Params, line.Serve = values, false
	source.Policy = spec.Name
	l.specs, l.values = append(l.specs, spec), append(l.values, values)
	l.sources, l.timers = append(l.sources, source), append(l.timers, timer)
	l.lines = append(l.lines, sim.Line{
		Name: line.Name, Policy: spec.Name, RanksAll: spec.RanksEverything,
		New: func() (policies.Policy, error) { return timer, nil },
	})
	return nil
}

// open finds a line's built-in or starts its plugin, and notes where it came from.
func (l *lineup) open(ctx context.Context, doc *configs.Doc, i int, source *folder.PolicyFile) (*policies.Spec, error) {
	line := &doc.Experiment.Policies[i]
	command := host.Command{Path: doc.PluginPath(i)}
	if line.Policy != "" {
		spec, ok := policies.Lookup(line.Policy)
		if !ok {
			names := builtinNames()
			return nil, doc.Errorf(l.path(i, "policy"), line.Policy,
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
		return nil, l.pluginProblem(doc, i, err)
	}
	l.plugins = append(l.plugins, linePlugin{plugin, line.Name})
	source.Path, source.SHA256 = plugin.Path(), plugin.SHA256()
	spec := plugin.Spec()
	return &spec, nil
}

// pluginProblem says where the plugin that can't be used was named.
func (l *lineup) pluginProblem(doc *configs.Doc, i int, err error) error {
	line := &doc.Experiment.Policies[i]
	key, value := "plugin", line.Plugin
	if line.Policy != "" {
		key, value = "policy", line.Policy
	}
	return doc.Errorf(l.path(i, key), value, "usable as a policy: "+loadReason(err), "")
}

// loadReason says why a plugin can't be used without naming it.
func loadReason(err error) string {
	var e *host.LoadError
	if errors.As(err, &e) {
		return strings.TrimPrefix(err.Error(), "policy plugin "+e.Path+" ")
	}
	return err.Error()
}

// resolve checks a line's parameters against what its policy declares.
func (l *lineup) resolve(doc *configs.Doc, i int, spec *policies.Spec) (policies.Values, error) {
	params := flagDefaults(doc.Experiment, spec)
	for name, value := range doc.Experiment.Policies[i].Params {
		params[name] = value
	}
	values, err := spec.Resolve(params)
	var problems []error
	for _, err := range configs.Apart(err) {
		var e *policies.ParamError
		if !errors.As(err, &e) {
			return nil, err
		}
		value, allowed := fmt.Sprint(e.Value), e.Allowed
		if e.Unknown {
			value, allowed = e.Param, "a parameter of "+spec.Name+": there are "+e.Allowed
		}
		if e.Unknown && len(spec.Params) == 0 {
			allowed = "a parameter of " + spec.Name + ", which has none"
		}
		if text, quoted := e.Value.(string); quoted && !e.Unknown {
			if _, err := spec.Resolve(map[string]any{e.Param: parameter(text)}); err == nil {
				e.Suggestion = text + " without quotes"
			}
		}
		problems = append(problems, doc.Errorf(l.path(i, "params."+e.Param), value, allowed, e.Suggestion))
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
