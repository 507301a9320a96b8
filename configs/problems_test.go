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
//	parse   the input is a whole experiment
//	add     the input is put after the smallest experiment (name, tables, phases, policies)
//	set     each line of the input is an assignment, all made at once in the smallest experiment
//
// The output is "ok" or the messages.
func TestProblems(t *testing.T) {
	datadriven.Walk(t, "testdata/problems", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var err error
			switch d.Cmd {
			case "parse":
				_, err = Parse("x.yaml", []byte(d.Input))
			case "add":
				_, err = Parse("x.yaml", []byte(small+d.Input))
			case "set":
				var doc *Doc
				if doc, err = Parse("x.yaml", []byte(small)); err == nil {
					err = doc.Set(strings.Split(d.Input, "\n")...)
				}
			default:
				t.Fatalf("unknown command %q", d.Cmd)
			}
			if err == nil {
				return "ok"
			}
			var p *Problem
			if !errors.As(err, &p) {
				t.Errorf("%s: %T is not a *Problem", d.Pos, err)
			}
			return err.Error()
		})
	})
}
