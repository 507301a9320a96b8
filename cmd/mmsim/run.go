package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/files"
	"mmsim/plots"
	"mmsim/plugins/host"
	"mmsim/results"
	"mmsim/results/compare"
	"mmsim/results/folder"
	"mmsim/results/waits"
	"mmsim/sim"
)

// runFlags are the flags of run alone.
type runFlags struct {
	overrides
	out        string
	jobs       int
	noPlots    bool
	worst      worst
	quiet      bool
	reference  bool
	cpuProfile outFile
}

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [FILE|NAME]",
		Short: "Simulate an experiment under each of its policies and draw the results",
		Long: `Run simulates an experiment, under one policy after the other or beside each other, leaves a folder with the results, prints how they
compare, and then draws plots into the folder. If that is cut short, the result is complete nevertheless, and mmsim plot draws them again.

FILE is an experiment in YAML; NAME is one that ships with mmsim: ` + strings.Join(configs.Embedded(), ", ") + `.
Without either it is ` + defaultExperiment + `.

--policy takes, each with parameters if need be (workload-scaled,bound=10):
  a line of the experiment       --policy workload-scaled-10
  a built-in policy              --policy workload-scaled,bound=10
  either, in its own process     --policy plugin:workload-scaled
  a policy binary                --policy ./bin/my-policy`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), cmd.OutOrStdout(), args) },
	}
	f.addTo(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "out", "o", "result", "folder for the results")
	flags.IntVarP(&f.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "policies to simulate at a time")
	flags.BoolVar(&f.noPlots, "no-plots", false, "leave the plots out")
	f.worst.addTo(flags)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	flags.BoolVar(&f.reference, "reference", false, "use the plain engine, which must give the same results")
	f.cpuProfile.flag = "--cpuprofile"
	flags.StringVar(&f.cpuProfile.path, "cpuprofile", "", "file for a CPU profile")
	flags.MarkHidden("reference")
	flags.MarkHidden("cpuprofile")
	return cmd
}

// run checks everything first, so that wrong input leaves nothing behind.
func (f *runFlags) run(ctx context.Context, out io.Writer, args []string) error {
	started := time.Now()
	var wrong error
	if f.jobs < 1 {
		wrong = fmt.Errorf("--jobs: \"%d\" is not a whole number of at least 1", f.jobs)
	}
	doc, scaled, lines, err := f.prepare(ctx, os.Stderr, args)
	if err := errors.Join(wrong, f.worst.check(), err); err != nil {
		return err
	}
	defer lines.Close()
	if doc, err = anywhere(doc); err != nil {
		return err
	}
	if err := f.cpuProfile.plan(files.Profile, args...); err != nil {
		return err
	}
	files.Sweep(os.TempDir())
	files.Sweep(host.SocketRoot)
	into, err := folder.Create(f.out)
	if err != nil {
		return err
	}
	defer into.Abort()
	result, err := f.write(ctx, into, doc, scaled, lines, started)
	if err != nil {
		return f.failed(ctx, into, err)
	}
	if err := report(out, result, doc.Experiment.Measured, f.out, int(f.worst)); err != nil {
		return err
	}
	if kept := into.Kept(); len(kept) > 0 {
		fmt.Fprintf(out, "kept      %s\n", strings.Join(kept, ", "))
	}
	warn(os.Stderr, result.Runs)
	if f.noPlots {
		return nil
	}
	return f.draw(ctx, out)
}

// draw draws the plots of the result that has just been completed. Whatever happens to them, the result stays.
func (f *runFlags) draw(ctx context.Context, out io.Writer) error {
	again := fmt.Sprintf("mmsim plot %s", f.out)
	if f.worst != compare.DefaultWorst {
		again += fmt.Sprintf(" --worst %d", f.worst)
	}
	if !f.quiet {
		fmt.Fprintf(os.Stderr, "drawing plots; the result is complete, and %s draws them again\n", again)
	}
	err := draw(ctx, out, f.out, int(f.worst), false)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	return &failure{fmt.Errorf("drawing plots: %w; the result in %s is complete without them: %s draws them again", err, f.out, again), exitFailed}
}

// anywhere gives the experiment with the paths of policy binaries made absolute, so that it can be run again from wherever its
// resolved form lies.
func anywhere(doc *configs.Doc) (*configs.Doc, error) {
	lines := slices.Clone(doc.Experiment.Policies)
	found := false
	for i := range lines {
		if path := doc.PluginPath(i); path != "" {
			abs, err := filepath.Abs(path)
			if err != nil {
				return nil, err
			}
			lines[i].Plugin, found = abs, true
		}
	}
	if !found {
		return doc, nil
	}
	return doc.WithPolicies(lines)
}

// write simulates and fills the folder.
func (f *runFlags) write(ctx context.Context, into *folder.Folder, doc *configs.Doc, e *configs.Experiment, l *lineup, started time.Time) (*results.Result, error) {
	if err := into.WriteExperiment(doc.YAML()); err != nil {
		return nil, err
	}
	var result *results.Result
	err := profiled(ctx, &f.cpuProfile, func() (err error) {
		result, err = f.simulate(ctx, into, doc, e, l)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := into.WriteResult(result); err != nil {
		return nil, err
	}
	if !f.noPlots {
		into.Reserve(folder.PlotsFolder, plots.Files(result.Runs))
	}
	info := folder.ThisProcess()
	info.Started, info.Ended, info.Policies = started, time.Now(), l.files()
	if err := into.WriteRunInfo(info); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return result, into.Commit()
}

// simulate runs every line, writes each run as it is done, and keeps of it what result.json says.
func (f *runFlags) simulate(ctx context.Context, into *folder.Folder, doc *configs.Doc, e *configs.Experiment, l *lineup) (*results.Result, error) {
	options := sim.Options{Reference: f.reference}
	if !f.quiet {
		p := newProgress(os.Stderr, e, f.jobs)
		defer p.end()
		options.Progress = p.update
	}
	l.logTo(into)
	parts := make([]*results.Result, len(l.lines))
	err := sim.Matrix(ctx, e, l.lines, min(f.jobs, len(l.lines)), options, func(run *results.Run) error {
		part := &results.Result{Experiment: doc.YAML(), Seed: e.Seed, Scale: e.Scale, Runs: []*results.Run{run}}
		waits.Judge(part, int64(e.Starvation.After))
		parts[slices.IndexFunc(l.lines, func(line sim.Line) bool { return line.Name == run.Line })] = part
		err := into.WriteRun(run)
		part.Forget()
		return err
	})
	if err = errors.Join(err, l.endLogs()); err != nil {
		return nil, err
	}
	return results.Join(parts), nil
}

// failed says why a run ended early and where what it wrote is.
func (f *runFlags) failed(ctx context.Context, into *folder.Folder, err error) error {
	code := exitFailed
	var plugin *host.RunError
	var policy *sim.PolicyError
	if errors.As(err, &plugin) || errors.As(err, &policy) {
		code = exitPolicy
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	return &failure{fmt.Errorf("%w; what was written so far is in %s, marked as incomplete", err, into.Path("")), code}
}
