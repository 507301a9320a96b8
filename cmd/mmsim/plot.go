package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/configs"
	"mmsim/plots"
	"mmsim/results/compare"
	"mmsim/results/folder"
)

func plotCommand() *cobra.Command {
	var worst worst
	var force bool
	cmd := &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw the plots of a result folder again",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := worst.check(); err != nil {
				return err
			}
			return draw(cmd.Context(), cmd.OutOrStdout(), args[0], int(worst), force)
		},
	}
	worst.addTo(cmd.Flags())
	addForce(cmd, &force)
	return cmd
}

// worst is how many tables a figure and the terminal show.
type worst int

func (w *worst) addTo(flags *pflag.FlagSet) {
	flags.IntVar((*int)(w), "worst", compare.DefaultWorst, "tables that a figure and the terminal show if there are more: the worst ones")
}

func (w worst) check() error {
	if w < 1 {
		return fmt.Errorf("--worst: \"%d\" is not a whole number of at least 1", w)
	}
	return nil
}

// draw draws the plots of the result in dir from what is on the disk, in place of those that are there.
func draw(ctx context.Context, out io.Writer, dir string, worst int, force bool) error {
	stored, err := folder.Open(dir)
	if err != nil {
		return err
	}
	doc, err := configs.Parse(filepath.Join(dir, folder.ExperimentFile), stored.Experiment)
	if err != nil {
		return err
	}
	e, err := doc.Experiment.Scaled(doc.Experiment.Scale)
	if err != nil {
		return err
	}
	title := e.Title
	if title == "" {
		title = e.Name
	}
	into := filepath.Join(dir, folder.PlotsFolder)
	_, err = plots.Draw(ctx, into, plots.Input{Title: title, Scale: e.Scale, Starvation: e.Starvation.After, Measured: e.Measured,
		Runs: stored.Runs, Source: stored, Worst: worst, Force: force,
		Memory: plots.MemoryLines{Limit: int64(e.Server.MemoryLimit), PressurePercent: e.Server.MemoryPressure, SoftPercent: e.Server.MemorySoftLimit}})
	if err != nil {
		return &failure{err, exitFailed}
	}
	_, err = fmt.Fprintf(out, "plots     %s\n", into)
	return err
}
