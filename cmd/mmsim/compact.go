package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/importers/kudu/layout"
	"mmsim/plots"
	"mmsim/rules"
	"mmsim/sim/tablet"
)

// compactFlags are the flags of compact.
type compactFlags struct {
	budget  string
	profile string
	sets    []string
	json    bool
	plot    outFile
}

func compactCommand() *cobra.Command {
	var f compactFlags
	cmd := &cobra.Command{
		Use:   "compact LAYOUT.tsv",
		Short: "Say which rowsets of a tablet Kudu's policy would merge",
		Long: `Compact reads a tablet's rowset layout and says which rowsets Kudu's budgeted compaction policy would merge, what it calls
that worth, and how many rowsets hold a key on average before and after.

A layout has one rowset a line, with tabs between: size in MB as the policy weighs it, smallest key, largest key and, if
known, the whole size in bytes. Lines that begin with # are comments.

--set changes a constant of the policy, such as small_rowset_tradeoff=0:
` + constantsHelp(),
		Example: "  mmsim compact layout.tsv --budget 256MiB --plot layout.svg",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.budget, "budget", "", "most that one compaction may read, such as 128MiB (default: the profile's)")
	flags.StringVar(&f.profile, "profile", "kudu-1.18", "the Kudu whose defaults apply: kudu-1.12, kudu-1.18 or kudu-1.19")
	flags.StringArrayVar(&f.sets, "set", nil, "change one constant or rule of the policy; may be repeated")
	completes(cmd, "profile", fixed(rules.ProfileNames()))
	completes(cmd, "set", assignmentWords(func([]string) []configs.Path { return policyPaths() }))
	flags.BoolVar(&f.json, "json", false, "print JSON")
	f.plot.addTo(cmd, "plot", "", "file for a drawing of the layout, .svg or .png")
	return cmd
}

func (f *compactFlags) run(ctx context.Context, w io.Writer, file string) error {
	if err := f.plot.planFigure(file); err != nil {
		return err
	}
	computed := quitOnSignal(ctx)
	defer computed()
	policy, err := f.policy()
	if err != nil {
		return err
	}
	rows, err := layout.Load(file)
	if err != nil {
		return err
	}
	if err := roomFor(policy, rows); err != nil {
		return err
	}
	c, err := choose(policy, rows)
	if err != nil {
		return err
	}
	computed()
	if err := f.plot.write(ctx, func(w io.Writer) error { return plots.DrawLayout(w, f.plot.path, c.drawing(file, policy)) }); err != nil {
		return err
	}
	if f.json {
		err = c.writeJSON(w)
	} else {
		err = c.writeText(w, policy, rows)
	}
	if err != nil {
		return &failure{err, exitFailed}
	}
	return nil
}

// roomFor refuses a budget for which the policy's search, which keeps a value for each rowset and unit of the budget, would need more
// than 1 GiB.
func roomFor(policy *tablet.PolicyConfig, rows []layout.Rowset) error {
	const most = 1 << 27
	units, all := policy.Budget/policy.WeightUnit, int64(0)
	for _, r := range rows {
		all += max(1, r.Weight/policy.WeightUnit)
	}
	if limit := most / int64(len(rows)); min(units, all) > limit {
		return &configs.Problem{File: "--budget", Field: "budget", Value: configs.Bytes(policy.Budget).String(),
			Allowed: fmt.Sprintf("at most %v, which is what can be searched for %d rowsets", configs.Bytes(limit*policy.WeightUnit), len(rows))}
	}
	return nil
}

// chosen is what the policy makes of a layout. As JSON it is the verb's answer to programs.
type chosen struct {
	Picked      []int   `json:"picked"` // rows of the layout from 0, comments not counted, in their order
	PickedMB    int64   `json:"picked_mb"`
	Quality     float64 `json:"quality"`
	Height      float64 `json:"average_height"`
	HeightAfter float64 `json:"average_height_after"`

	bars []plots.Bar
}

func choose(policy *tablet.PolicyConfig, rows []layout.Rowset) (*chosen, error) {
	spans := make([]tablet.Span, len(rows))
	rowsets := make([]tablet.Sized, len(rows))
	for i, r := range rows {
		var err error
		if spans[i], err = tablet.NewSpan(r.Min, r.Max); err != nil {
			return nil, err
		}
		rowsets[i] = tablet.Sized{Span: &spans[i], Weight: r.Weight, Full: r.Full}
	}
	var planner tablet.Planner
	var s tablet.Selection
	if err := planner.Select(policy, rowsets, &s); err != nil {
		return nil, err
	}
	c := &chosen{Picked: []int{}, PickedMB: s.Weight, Quality: s.Quality, Height: s.Height, HeightAfter: planner.HeightAfter(&s),
		bars: make([]plots.Bar, len(rows))}
	for i := range rows {
		c.bars[i].From, c.bars[i].To = planner.Places(i)
	}
	for _, i := range s.Picked {
		c.Picked = append(c.Picked, int(i))
		c.bars[i].Picked = true
	}
	slices.Sort(c.Picked)
	return c, nil
}

func (c *chosen) writeJSON(w io.Writer) error { return json.NewEncoder(w).Encode(c) }

func (c *chosen) writeText(w io.Writer, policy *tablet.PolicyConfig, rows []layout.Rowset) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "rowsets\t%d\n", len(rows))
	fmt.Fprintf(out, "budget\t%v\n", configs.Bytes(policy.Budget))
	fmt.Fprintf(out, "picked\t%d, %d MB\n", len(c.Picked), c.PickedMB)
	fmt.Fprintf(out, "quality\t%.6f\n", c.Quality)
	fmt.Fprintf(out, "average height\t%.6f\n", c.Height)
	fmt.Fprintf(out, "after\t%.6f\n", c.HeightAfter)
	if err := out.Flush(); err != nil {
		return err
	}
	if len(c.Picked) == 0 {
		_, err := fmt.Fprintf(w, "\nno compaction is worth more than %v\n", policy.MinimumImprovement)
		return err
	}
	fmt.Fprintln(out, "\nrow\tMB\tmin key\tmax key")
	for _, i := range c.Picked {
		r := rows[i]
		fmt.Fprintf(out, "%d\t%d\t%s\t%s\n", i, max(1, r.Weight/mebibyte), printable(r.Min), printable(r.Max))
	}
	return out.Flush()
}

// printable escapes what a terminal would not show.
func printable(key string) string {
	quoted := strconv.Quote(key)
	return quoted[1 : len(quoted)-1]
}

func (c *chosen) drawing(file string, policy *tablet.PolicyConfig) plots.Layout {
	return plots.Layout{
		Title: fmt.Sprintf("%s, budget %v: %d of %d rowsets, %d MB, quality %.6f",
			printable(filepath.Base(file)), configs.Bytes(policy.Budget), len(c.Picked), len(c.bars), c.PickedMB, c.Quality),
		Rowsets: c.bars, Height: c.Height, HeightAfter: c.HeightAfter,
	}
}
