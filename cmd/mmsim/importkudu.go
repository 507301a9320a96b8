package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/files"
	"mmsim/importers/kudu"
	"mmsim/importers/kudu/pages"
	"mmsim/sim"
)

// importKuduFlags are the flags of import kudu.
type importKuduFlags struct {
	tservers []string
	dirs     []string
	master   string
	out      outFile
	name     string
	sample   string
	keepKeys bool
	quiet    bool
}

func importKuduCommand() *cobra.Command {
	var f importKuduFlags
	cmd := &cobra.Command{
		Use:   "kudu (--tserver URL... | --from-dir DIR|TAR.GZ...)",
		Short: "Make an experiment that starts in the state of a real Kudu",
		Long: `Import kudu reads the web pages of tablet servers, running ones or saved pages, and writes an experiment that starts in
their state: tables, tablets, each tablet's rowsets, MemRowSets, flags and, as a first guess of the workload, recent rates.
Each guess says that it is one. What pages don't tell stands at the end of the file and on the standard error output.

Saved pages of a server are a folder, or a .tar.gz of one, with metrics.json (from /metrics), tablets.html, varz.html, mem-trackers.html, maintenance-manager.html and, for each tablet,
tablet-ID.html and tablet-rowsetlayout-svg-ID.html (from /tablet?id=ID and /tablet-rowsetlayout-svg?id=ID). The master's page
of a table (/table?id=ID), which shows priorities, may lie there as table-ID.html.

Row keys are never written, unless --keep-keys is given: rowsets are given by their places.`,
		Example: "  mmsim import kudu --tserver http://ts1:8050 --tserver http://ts2:8050 --out now.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.tservers, "tserver", nil, "address of a tablet server's web pages; may be repeated")
	flags.StringArrayVar(&f.dirs, "from-dir", nil, "folder with a tablet server's saved pages, or a .tar.gz of it; may be repeated")
	flags.StringVar(&f.master, "master", "", "address of the master's web pages, which show tables' priorities")
	f.out.addTo(cmd, "out", "", "file for the experiment (default: standard output)")
	flags.StringVar(&f.name, "name", "imported", "name of the experiment")
	flags.StringVar(&f.sample, "sample", "", "watch running servers for so long, such as 10s, to count rates (default: rates since they started)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	flags.BoolVar(&f.keepKeys, "keep-keys", false, "write row keys where pages show them")
	return cmd
}

func (f *importKuduFlags) run(ctx context.Context, out, messages io.Writer) error {
	if err := configs.CheckName("--name", f.name); err != nil {
		return err
	}
	sources, err := f.sources()
	if err != nil {
		return err
	}
	if err := f.out.plan(files.Experiment, f.dirs...); err != nil {
		return err
	}
	options := kudu.Options{Name: f.name, KeepKeys: f.keepKeys}
	if options.Sample, err = f.sampleTime(); err != nil {
		return err
	}
	switch {
	case f.master != "":
		if options.Master, err = pages.Web(f.master); err != nil {
			return err
		}
	case len(f.dirs) > 0:
		options.Master = sources[0]
	}
	imported, err := f.read(ctx, messages, sources, options)
	if err != nil {
		return err
	}
	if f.out.path == "" {
		out.Write(imported.YAML)
	} else if err := f.out.write(ctx, content(imported.YAML)); err != nil {
		return err
	}
	for _, text := range imported.Warnings {
		fmt.Fprintf(messages, "warning: %s\n", text)
	}
	for _, text := range imported.Untold {
		fmt.Fprintf(messages, "not told: %s\n", text)
	}
	return compareScores(messages, f.name, imported)
}

// read imports what the servers show, and says what it is doing.
func (f *importKuduFlags) read(ctx context.Context, messages io.Writer, sources []pages.Source, options kudu.Options) (*kudu.Imported, error) {
	defer quitOnSignal(ctx)()
	news := newBulletin(messages, f.quiet)
	defer news.end()
	options.Progress = func(s pages.Step) {
		news.say(func() string { return stepText(s) })
	}
	return kudu.Import(ctx, sources, options)
}

// stepText says what an import is doing.
func stepText(s pages.Step) string {
	text := s.Doing
	if s.Total > 0 {
		text = fmt.Sprintf("%d of %d tablets read, now %s", s.Done, s.Total, text)
	}
	if s.Server != "" {
		text = s.Server + ": " + text
	}
	return text
}

// sameScore is how far a score may be from the server's, as a part of it: sizes that pages show in whole MB move it by less.
const sameScore = 0.01

// compareScores says whether the compaction policy makes of the imported tablets what it made of them on their server.
func compareScores(messages io.Writer, name string, imported *kudu.Imported) error {
	if len(imported.Scores) == 0 {
		return nil
	}
	doc, err := configs.Parse(name, imported.YAML)
	if err != nil {
		return err
	}
	scores, err := sim.CompactionScores(doc.Experiment)
	if err != nil {
		return err
	}
	same, off := 0, ""
	for _, s := range imported.Scores {
		table := slices.IndexFunc(doc.Experiment.Tables, func(t configs.Table) bool { return t.Name == s.Table })
		switch mine := scores[table][s.Tablet]; {
		case math.Abs(mine-s.Score) <= sameScore*s.Score:
			same++
		case off == "":
			off = fmt.Sprintf("; %s/%d has %.6g for the server's %.6g", s.Table, s.Tablet, mine, s.Score)
		}
	}
	fmt.Fprintf(messages, "checked: of the compactions of %d tablets that the server gave a score, %d have it here too, within %v %%%s\n",
		len(imported.Scores), same, 100*sameScore, off)
	return nil
}

// sources gives the servers to be read.
func (f *importKuduFlags) sources() (all []pages.Source, err error) {
	if (len(f.tservers) == 0) == (len(f.dirs) == 0) {
		return nil, &configs.Problem{File: "import kudu", Allowed: "needs either --tserver or --from-dir"}
	}
	for _, address := range f.tservers {
		source, err := pages.Web(address)
		if err != nil {
			return nil, err
		}
		all = append(all, source)
	}
	for _, path := range f.dirs {
		source, err := pages.Saved(path)
		if err != nil {
			return nil, err
		}
		all = append(all, source)
	}
	return all, nil
}

// sampleTime reads --sample.
func (f *importKuduFlags) sampleTime() (time.Duration, error) {
	if f.sample == "" {
		return 0, nil
	}
	d, err := configs.ParseDuration(f.sample)
	if err != nil || d < configs.Duration(time.Second) || d > configs.Duration(time.Hour) {
		return 0, &configs.Problem{File: "--sample", Field: "sample", Value: f.sample, Allowed: "a duration from 1s to 1h"}
	}
	if len(f.dirs) > 0 {
		return 0, &configs.Problem{File: "--sample", Allowed: "saved pages cannot be watched: leave it out"}
	}
	return time.Duration(d), nil
}
