package main

import (
	"context"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/fidelity/calibrate"
	"mmsim/files"
)

// calibrateFlags are the flags of calibrate.
type calibrateFlags struct {
	in   calibrate.Input
	out  outFile
	json bool
}

func calibrateCommand() *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate [flags] [--ops LOG...]",
		Short: "Fit a machine's costs to measured times",
		Long: `Calibrate fits the costs of a machine to what scans, inserts and maintenance ops were measured to take, and says how well they
fit, which points it did not use and why. It refuses where the data can't tell a parameter. docs/calibrate.md describes the files.`,
		Example: "  mmsim calibrate --scan scan-cost.tsv --insert insert-cost.tsv --ops */ops.tsv --load load.tsv --out my-machine.yaml",
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), cmd.OutOrStdout(), args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.in.Scan, "scan", "", "table of scan costs")
	flags.StringVar(&f.in.Insert, "insert", "", "table of insert costs")
	flags.StringArrayVar(&f.in.Ops, "ops", nil, "op log, of a run or in the form of measured ones; may be repeated, and further arguments are op logs too")
	flags.StringVar(&f.in.Load, "load", "", "table of what clients did beside the ops, so that what ops were slowed by is not taken for their cost")
	flags.StringArrayVar(&f.in.Keep, "keep", nil, "take a parameter, such as op.flush_fixed, from the base instead of fitting it; may be repeated")
	flags.StringVar(&f.in.Base, "base", "kudu-2core-vm", "machine, by name or path, for what is not fitted")
	flags.IntVar(&f.in.HoldOut, "holdout", 0, "predict every so manyeth of 20 or more points instead of fitting it, 2 or more; 0 = fit all")
	f.out.addTo(cmd, "out", "", "file for the machine, which is named after it")
	completes(cmd, "base", cobra.FixedCompletions(configs.Machines(), cobra.ShellCompDirectiveDefault))
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f *calibrateFlags) run(ctx context.Context, w io.Writer, more []string) error {
	switch {
	case len(f.in.Ops) == 0 && len(more) > 0:
		return &configs.Problem{File: "calibrate", Field: "argument", Value: more[0], Allowed: "of use without --ops"}
	case f.in.Scan == "" && f.in.Insert == "" && len(f.in.Ops) == 0:
		return &configs.Problem{File: "calibrate", Allowed: "nothing to fit: want at least one of --scan, --insert and --ops"}
	case f.in.Load != "" && len(f.in.Ops) == 0:
		return &configs.Problem{File: "calibrate", Field: "--load", Value: f.in.Load, Allowed: "of use without --ops"}
	case f.in.HoldOut < 0 || f.in.HoldOut == 1:
		return &configs.Problem{File: "--holdout", Field: "points", Value: strconv.Itoa(f.in.HoldOut), Allowed: "0 or a number from 2 up"}
	}
	f.in.Ops = append(f.in.Ops, more...)
	f.in.Name = "calibrated"
	if f.out.path != "" {
		f.in.Name = strings.TrimSuffix(filepath.Base(f.out.path), filepath.Ext(f.out.path))
	}
	if err := f.out.plan(files.Machine, append([]string{f.in.Scan, f.in.Insert, f.in.Base}, f.in.Ops...)...); err != nil {
		return err
	}
	computed := quitOnSignal(ctx)
	defer computed()
	result, err := calibrate.Run(&f.in)
	if err != nil {
		return err
	}
	machine, err := result.YAML()
	if err != nil {
		return &failure{err, exitFailed}
	}
	computed()
	if err := f.out.write(ctx, content(machine)); err != nil {
		return err
	}
	if f.json {
		return printJSON(w, result)
	}
	return result.WriteText(w)
}
