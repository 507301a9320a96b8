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
			return check(cmd.Context(), os.Stdout, &o, args)
		},
	}
	o.addTo(cmd)
	return cmd
}

func check(ctx context.Context, w io.Writer, o *overrides, args []string) error {
	_, e, lines, err := o.prepare(ctx, args)
	if err != nil {
		return err
	}
	defer lines.Close()
	return summarise(w, e, lines)
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
		fmt.Fprintf(columns, "table %s\ttablets: %d\trows inserted: %d\t%s in all replicas\n", t.Name, t.Tablets, rows, volume(e, t, rows))
	}
	columns.Flush()
	total := int64(0)
	for i := range e.Phases {
		for j := range e.Phases[i].Clients {
			c := &e.Phases[i].Clients[j]
			total += max(c.Workload.Records, c.Workload.Operations)
			fmt.Fprintf(columns, "phase %s\t%s\tthreads: %d\t%s\n", e.Phases[i].Name, c.Table, c.Threads, asked(&c.Workload))
		}
	}
	columns.Flush()
	for i, line := range l.lines {
		fmt.Fprintf(columns, "policy %s\t%s %s\t%s\n", line.Name, line.Policy, l.specs[i].Version, parameters(e.Policies[i].Params))
	}
	columns.Flush()
	fmt.Fprintf(out, "%d operations a policy\n", total)
	return out.Flush()
}

// asked says what a client does.
func asked(w *configs.Workload) string {
	if w.Records > 0 {
		return fmt.Sprintf("%d rows to insert", w.Records)
	}
	var parts []string
	for _, p := range []struct {
		name  string
		share float64
	}{{"read", w.Read}, {"update", w.Update}, {"insert", w.Insert}, {"scan", w.Scan}} {
		if p.share > 0 {
			parts = append(parts, fmt.Sprintf("%s %v", p.name, p.share))
		}
	}
	return fmt.Sprintf("%d operations: %s", w.Operations, strings.Join(parts, ", "))
}

// inserted counts the rows that the clients of a table are expected to insert.
func inserted(e *configs.Experiment, table string) (rows int64) {
	for i := range e.Phases {
		for j := range e.Phases[i].Clients {
			if c := &e.Phases[i].Clients[j]; c.Table == table {
				rows += c.Workload.Records + int64(float64(c.Workload.Operations)*c.Workload.Insert)
			}
		}
	}
	return rows
}

// volume is what rows take in all replicas, as the client writes them: indexes and history come on top.
func volume(e *configs.Experiment, t *configs.Table, rows int64) string {
	row := int64(t.Record.KeyLength) + int64(t.Record.Fields)*int64(t.Record.FieldLength)
	return fmt.Sprintf("%.2f GB", float64(rows)*float64(row)*float64(e.Cluster.Replication)/1e9)
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
