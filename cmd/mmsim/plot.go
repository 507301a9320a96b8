package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/plots"
	"mmsim/results"
)

func plotCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw the plots of a result folder again",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			result, err := results.Read(dir)
			if err != nil {
				return err
			}
			doc, err := configs.Parse(filepath.Join(dir, results.ExperimentFile), result.Experiment)
			if err != nil {
				return err
			}
			e, err := doc.Experiment.Scaled(doc.Experiment.Scale)
			if err != nil {
				return err
			}
			into := filepath.Join(dir, results.PlotsFolder)
			if err := draw(cmd.Context(), into, e, result.Runs, force); err != nil {
				return &failure{err, exitFailed}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "plots     %s\n", into)
			return nil
		},
	}
	addForce(cmd, &force)
	return cmd
}

// draw draws the plots of runs of a scaled experiment.
func draw(ctx context.Context, dir string, e *configs.Experiment, runs []*results.Run, force bool) error {
	title := e.Title
	if title == "" {
		title = e.Name
	}
	_, err := plots.Draw(ctx, dir, plots.Input{Title: title, Scale: e.Scale, Starvation: e.Starvation.After, Runs: runs, Measured: e.Measured, Force: force})
	return err
}
