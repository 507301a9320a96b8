package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/plugins/sdk"
	"mmsim/policies"
)

// servePolicyCommand is what mmsim starts to run a built-in out of process.
func servePolicyCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "serve-policy NAME",
		Short:  "Serve a built-in policy to the mmsim that starts this",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			spec, ok := policies.Lookup(args[0])
			if !ok {
				return fmt.Errorf("%q is not a policy: there are %s", args[0], strings.Join(builtinNames(), ", "))
			}
			sdk.Serve(*spec)
			return nil
		},
	}
}
