package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/plugins/host"
	"mmsim/policies"
)

// complete is what cobra asks for the words that may come next.
type complete = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// completes makes a flag offer words.
func completes(cmd *cobra.Command, flag string, words complete) {
	if err := cmd.RegisterFlagCompletionFunc(flag, words); err != nil {
		panic(err) // no such flag: a fault of this program that its first test finds
	}
}

// fixed offers the same words always, and nothing else.
func fixed(words []string) complete {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// experimentsOrFiles offers the experiments that ship with mmsim, and files, for the first argument.
func experimentsOrFiles(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return configs.Embedded(), cobra.ShellCompDirectiveDefault
}

// policyWords offers policies, an experiment's own lines among them, and behind one and a comma its parameters. What has a slash is a file.
func policyWords(lines func(args []string) []configs.Line) complete {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if cut := strings.LastIndexByte(typed, ','); cut >= 0 {
			return parameterWords(cmd.Context(), lines(args), typed[:cut]), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
		}
		if strings.ContainsRune(typed, '/') {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var words []string
		for _, spec := range policies.Builtins() {
			words = append(words, spec.Name+"\t"+spec.Summary, "plugin:"+spec.Name+"\t"+spec.Name+" in a process of its own")
		}
		for _, line := range lines(args) {
			if _, builtin := policies.Lookup(line.Name); !builtin {
				words = append(words, line.Name+"\ta line of the experiment")
			}
		}
		return words, cobra.ShellCompDirectiveDefault
	}
}

// parameterWords offers the parameters of a policy that are not given yet.
func parameterWords(ctx context.Context, lines []configs.Line, given string) []string {
	name, _, _ := strings.Cut(given, ",")
	name = strings.TrimPrefix(name, "plugin:")
	for _, line := range lines {
		if line.Name == name && line.Policy != "" {
			name = line.Policy
		}
	}
	spec, ok := policies.Lookup(name)
	if !ok && strings.ContainsRune(name, '/') {
		plugin, err := host.Open(ctx, host.Command{Path: name}, host.Limits{})
		if err != nil {
			return nil
		}
		defer plugin.Close()
		its := plugin.Spec()
		spec, ok = &its, true
	}
	if !ok {
		return nil
	}
	var words []string
	for _, p := range spec.Params {
		if !strings.Contains(given, ","+p.Name+"=") {
			words = append(words, given+","+p.Name+"=\t"+p.Help)
		}
	}
	return words
}

// assignmentWords offers the paths of values, and behind = what they take.
func assignmentWords(paths func(args []string) []configs.Path) complete {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var words []string
		path, _, valued := strings.Cut(typed, "=")
		for _, p := range paths(args) {
			switch {
			case !valued && strings.HasPrefix(p.Path, path):
				words = append(words, p.Path+"=\t"+p.Help)
			case valued && p.Path == path:
				for _, word := range p.Words {
					words = append(words, path+"="+word)
				}
			}
		}
		if valued {
			return words, cobra.ShellCompDirectiveDefault
		}
		return words, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}

// named is the experiment that the arguments name, as far as it can be read; nil = not at all.
func named(args []string) *configs.Doc {
	doc, _ := (&overrides{}).load(args) // what is wrong with it is none of completion's business
	return doc
}

func linesOf(args []string) []configs.Line {
	if doc := named(args); doc != nil {
		return doc.Experiment.Policies
	}
	return nil
}

func pathsOf(args []string) []configs.Path {
	if doc := named(args); doc != nil {
		return doc.Paths()
	}
	return nil
}

// ofDecision is pathsOf for the file of decide.
func ofDecision(args []string) []configs.Path {
	if len(args) == 0 {
		return nil
	}
	doc, err := configs.LoadDecision(args[0])
	if err != nil {
		return nil
	}
	return doc.Paths()
}
