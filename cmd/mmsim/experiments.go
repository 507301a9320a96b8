package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/configs"
)

func experimentsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "experiments",
		Short: "List the experiments that ship with mmsim",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			columns := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
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
