package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"mmsim/configs"
	"mmsim/fidelity"
	"mmsim/importers/kudu/decisions"
	"mmsim/results"
)

// retaken is a real decision and what it comes out as.
type retaken struct {
	Line        int            `json:"line"`
	Run         string         `json:"run"`
	Op          string         `json:"op"` // empty: none
	ID          string         `json:"id"`
	Tablet      string         `json:"tablet"`
	Rule        results.Rule   `json:"rule"`
	Score       float64        `json:"score"`
	Reason      string         `json:"reason"`
	LogTargetMB float64        `json:"log_target_mb"`
	Chosen      decisions.OpID `json:"chosen"`
	Same        *bool          `json:"same,omitempty"` // with --check

	op decisions.OpID
}

// decideLines takes real decisions again, by Kudu's formula.
func (f *decideFlags) decideLines(w io.Writer) error {
	lines, err := decisions.Load(f.lines)
	if err != nil {
		return err
	}
	given, err := f.givenTarget()
	if err != nil {
		return err
	}
	targets, inferred := fidelity.LogTargets(lines, given)
	all := make([]retaken, len(lines))
	different := 0
	for i := range lines {
		if all[i], err = retake(&lines[i], targets[i]); err != nil {
			return &failure{fmt.Errorf("%s:%d: %w", f.lines, lines[i].Line, err), exitFailed}
		}
		if f.check {
			same := all[i].op.Name() == lines[i].Chosen.Name()
			if all[i].Same = &same; !same {
				different++
			}
		}
	}
	if err := f.printLines(w, all, inferred); err != nil {
		return &failure{err, exitFailed}
	}
	if different > 0 {
		return &failure{fmt.Errorf("%s: %d of %d decisions differ from what was chosen", f.lines, different, len(all)), exitDiffers}
	}
	return nil
}

// givenTarget is the log target of all lines; negative if each has its own.
func (f *decideFlags) givenTarget() (configs.Bytes, error) {
	if f.logTarget == "" {
		return -1, nil
	}
	given, err := configs.ParseBytes(f.logTarget)
	if err != nil {
		return 0, &configs.Problem{File: "--log-target", Field: "size", Value: f.logTarget, Allowed: "a size such as 48MiB"}
	}
	return given, nil
}

// retake decides again.
func retake(d *decisions.Decision, logTarget configs.Bytes) (retaken, error) {
	got, err := fidelity.Retake(d, logTarget)
	out := retaken{Line: d.Line, Run: d.Run, LogTargetMB: float64(logTarget) / (1 << 20), Chosen: d.Chosen, op: got.Op,
		Op: got.Op.Op, ID: got.Op.ID, Tablet: got.Op.Tablet, Rule: got.Rule, Score: got.Score, Reason: cmp.Or(got.Reason, nothingToDo)}
	return out, err
}

func (f *decideFlags) printLines(w io.Writer, all []retaken, inferred map[string]int64) error {
	out := bufio.NewWriter(w)
	if f.json {
		lines := json.NewEncoder(out)
		for i := range all {
			if err := lines.Encode(&all[i]); err != nil {
				return err
			}
		}
		return out.Flush()
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	same, byRule := 0, map[results.Rule]int{}
	for i := range all {
		r := &all[i]
		op := "none"
		if r.Op != "" {
			op = r.op.Label()
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s", r.Line, r.Run, op, r.Rule, r.Reason)
		switch {
		case r.Same == nil:
		case *r.Same:
			same++
			fmt.Fprint(table, "\tsame")
		default:
			fmt.Fprintf(table, "\tchosen was %s", r.Chosen.Label())
		}
		fmt.Fprintln(table)
		byRule[r.Rule]++
	}
	table.Flush()
	fmt.Fprintf(out, "\n%d decisions", len(all))
	if f.check {
		fmt.Fprintf(out, ", %d the same", same)
	}
	for _, rule := range slices.Sorted(maps.Keys(byRule)) {
		fmt.Fprintf(out, "; %s %d", cmp.Or(rule, "none"), byRule[rule])
	}
	fmt.Fprintln(out)
	for _, run := range slices.Sorted(maps.Keys(inferred)) {
		fmt.Fprintf(out, "%s: log_target_replay_size is not given; the logged log retentions allow at most %v (--log-target sets it)\n", run, configs.Bytes(inferred[run]))
	}
	return out.Flush()
}
