package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/importers/kudu/serverlog"
	"mmsim/plots"
	"mmsim/results/oplog"
)

// compareOpsFlags are the flags of compare-ops.
type compareOpsFlags struct {
	line   string
	kind   string
	zero   string
	tables string
	server int
	labels string
	json   bool
	plot   outFile
}

func compareOpsCommand() *cobra.Command {
	var f compareOpsFlags
	cmd := &cobra.Command{
		Use:   "compare-ops REAL SIM",
		Short: "Hold the maintenance ops of a real server against simulated ones",
		Long: `Compare-ops says how far two op logs agree: the order of rowset compactions and their scores, how long ops took, how many there were, and
when tablets reached a height of 2. docs/compare-ops.md explains each figure.

Either side is a result folder, an ops.tsv, or the INFO log of a tablet server, plain or gzipped. A file height.tsv beside an ops.tsv
tells the heights of tablets.`,
		Example: "  mmsim compare-ops kudu-tserver.INFO result --policy-line raw --tables now.yaml --plot ops.png",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], args[1])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.line, "policy-line", "", "policy line of a result folder that has several")
	flags.StringVar(&f.kind, "kind", "CompactRowSets", "kind of op whose order and scores are compared")
	flags.StringVar(&f.zero, "zero", "", "where time begins: first:KIND, or the seconds of either side's own time, as in 0,15\n(default: each side's first op of --kind)")
	flags.StringVar(&f.tables, "tables", "", "file of tablet names: an imported experiment, or lines of an id (or another name in a log), a tab and table/bucket")
	flags.IntVar(&f.server, "server", -1, "number of the server to compare, of a side that has several")
	flags.StringVar(&f.labels, "labels", "real,simulated", "what text and figure call the two sides")
	completes(cmd, "kind", fixed(configs.OpKinds()))
	flags.BoolVar(&f.json, "json", false, "print JSON")
	f.plot.addTo(cmd, "plot", "", "file for a drawing of both sides, .svg or .png")
	return cmd
}

func (f *compareOpsFlags) run(ctx context.Context, w, notes io.Writer, realPath, simPath string) error {
	if err := f.plot.planFigure(realPath, simPath, f.tables, heightsBeside(realPath), heightsBeside(simPath)); err != nil {
		return err
	}
	computed := quitOnSignal(ctx)
	defer computed()
	sides, err := f.sides(notes, realPath, simPath)
	if err != nil {
		return err
	}
	if err := f.sameServers(sides[0], sides[1]); err != nil {
		return err
	}
	zero, err := f.setZero(sides)
	if err != nil {
		return err
	}
	c := oplog.Compare(sides[0], sides[1], oplog.KindName(f.kind), zero)
	computed()
	if err := f.plot.write(ctx, func(w io.Writer) error { return plots.DrawOps(w, f.plot.path, sides[0], sides[1], c) }); err != nil {
		return err
	}
	if f.json {
		err = printJSON(w, c)
	} else {
		err = c.WriteText(w)
	}
	if err != nil {
		return &failure{err, exitFailed}
	}
	return nil
}

// sideLabel is what a side may be called.
var sideLabel = regexp.MustCompile(`^[\p{L}\p{N}_.+-][\p{L}\p{N} _.+-]{0,19}$`)

// sides loads both sides, with tablets under the names of --tables.
func (f *compareOpsFlags) sides(notes io.Writer, paths ...string) (sides []*oplog.Log, err error) {
	var names map[string]string
	if f.tables != "" {
		if names, err = serverlog.LoadTables(f.tables); err != nil {
			return nil, err
		}
	}
	labels := strings.Split(f.labels, ",")
	if len(labels) != len(paths) || labels[0] == labels[1] || slices.ContainsFunc(labels, func(l string) bool { return !sideLabel.MatchString(l) }) {
		return nil, &configs.Problem{File: "--labels", Field: "labels", Value: f.labels,
			Allowed: "two different labels with a comma between, each of 1 to 20 letters, digits, spaces, -, _, . and +, such as before,after"}
	}
	for i, path := range paths {
		l, err := loadOps(notes, path, f.line)
		if err != nil {
			return nil, err
		}
		l.Label = labels[i]
		l.Rename(names)
		sides = append(sides, l)
	}
	return sides, nil
}

// sameServers picks the server to compare. Sides with the same number of servers are compared server by server.
func (f *compareOpsFlags) sameServers(real, sim *oplog.Log) error {
	if f.server < 0 && real.Servers != sim.Servers {
		return &configs.Problem{File: "--server", Field: "number", Allowed: fmt.Sprintf("a server to compare: %s has %d and %s has %d",
			real.Name, real.Servers, sim.Name, sim.Servers)}
	}
	if f.server < 0 {
		return nil
	}
	if f.server >= max(real.Servers, sim.Servers) {
		return &configs.Problem{File: "--server", Field: "number", Value: strconv.Itoa(f.server),
			Allowed: fmt.Sprintf("from 0 to %d", max(real.Servers, sim.Servers)-1)}
	}
	for _, l := range []*oplog.Log{real, sim} {
		if l.Servers > 1 {
			l.Only(f.server)
		}
	}
	return nil
}

// setZero moves both sides to a common zero and names it.
func (f *compareOpsFlags) setZero(sides []*oplog.Log) (name string, err error) {
	flag, kind, isKind := "--kind", f.kind, true
	if f.zero != "" {
		flag = "--zero"
		kind, isKind = strings.CutPrefix(f.zero, "first:")
	}
	own := strings.Split(f.zero, ",")
	if !isKind && len(own) != len(sides) {
		return "", &configs.Problem{File: flag, Field: "time", Value: f.zero, Allowed: "first:KIND or two numbers of seconds, as in 0,15"}
	}
	for i, l := range sides {
		var zero int64
		if isKind {
			zero, err = firstOf(flag, l, kind)
		} else {
			zero, err = zeroSeconds(own[i], l)
		}
		if err != nil {
			return "", err
		}
		l.Shift(zero)
	}
	if isKind {
		return "the first " + oplog.KindName(kind) + " of each side", nil
	}
	if own[0] == own[1] {
		return own[0] + " s of each side's own time", nil
	}
	return fmt.Sprintf("%s s (%s) and %s s (%s) of each side's own time", own[0], sides[0].Label, own[1], sides[1].Label), nil
}

// zeroSeconds reads a zero that lies within a log.
func zeroSeconds(text string, l *oplog.Log) (int64, error) {
	from := int64(0)
	if len(l.Ops) > 0 {
		from = min(from, l.Ops[0].Chosen)
	}
	s, err := strconv.ParseFloat(text, 64)
	if err != nil || !(float64(from) <= s*1e9 && s*1e9 <= float64(l.End)) {
		return 0, &configs.Problem{File: "--zero", Field: "time", Value: text, Allowed: fmt.Sprintf("a number of seconds from %.3f to %.3f, which is as far as %s reaches", float64(from)/1e9, float64(l.End)/1e9, l.Name)}
	}
	return int64(s * 1e9), nil
}
