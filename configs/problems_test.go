package configs

import (
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// small is the smallest experiment; testdata/problems sets values in it.
const small = `name: small
tables:
  - {name: t, tablets: 4}
phases:
  - name: load
    clients:
      - table: t
        workload: {records: 1_000_000}
policies:
  - policy: raw
`

// TestProblems shows the message of every kind of mistake. Commands:
//
//	parse   the input is a whole experiment; set=... makes an assignment in it
//	extend  the input is laid over review-15995
//	add     the input is put after the smallest experiment (name, tables, phases, policies)
//	set     each line of the input is an assignment, all made at once in the smallest experiment
//
// The output is the warnings, then "ok" or the messages.
func TestProblems(t *testing.T) {
	datadriven.Walk(t, "testdata/problems", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var err error
			var doc *Doc
			var sets []string
			for _, arg := range d.CmdArgs {
				sets = append(sets, arg.Vals...)
			}
			switch d.Cmd {
			case "parse":
				doc, err = Parse("x.yaml", []byte(d.Input), Sets(sets...)...)
			case "extend":
				doc, err = Parse("x.yaml", []byte("extends: review-15995\n"+d.Input), Sets(sets...)...)
			case "add":
				doc, err = Parse("x.yaml", []byte(small+d.Input))
			case "set":
				if doc, err = Parse("x.yaml", []byte(small)); err == nil {
					err = doc.Set(strings.Split(d.Input, "\n")...)
				}
			default:
				t.Fatalf("unknown command %q", d.Cmd)
			}
			warnings := ""
			if doc != nil && doc.Warnings != nil {
				warnings = strings.Join(doc.Warnings, "\n") + "\n"
			}
			if err == nil {
				return warnings + "ok"
			}
			var p *Problem
			if !errors.As(err, &p) {
				t.Errorf("%s: %T is not a *Problem", d.Pos, err)
			}
			return warnings + err.Error()
		})
	})
}

func TestNoMoreProblemsThanAreWorthReading(t *testing.T) {
	_, err := Parse("x.yaml", []byte(strings.Replace(small, "- policy: raw\n", strings.Repeat("- {policy: raw}\n  ", 30), 1)))
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 21 || lines[20] != "x.yaml: and 9 more problems" {
		t.Error(err)
	}
}
