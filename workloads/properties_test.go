package workloads

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Commands: parse shows the entries of a file; load and run show the settings of that phase, its warnings or its
// errors. set=name=value overrides a property. A value in which the argument syntax of the file has no place can be
// given in the file.
func TestProperties(t *testing.T) {
	datadriven.RunTest(t, "testdata/properties", func(t *testing.T, d *datadriven.TestData) string {
		p, err := ParseProperties("f", strings.NewReader(d.Input))
		if err != nil {
			return fmt.Sprintf("error: %v\n", err)
		}
		for _, arg := range d.CmdArgs {
			name, value, _ := strings.Cut(arg.Vals[0], "=")
			p.Set(name, value)
		}
		switch d.Cmd {
		case "parse":
			return show(p)
		case "load":
			return settings(p.Load())
		case "run":
			return settings(p.Run())
		default:
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		}
	})
}

func show(p *Properties) string {
	var b strings.Builder
	for _, e := range p.entries {
		fmt.Fprintf(&b, "%d: %q = %q\n", e.line, e.name, e.value)
	}
	return b.String()
}

func settings(s Settings, warnings []string, err error) string {
	var b strings.Builder
	if err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			fmt.Fprintf(&b, "error: %s\n", line)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "%+v\n", s)
	for _, w := range warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}

func TestTrailingBlanks(t *testing.T) {
	p, err := ParseProperties("f", strings.NewReader("recordcount=7 \t\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, warnings, err := p.Load()
	if err != nil || s.Records != 7 || len(warnings) != 1 || !strings.HasPrefix(warnings[0], "f:1: recordcount: blanks") {
		t.Errorf("records %d, warnings %q, error %v", s.Records, warnings, err)
	}
}
