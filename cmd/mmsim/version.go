package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"mmsim/results"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print what this mmsim was built from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p := results.ThisProcess()
			if p.Revision == "" {
				p.Revision = "unknown revision"
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s, %s, %s %s/%s\n", p.Module, p.Revision, p.Go, p.OS, p.Arch)
			return err
		},
	}
}
