package main

import (
	"github.com/spf13/cobra"

	"mmsim/configs"
)

func showCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "show NAME",
		Short:   "Print an experiment that ships with mmsim, to start one's own from",
		Example: "  mmsim show review-15995 > mine.yaml",
		Args:    cobra.ExactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			names, _ := experimentsOrFiles(nil, args, "")
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := configs.Source(args[0])
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(source)
			return err
		},
	}
}
