package main

import "github.com/spf13/cobra"

func importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Read what a real Kudu shows of itself",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(importKuduCommand(), importLogCommand())
	return cmd
}
