package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/plugins/host"
	"mmsim/results"
	"mmsim/sim"
)

// runFlags are the flags of run alone.
type runFlags struct {
	overrides
	out        string
	jobs       int
	noPlots    bool
	quiet      bool
	reference  bool
	cpuProfile string
}

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [FILE|NAME]",
		Short: "Simulate an experiment under each of its policies and draw the results",
		Long: `Run simulates an experiment, under one policy after the other or beside each other, prints how they compare, and leaves a folder
with results and plots.

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
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	flags.BoolVar(&f.reference, "reference", false, "use the plain engine, which must give the same results")
	flags.StringVar(&f.cpuProfile, "cpuprofile", "", "file for a CPU profile")
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
	if err := errors.Join(wrong, err); err != nil {
		return err
	}
	defer lines.Close()
	if doc, err = anywhere(doc); err != nil {
		return err
	}
	folder, err := results.Create(f.out)
	if err != nil {
		return err
	}
	defer folder.Abort()
	result, err := f.write(ctx, folder, doc, scaled, lines, started)
	if err != nil {
		return f.failed(ctx, folder, err)
	}
	if err := report(out, result, doc.Experiment.Measured, f.out, !f.noPlots); err != nil {
		return err
	}
	if kept := folder.Kept(); len(kept) > 0 {
		fmt.Fprintf(out, "kept      %s\n", strings.Join(kept, ", "))
	}
	return nil
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
func (f *runFlags) write(ctx context.Context, folder *results.Folder, doc *configs.Doc, e *configs.Experiment, l *lineup, started time.Time) (*results.Result, error) {
	if err := folder.WriteExperiment(doc.YAML()); err != nil {
		return nil, err
	}
	runs, err := f.simulate(ctx, folder, e, l)
	if err != nil {
		return nil, err
	}
	result := results.NewResult(doc.YAML(), e.Seed, e.Scale, int64(e.Starvation.After), runs)
	if err := folder.WriteResult(result); err != nil {
		return nil, err
	}
	if !f.noPlots {
		if !f.quiet {
			fmt.Fprintln(os.Stderr, "drawing plots")
		}
		if err := draw(ctx, folder.Path(results.PlotsFolder), e, runs, false); err != nil {
			return nil, err
		}
	}
	info := results.ThisProcess()
	info.Started, info.Ended, info.Policies = started, time.Now(), l.sources
	if err := folder.WriteRunInfo(info); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return result, folder.Commit()
}

// simulate runs every line and writes each run as it is done.
func (f *runFlags) simulate(ctx context.Context, folder *results.Folder, e *configs.Experiment, l *lineup) ([]*results.Run, error) {
	if f.cpuProfile != "" {
		file, err := os.Create(f.cpuProfile)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return nil, err
		}
		defer pprof.StopCPUProfile()
	}
	options := sim.Options{Reference: f.reference}
	if !f.quiet {
		p := newProgress(os.Stderr, e)
		defer p.end()
		options.Progress = p.update
	}
	l.logTo(folder)
	byLine := map[string]*results.Run{}
	err := sim.Matrix(ctx, e, l.lines, min(f.jobs, len(l.lines)), options, func(run *results.Run) error {
		byLine[run.Line] = run
		return folder.WriteRun(run)
	})
	if err = errors.Join(err, l.endLogs()); err != nil {
		return nil, err
	}
	var runs []*results.Run
	for _, line := range l.lines {
		runs = append(runs, byLine[line.Name])
	}
	return runs, nil
}

// failed says why a run ended early and where what it wrote is.
func (f *runFlags) failed(ctx context.Context, folder *results.Folder, err error) error {
	code := exitFailed
	var plugin *host.RunError
	if errors.As(err, &plugin) {
		code = exitPolicy
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	return &failure{fmt.Errorf("%w; what was written so far is in %s, marked as incomplete", err, folder.Path("")), code}
}
