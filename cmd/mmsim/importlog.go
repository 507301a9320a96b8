package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/files"
	"mmsim/importers/kudu/serverlog"
	"mmsim/policies"
	"mmsim/reading"
	"mmsim/results/oplog"
)

// importLogFlags are the flags of import kudu-log.
type importLogFlags struct {
	out    outFile
	quiet  bool
	zero   string
	tables string
}

func importLogCommand() *cobra.Command {
	var f importLogFlags
	cmd := &cobra.Command{
		Use:   "kudu-log FILE",
		Short: "Turn a tablet server's INFO log into an op log",
		Long: `Kudu-log reads the INFO log of a tablet server, plain or gzipped, and writes the maintenance ops that it tells of in the format of the
ops.tsv that every run leaves. What the log does not tell stays empty.

A log names tablets by their ids; where it tells of a tablet's creation the table's name is taken from there, else from the file of
--tables: an experiment that import kudu made, or lines of an id, a tab and table/bucket.`,
		Example: "  mmsim import kudu-log kudu-tserver.INFO --zero first:CompactRowSets --tables tables.tsv --out ops.tsv",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0])
		},
	}
	f.out.addTo(cmd, "out", "", "file to write (default: standard output)")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	cmd.Flags().StringVar(&f.zero, "zero", "", "where time begins: a time of the log, such as \"2026-11-30 20:15:43\" or 20:15:43, or first:KIND (default: the log's first line)")
	cmd.Flags().StringVar(&f.tables, "tables", "", "an imported experiment, or a file of tablet ids and their table/bucket")
	return cmd
}

func (f *importLogFlags) run(ctx context.Context, w, notes io.Writer, file string) error {
	if err := f.out.plan(files.OpLog, file, f.tables); err != nil {
		return err
	}
	l, err := f.read(ctx, notes, file)
	if err != nil {
		return err
	}
	if f.tables != "" {
		names, err := serverlog.LoadTables(f.tables)
		if err != nil {
			return err
		}
		l.Rename(names)
	}
	zero, err := logZero(l, f.zero)
	if err != nil {
		return err
	}
	l.Shift(zero)
	if f.out.path == "" {
		err = files.Seal(w, files.OpLog, l.Write)
	} else {
		err = f.out.write(ctx, l.Write)
	}
	if err != nil {
		return err
	}
	printWarnings(notes, file, l.Warnings)
	printLog(notes, l)
	return nil
}

// read reads the log, and says how much of it has been read.
func (f *importLogFlags) read(ctx context.Context, notes io.Writer, path string) (*serverlog.Log, error) {
	defer quitOnSignal(ctx)()
	file, err := reading.Open(path)
	if err != nil {
		return nil, &configs.Problem{File: path, Allowed: err.Error()}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	news := newBulletin(notes, f.quiet)
	defer news.end()
	return serverlog.Read(path, &watched{Reader: file, news: news, name: path, of: info.Size()})
}

// watched is a file that tells how much of it has been read.
type watched struct {
	io.Reader
	news     *bulletin
	name     string
	done, of int64
}

func (r *watched) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.done += int64(n)
	r.news.say(func() string {
		return fmt.Sprintf("%s: %d of %d MB read", r.name, r.done/1e6, r.of/1e6)
	})
	return n, err
}

// logZero gives the time of a log that is to be 0.
func logZero(l *serverlog.Log, zero string) (int64, error) {
	if zero == "" {
		return 0, nil
	}
	if kind, ok := strings.CutPrefix(zero, "first:"); ok {
		return firstOf("--zero", &l.Log, kind)
	}
	ns, err := l.Time(zero)
	if err != nil {
		return 0, &configs.Problem{File: "--zero", Field: "time", Value: zero, Allowed: err.Error()}
	}
	return ns, nil
}

// firstOf is when the first op of a kind was chosen; it refuses a kind of which there is none.
func firstOf(flag string, l *oplog.Log, kind string) (int64, error) {
	at, ok := l.First(oplog.KindName(kind))
	if !ok {
		kinds := l.Kinds()
		return 0, &configs.Problem{File: flag, Field: "kind", Value: kind, Allowed: "one of the kinds in " + l.Name + ": " + strings.Join(kinds, ", "),
			Suggestion: policies.Suggest(kind, kinds)}
	}
	return at, nil
}

func printWarnings(w io.Writer, file string, warnings []serverlog.Warning) {
	const most = 20
	out := bufio.NewWriter(w)
	for _, warning := range warnings[:min(len(warnings), most)] {
		fmt.Fprintf(out, "%s:%d: warning: %s\n", file, warning.Line, warning.Text)
	}
	if len(warnings) > most {
		fmt.Fprintf(out, "%s: warning: %d more like these\n", file, len(warnings)-most)
	}
	out.Flush()
}

// printLog says in one line what a log held.
func printLog(w io.Writer, l *serverlog.Log) {
	tablets, unnamed, unfinished := map[string]bool{}, map[string]bool{}, 0
	for i := range l.Ops {
		o := &l.Ops[i]
		tablets[o.Tablet] = true
		if o.Table() == "" {
			unnamed[o.Tablet] = true
		}
		if o.Ran == oplog.Unseen {
			unfinished++
		}
	}
	fmt.Fprintf(w, "%d ops of %d tablets in %.1f s", len(l.Ops), len(tablets), l.Last.Sub(l.Start).Seconds())
	if unfinished > 0 {
		fmt.Fprintf(w, ", %d unfinished", unfinished)
	}
	if l.Version != "" {
		fmt.Fprintf(w, ", of %s", l.Version)
	}
	if len(unnamed) > 0 {
		fmt.Fprintf(w, "; the log does not name the tables of %d tablets: --tables does", len(unnamed))
	}
	fmt.Fprintln(w)
}
