package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/configs"
)

// defaultExperiment is what is run when none is named.
const defaultExperiment = "review-15995"

// overrides are the flags that change an experiment after it was read.
type overrides struct {
	policies []string
	sets     []string
	seed     string
	scale    string
}

func (o *overrides) addTo(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVarP(&o.policies, "policy", "p", nil, "policy to run instead of the experiment's; may be repeated")
	f.StringArrayVar(&o.sets, "set", nil, "change one value, such as server.memory_limit=20GB; may be repeated")
	f.StringVar(&o.seed, "seed", "", "root of every random stream (default: the experiment's)")
	f.StringVar(&o.scale, "scale", "", "size to run at, above 0 and at most 1 (default: the experiment's)")
	cmd.ValidArgsFunction = experimentsOrFiles
	completes(cmd, "policy", policyWords(linesOf))
	completes(cmd, "set", assignmentWords(pathsOf))
}

// load reads the experiment that the arguments name and lays the flags over it. With an error the document, unless it is nil, holds what
// could be read.
func (o *overrides) load(args []string) (*configs.Doc, error) {
	name := defaultExperiment
	if len(args) > 0 {
		name = args[0]
	}
	assignments := configs.Sets(o.sets...)
	for _, f := range []struct{ flag, key, value string }{{"--seed", "seed", o.seed}, {"--scale", "scale", o.scale}} {
		if f.value != "" {
			assignments = append(assignments, configs.Assignment{Flag: f.flag, Text: f.key + "=" + f.value})
		}
	}
	doc, err := find(name, assignments)
	if doc == nil || len(o.policies) == 0 {
		return doc, err
	}
	lines, wrong := policyLines(doc, o.policies)
	err = errors.Join(err, wrong)
	if len(lines) == 0 {
		return doc, err
	}
	doc, wrong = doc.WithPolicies(lines)
	return doc, errors.Join(err, wrong)
}

// find reads an experiment by the path of a file or by the name under which it ships with mmsim.
func find(name string, assignments []configs.Assignment) (*configs.Doc, error) {
	ships := slices.Contains(configs.Embedded(), name)
	if !ships && (isFile(name) || strings.ContainsRune(name, '/') || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")) {
		return configs.Load(name, assignments...)
	}
	return configs.LoadEmbedded(name, assignments...)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// prepare loads and checks everything a run needs: the experiment as written, the same at its scale, and its policies, which the caller closes.
// An error tells all that is wrong with any of them. Warnings go to notes.
func (o *overrides) prepare(ctx context.Context, notes io.Writer, args []string) (*configs.Doc, *configs.Experiment, *lineup, error) {
	doc, err := o.load(args)
	if doc == nil {
		return nil, nil, nil, err
	}
	for _, warning := range doc.Warnings {
		fmt.Fprintln(notes, warning)
	}
	lines, wrong := assemble(ctx, doc)
	var scaled *configs.Experiment
	if err = once(err, wrong); err == nil {
		scaled, err = doc.Experiment.Scaled(doc.Experiment.Scale)
	}
	if err != nil && lines != nil {
		lines.Close()
	}
	return doc, scaled, lines, err
}

// once joins errors, each text once.
func once(errs ...error) error {
	seen := map[string]bool{}
	return errors.Join(slices.DeleteFunc(configs.Apart(errors.Join(errs...)), func(err error) bool {
		twice := seen[err.Error()]
		seen[err.Error()] = true
		return twice
	})...)
}
