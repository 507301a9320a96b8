package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/configs"
)

func checkCommand() *cobra.Command {
	var o overrides
	cmd := &cobra.Command{
		Use:   "check FILE|NAME",
		Short: "Say whether an experiment is right, and what it would do",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(cmd.Context(), cmd.OutOrStdout(), &o, args)
		},
	}
	o.addTo(cmd)
	return cmd
}

func check(ctx context.Context, w io.Writer, o *overrides, args []string) error {
	_, e, lines, err := o.prepare(ctx, os.Stderr, args)
	if err != nil {
		return err
	}
	defer lines.Close()
	if err := summarise(w, e, lines); err != nil {
		return err
	}
	warnTooShort(os.Stderr, e)
	lines.advise(os.Stderr)
	return nil
}

// summarise says in a few lines what a scaled experiment does.
func summarise(w io.Writer, e *configs.Experiment, l *lineup) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s\n", e.Name, e.Title)
	fmt.Fprintf(out, "%d servers, replication %d, seed %d, scale %v, rules of %s\n", e.Cluster.Servers, e.Cluster.Replication, e.Seed, e.Scale, e.Profile)
	columns := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := range e.Tables {
		t := &e.Tables[i]
		rows := inserted(e, t.Name)
		fmt.Fprintf(columns, "table %s\ttablets: %s\trows inserted: %s\t%s in all replicas\n", t.Name, tablets(t), rows, rows.limited(gigabytes(e, float64(rows.n)*rowBytes(t))))
	}
	columns.Flush()
	for i := range e.Tables {
		if h := heldBy(e, &e.Tables[i]); h.rowsets > 0 || h.inMemory > 0 {
			fmt.Fprintf(columns, "start %s\trowsets: %d\t%s in all replicas\trows in memory: %d\n", e.Tables[i].Name, h.rowsets, gigabytes(e, h.bytes), h.inMemory)
		}
	}
	columns.Flush()
	total := amount{}
	for i := range e.Phases {
		p := &e.Phases[i]
		for j := range p.Clients {
			c := &p.Clients[j]
			total = total.plus(operations(p, c))
			fmt.Fprintf(columns, "phase %s\t%s\tthreads: %d\ttarget: %s\t%s\n", p.Name, c.Table, c.Threads, target(c), asked(p, c)+distributions(&c.Workload))
		}
		if len(p.Clients) == 0 {
			fmt.Fprintf(columns, "phase %s\tno clients for %s\n", p.Name, p.Duration)
		}
	}
	columns.Flush()
	for i, line := range l.lines {
		fmt.Fprintf(columns, "policy %s\t%s %s\t%s\n", line.Name, line.Policy, l.specs[i].Version, parameters(e.Policies[i].Params))
	}
	columns.Flush()
	if len(e.Maintenance.Off) > 0 {
		fmt.Fprintf(out, "off at the start: %s\n", strings.Join(e.Maintenance.Off, ", "))
	}
	fmt.Fprintf(out, "%s operations a policy\n%s\n", total, foretell(e))
	return out.Flush()
}

// asked says what a client does.
func asked(p *configs.Phase, c *configs.Client) string {
	w := &c.Workload
	count, during := operations(p, c), ""
	if count.limit != exactly {
		during = " in " + p.Duration.String()
	}
	if w.OnlyInserts() {
		return fmt.Sprintf("%s rows to insert%s", count, during)
	}
	var parts []string
	for _, s := range w.Shares() {
		switch {
		case s.Value == 0:
		case s.Key == "upsert":
			parts = append(parts, fmt.Sprintf("upsert %v (%v of them new rows)", s.Value, w.UpsertNew))
		default:
			parts = append(parts, fmt.Sprintf("%s %v", s.Key, s.Value))
		}
	}
	return fmt.Sprintf("%s operations%s: %s", count, during, strings.Join(parts, ", "))
}

// tablets says how many a table has, and how it is cut into them.
func tablets(t *configs.Table) string {
	if t.Partitions.Ranges <= 1 {
		return fmt.Sprint(t.Tablets)
	}
	return fmt.Sprintf("%d (%d by hash, each of %d ranges)", t.Tablets, t.Partitions.Hash, t.Partitions.Ranges)
}

// target is how many operations a second a client does at most.
func target(c *configs.Client) string {
	if c.Target == 0 {
		return "none"
	}
	return c.Target.String() + "/s"
}

// distributions says how a client chooses keys and scan lengths.
func distributions(w *configs.Workload) string {
	var parts []string
	if w.Existing() > 0 {
		parts = append(parts, w.RequestDist+" keys")
	}
	if w.Scan > 0 {
		parts = append(parts, fmt.Sprintf("scans of %d to %d rows (%s)", w.MinScanLen, w.MaxScanLen, w.ScanLenDist))
	}
	if w.Inserts() {
		order := w.InsertOrder + " inserts"
		switch {
		case w.InsertOrder == "ranges":
			order = "inserts into a range of keys a thread"
		case w.ZeroPadding > 1:
			order += fmt.Sprintf(" (%d digits)", w.ZeroPadding)
		}
		parts = append(parts, order)
	}
	if w.Delete > 0 {
		parts = append(parts, "oldest rows deleted first")
	}
	return "; " + strings.Join(parts, ", ")
}

func parameters(params map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		parts = append(parts, fmt.Sprintf("%s=%v", name, params[name]))
	}
	if len(parts) == 0 {
		return "no parameters"
	}
	return strings.Join(parts, " ")
}
