package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mmsim/fidelity"
)

// fidelityFlags are the flags of fidelity.
type fidelityFlags struct {
	out  string
	json bool
}

func fidelityCommand() *cobra.Command {
	var f fidelityFlags
	cmd := &cobra.Command{
		Use:   "fidelity",
		Short: "Hold the simulator against what was measured on a real Kudu",
		Long: `Fidelity runs the simulator on the input of every measurement that ships with mmsim, taken on a Kudu 1.18.1, and writes what was
measured beside what was simulated: what rests on Kudu's rules alone, what is a prediction, what a fit, and what does not match.`,
		Example: "  mmsim fidelity\n  mmsim fidelity --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), os.Stdout) },
	}
	cmd.Flags().StringVar(&f.out, "out", "docs/fidelity.md", "file to write")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON and write no file")
	return cmd
}

func (f *fidelityFlags) run(ctx context.Context, w io.Writer) error {
	report, err := fidelity.Run(ctx)
	if err != nil {
		return &failure{err, exitFailed}
	}
	if f.json {
		return printJSON(w, report)
	}
	if err := os.WriteFile(f.out, []byte(report.Markdown()), 0o644); err != nil {
		return &failure{fmt.Errorf("write the report: %w", err), exitFailed}
	}
	ok, all := report.Count()
	fmt.Fprintf(w, "%d of %d checks hold (%s); %s says which do not and why\n", ok, all, report.Counts(), f.out)
	return nil
}
