package main

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"mmsim/configs"
	"mmsim/policies"
)

const policyFlag = "--policy"

// policyLines turns the values of --policy into policy lines: NAME[,PARAM=VALUE...], where NAME is a line of the experiment, a
// built-in policy, one of these after "plugin:", or the path of a binary, which has a slash. With an error it gives the lines that are right.
func policyLines(doc *configs.Doc, values []string) ([]configs.Line, error) {
	var lines []configs.Line
	var problems []error
	for _, value := range values {
		line, err := policyLine(doc, value)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		lines = append(lines, line)
	}
	return lines, errors.Join(problems...)
}

func policyLine(doc *configs.Doc, value string) (configs.Line, error) {
	parts := strings.Split(value, ",")
	line, err := namedLine(doc, parts[0])
	if err != nil || len(parts) == 1 {
		return line, err
	}
	params := maps.Clone(line.Params)
	if params == nil {
		params = map[string]any{}
	}
	given := map[string]bool{}
	for _, part := range parts[1:] {
		name, text, ok := strings.Cut(part, "=")
		if !ok || name == "" {
			return line, &configs.Problem{File: policyFlag, Allowed: strconv.Quote(part) + " in " + strconv.Quote(value) + " is not a parameter such as bound=10"}
		}
		if given[name] {
			return line, &configs.Problem{File: policyFlag, Field: value, Value: name, Allowed: "a parameter that is given once"}
		}
		given[name], params[name] = true, parameter(text)
		if line.Name != "" { // the experiment's line under its name is another one
			line.Name += "-" + name + "-" + text
		}
	}
	line.Params = params
	return line, nil
}

func namedLine(doc *configs.Doc, name string) (configs.Line, error) {
	if strings.ContainsRune(name, '/') {
		return configs.Line{Plugin: name}, nil
	}
	plain, serve := strings.CutPrefix(name, "plugin:")
	given := doc.Experiment.Policies
	at := slices.IndexFunc(given, func(l configs.Line) bool { return l.Name == plain })
	if at >= 0 {
		line := given[at]
		if line.Plugin != "" {
			line.Plugin = doc.PluginPath(at)
		} else {
			line.Serve = line.Serve || serve
		}
		return line, nil
	}
	if _, ok := policies.Lookup(plain); ok {
		return configs.Line{Policy: plain, Serve: serve}, nil
	}
	names := builtinNames()
	for i := range given {
		if !slices.Contains(names, given[i].Name) {
			names = append(names, given[i].Name)
		}
	}
	if plain == "" {
		return configs.Line{}, &configs.Problem{File: policyFlag, Field: "policy", Allowed: "one of " + strings.Join(names, ", ") + ", or the path of a binary"}
	}
	suggestion := policies.Suggest(plain, names)
	if first, rest, spaced := strings.Cut(plain, " "); spaced && slices.Contains(names, first) {
		suggestion = first + "," + strings.TrimSpace(rest)
	}
	return configs.Line{}, &configs.Problem{File: policyFlag, Allowed: strconv.Quote(name) + " is not a policy: there are " + strings.Join(names, ", ") +
		"; or the path of a binary, such as ./" + strings.TrimLeft(plain, "."), Suggestion: suggestion}
}

// parameter gives a value the type that it would have in an experiment's file.
func parameter(text string) any {
	var v any
	if yaml.Unmarshal([]byte(text), &v) == nil {
		switch v.(type) {
		case int, float64, bool:
			return v
		}
	}
	return text
}

func builtinNames() []string {
	var names []string
	for _, spec := range policies.Builtins() {
		names = append(names, spec.Name)
	}
	return names
}
