package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"mmsim/results/folder"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print what this mmsim was built from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version())
			return err
		},
	}
}

// version says what this mmsim was built from.
func version() string {
	p := folder.ThisProcess()
	if p.Revision == "" {
		p.Revision = "unknown revision"
	}
	return fmt.Sprintf("%s, %s, %s %s/%s", p.Module, p.Revision, p.Go, p.OS, p.Arch)
}
