package main

import (
	"context"
	"errors"
	"os"
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
}

// load reads the experiment that the arguments name and lays the flags over it.
func (o *overrides) load(args []string) (*configs.Doc, error) {
	name := defaultExperiment
	if len(args) > 0 {
		name = args[0]
	}
	doc, err := find(name)
	if err != nil {
		return nil, err
	}
	if err := doc.Set(o.sets...); err != nil {
		return nil, err
	}
	for _, f := range []struct{ flag, key, value string }{{"--seed", "seed", o.seed}, {"--scale", "scale", o.scale}} {
		if f.value == "" {
			continue
		}
		if err := doc.Set(f.key + "=" + f.value); err != nil {
			return nil, fromFlag(f.flag, err)
		}
	}
	if len(o.policies) == 0 {
		return doc, nil
	}
	lines, err := policyLines(doc, o.policies)
	if err != nil {
		return nil, err
	}
	return doc.WithPolicies(lines)
}

// find reads an experiment by the path of a file or by the name under which it ships with mmsim.
func find(name string) (*configs.Doc, error) {
	if strings.ContainsRune(name, '/') || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		return configs.Load(name)
	}
	doc, err := configs.LoadEmbedded(name)
	if err != nil {
		if info, missing := os.Stat(name); missing == nil && info.Mode().IsRegular() {
			return configs.Load(name)
		}
	}
	return doc, err
}

// fromFlag names the flag in problems with a value that it gave.
func fromFlag(flag string, err error) error {
	var p *configs.Problem
	if !errors.As(err, &p) {
		return err
	}
	named := *p
	named.File = flag
	return &named
}

// prepare loads and checks everything a run needs: the experiment as written, the same at its scale, and its policies, which the caller closes.
func (o *overrides) prepare(ctx context.Context, args []string) (*configs.Doc, *configs.Experiment, *lineup, error) {
	doc, err := o.load(args)
	if err != nil {
		return nil, nil, nil, err
	}
	scaled, err := doc.Experiment.Scaled(doc.Experiment.Scale)
	if err != nil {
		return nil, nil, nil, err
	}
	lines, err := assemble(ctx, doc)
	if err != nil {
		return nil, nil, nil, err
	}
	return doc, scaled, lines, nil
}
