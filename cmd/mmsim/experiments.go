package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/configs"
)

func experimentsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "experiments",
		Short: "List the experiments that ship with mmsim",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			columns := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, name := range configs.Embedded() {
				doc, err := configs.LoadEmbedded(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(columns, "%s\t%s\n", name, doc.Experiment.Title)
			}
			return columns.Flush()
		},
	}
}
