package main

import (
	"bufio"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/policies"
)

func policiesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "policies",
		Short: "List the built-in policies and their parameters",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := bufio.NewWriter(cmd.OutOrStdout())
			for i, spec := range policies.Builtins() {
				if i > 0 {
					fmt.Fprintln(out)
				}
				fmt.Fprintf(out, "%s %s: %s\n  reads %s\n", spec.Name, spec.Version, spec.Summary, strings.Join(spec.Columns.Names(), ", "))
				columns := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				for _, p := range spec.Params {
					fmt.Fprintf(columns, "  %s\tdefault %v\t%s\t%s\n", p.Name, p.Default, p.Allowed(), p.Help)
				}
				columns.Flush()
			}
			return out.Flush()
		},
	}
}
