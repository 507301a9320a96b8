package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mmsim/fidelity"
	"mmsim/files"
)

// fidelityFlags are the flags of fidelity.
type fidelityFlags struct {
	out   outFile
	json  bool
	quiet bool
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.out.addTo(cmd, "out", "docs/fidelity.md", "file to write")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON and write no file")
	return cmd
}

func (f *fidelityFlags) run(ctx context.Context, w, notes io.Writer) error {
	if f.json {
		f.out.path = ""
	}
	if err := f.out.plan(files.Report); err != nil {
		return err
	}
	news := newBulletin(notes, f.quiet)
	report, err := fidelity.Run(ctx, func(part string) { news.say(func() string { return part }) })
	news.end()
	if err != nil {
		return &failure{err, exitFailed}
	}
	if f.json {
		return printJSON(w, report)
	}
	if err := f.out.write(ctx, content([]byte(report.Markdown()))); err != nil {
		return err
	}
	ok, all := report.Count()
	fmt.Fprintf(w, "%d of %d checks hold (%s); %s says which do not and why\n", ok, all, report.Counts(), f.out.path)
	return nil
}
