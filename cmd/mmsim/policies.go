package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/plugins/host"
	"mmsim/policies"
)

func policiesCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "policies [NAME|BINARY...]",
		Short:   "List the built-in policies, or describe policy binaries: parameters and columns",
		Example: "  mmsim policies\n  mmsim policies ./bin/my-policy",
		RunE: func(cmd *cobra.Command, args []string) error {
			return describePolicies(cmd.Context(), cmd.OutOrStdout(), args)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return builtinNames(), cobra.ShellCompDirectiveDefault
		},
	}
}

// describePolicies prints what policies say of themselves: all that are built in, if none is named.
func describePolicies(ctx context.Context, w io.Writer, names []string) error {
	if len(names) == 0 {
		names = builtinNames()
	}
	out := bufio.NewWriter(w)
	for i, name := range names {
		if i > 0 {
			fmt.Fprintln(out)
		}
		spec, ok := policies.Lookup(name)
		if ok {
			writeSpec(out, spec)
			continue
		}
		if err := describeBinary(ctx, out, name); err != nil {
			out.Flush()
			return err
		}
	}
	return out.Flush()
}

// describeBinary starts a policy binary to ask what it is.
func describeBinary(ctx context.Context, w io.Writer, path string) error {
	if !strings.ContainsRune(path, os.PathSeparator) && !isFile(path) {
		names := builtinNames()
		return &configs.Problem{File: "policies", Field: "name", Value: path, Allowed: "a policy: there are " + strings.Join(names, ", ") +
			"; or the path of a binary, such as ./" + path, Suggestion: policies.Suggest(path, names)}
	}
	plugin, err := host.Open(ctx, host.Command{Path: path}, host.Limits{})
	if err != nil {
		return &configs.Problem{File: path, Allowed: "not usable as a policy: " + loadReason(err)}
	}
	defer plugin.Close()
	spec := plugin.Spec()
	writeSpec(w, &spec)
	if build := plugin.Build(); build.GetToolchain() != "" {
		fmt.Fprintf(w, "  built by %s for %s\n", build.GetToolchain(), strings.TrimSpace(build.GetArch()+" "+build.GetLevel()))
	}
	fmt.Fprintf(w, "  SHA-256 %s\n", plugin.SHA256())
	return nil
}

func writeSpec(w io.Writer, spec *policies.Spec) {
	fmt.Fprintf(w, "%s: %s\n  reads %s\n", strings.TrimSpace(spec.Name+" "+spec.Version), spec.Summary, strings.Join(spec.Columns.Names(), ", "))
	if spec.RanksEverything {
		fmt.Fprintln(w, "  ranks everything: Kudu's rules before the scores are left out")
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range spec.Params {
		fmt.Fprintf(columns, "  %s\tdefault %v\t%s\t%s\n", p.Name, p.Default, p.Allowed(), p.Help)
	}
	columns.Flush()
}
