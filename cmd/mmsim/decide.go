package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/sim"
)

// decideFlags are the flags of decide.
type decideFlags struct {
	policy    string
	sets      []string
	untilIdle bool
	json      bool

	lines     string
	check     bool
	logTarget string
}

func decideCommand() *cobra.Command {
	var f decideFlags
	cmd := &cobra.Command{
		Use:   "decide FILE | decide --lines FILE.jsonl",
		Short: "Say which op a maintenance manager would run, and why",
		Long: `Decide reads the ops of a server with their stats, and the server's state, and says which op the maintenance manager would
run: under which rule each op stands, the choice and the reason in Kudu's words. docs/decide.md describes the file.

With --lines it takes real decisions again, one a line, by Kudu's own formula; --check compares with what was chosen.`,
		Example: "  mmsim decide ops.yaml --until-idle\n  mmsim decide ops.yaml -p ./my-policy,bound=2\n  mmsim decide --lines decisions.jsonl --check",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if problem := f.problem(args); problem != nil {
				return problem
			}
			defer quitOnSignal(cmd.Context())()
			if f.lines != "" {
				return f.decideLines(cmd.OutOrStdout())
			}
			return f.decide(cmd.Context(), cmd.OutOrStdout(), args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.policy, "policy", "p", "", "policy to ask instead of the file's: NAME or the path of a binary, then [,PARAM=VALUE...]")
	flags.StringArrayVar(&f.sets, "set", nil, "change one value of the file, such as memory.used_percent=70; may be repeated")
	flags.BoolVar(&f.untilIdle, "until-idle", false, "give the whole order in which the ops would run")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.lines, "lines", "", "file of real decisions, a JSON object a line")
	flags.BoolVar(&f.check, "check", false, "with --lines: compare with what was chosen; a difference gives exit code 4")
	flags.StringVar(&f.logTarget, "log-target", "", "with --lines: log_target_replay_size of all lines, such as 48MiB (default: the line's own log_target_mb, or\nwhat the logged reasons of its run show, or 1GiB)")
	completes(cmd, "policy", policyWords(func([]string) []configs.Line { return nil }))
	completes(cmd, "set", assignmentWords(ofDecision))
	return cmd
}

// problem refuses flags that do not go together.
func (f *decideFlags) problem(args []string) error {
	refuse := func(flag, text string) error { return &configs.Problem{File: flag, Allowed: text} }
	switch {
	case f.lines == "" && len(args) == 0:
		return refuse("decide", "nothing to decide: name a file, or --lines and a file")
	case f.lines != "" && len(args) > 0:
		return refuse("--lines", "takes the place of the file "+strconv.Quote(args[0]))
	case f.lines == "" && f.check:
		return refuse("--check", "only decisions of --lines can be compared")
	case f.lines == "" && f.logTarget != "":
		return refuse("--log-target", "is for --lines: use --set maintenance.log_target_replay_size="+f.logTarget)
	case f.lines != "" && (f.untilIdle || f.policy != "" || f.sets != nil):
		return refuse("--lines", "does not go with --until-idle, --policy and --set: real decisions are taken one by one, by Kudu's formula")
	}
	return nil
}

// decide takes the decisions of a file.
func (f *decideFlags) decide(ctx context.Context, w io.Writer, file string) error {
	doc, err := configs.LoadDecision(file, f.sets...)
	if err != nil {
		return err
	}
	return f.decideDoc(ctx, w, doc)
}

func (f *decideFlags) decideDoc(ctx context.Context, w io.Writer, doc *configs.DecisionDoc) error {
	if f.policy != "" {
		line, err := policyLine(doc.Experiment(), f.policy)
		if err != nil {
			return err
		}
		doc.WithPolicy(line)
	}
	lines, err := assembleAt(ctx, doc.Experiment(), "%[2]s")
	if err != nil {
		return err
	}
	defer lines.Close()
	if err := giveWorkload(doc, lines.specs[0]); err != nil {
		return err
	}
	policy, err := lines.lines[0].New()
	if err != nil {
		return err
	}
	decided, err := sim.Decide(doc.Decision, policy, lines.lines[0].RanksAll, f.untilIdle)
	if err != nil {
		return &failure{err, exitPolicy}
	}
	if f.json {
		err = printJSON(w, decidedJSON(decided))
	} else {
		err = printDecided(w, decided, f.untilIdle || doc.Decision.Maintenance.Threads > 1)
	}
	if err != nil {
		return &failure{err, exitFailed}
	}
	lines.advise(os.Stderr)
	return nil
}

// giveWorkload makes sure that given workload scores reach the policy: Kudu's formula adds them; a policy that does not look at
// rates has no use for them; any other would make scores of its own, from rates.
func giveWorkload(doc *configs.DecisionDoc, spec *policies.Spec) error {
	if spec.Name == policies.PriorityWeighted().Name {
		return nil
	}
	reads := spec.Columns&(policies.ColScansPerSec|policies.ColRowsPerSec) != 0
	for i := range doc.Decision.Ops {
		path := "ops[" + strconv.Itoa(i) + "]"
		for op := &doc.Decision.Ops[i]; op != nil; op, path = op.After, path+".after" {
			if op.Workload != nil && reads {
				return doc.Errorf(path+".workload", strconv.FormatFloat(*op.Workload, 'g', -1, 64),
					"usable with the policy "+spec.Name+", which makes its own score: give rates or counters", "")
			}
			op.Workload = nil
		}
	}
	return nil
}

func printJSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(v)
}
