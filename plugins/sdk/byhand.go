package sdk

import (
	"encoding/json"
	"fmt"
	"io"

	"mmsim/plugins/wire"
	"mmsim/policies"
)

// byHand answers someone who started the program on a command line, and gives the exit status.
func byHand(spec *policies.Spec, args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 {
		switch args[0] {
		case "describe":
			return describe(spec, stdout)
		case "--version":
			fmt.Fprintln(stdout, spec.Name, spec.Version)
			return 0
		case "--help", "-h":
			help(spec, stdout)
			return 0
		}
	}
	help(spec, stderr)
	return 2
}

func help(spec *policies.Spec, w io.Writer) {
	fmt.Fprintf(w, `%s %s is a policy plugin of mmsim, the maintenance scheduling simulator: mmsim starts it.
%s

In an experiment:    policies: [{plugin: PATH}]
On a command line:   mmsim run FILE --policy PATH

By hand it knows:
  describe     print its parameters and the columns it reads, as JSON
  --version    print its name and version
`, spec.Name, spec.Version, spec.Summary)
}

// description is what describe prints.
type description struct {
	Name            string   `json:"name"`
	Version         string   `json:"version"`
	Summary         string   `json:"summary"`
	Params          []param  `json:"params"`
	Columns         []string `json:"columns"`
	RanksEverything bool     `json:"ranks_everything"`
	Protocol        int      `json:"protocol"`
	Go              string   `json:"go"`
	Arch            string   `json:"arch"`
	Level           string   `json:"level,omitempty"`
}

type param struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Default any      `json:"default"`
	Allowed string   `json:"allowed"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	Choices []string `json:"choices,omitempty"`
	Help    string   `json:"help"`
}

func describe(spec *policies.Spec, w io.Writer) int {
	build := wire.ThisBuild()
	d := description{
		Name: spec.Name, Version: spec.Version, Summary: spec.Summary,
		Params: []param{}, Columns: spec.Columns.Names(), RanksEverything: spec.RanksEverything,
		Protocol: wire.ProtocolVersion, Go: build.Toolchain, Arch: build.Arch, Level: build.Level,
	}
	for _, p := range spec.Params {
		out := param{Name: p.Name, Type: string(p.Type), Default: p.Default, Allowed: p.Allowed(), Choices: p.Choices, Help: p.Help}
		if p.Type == policies.Float || p.Type == policies.Int {
			out.Min, out.Max = &p.Min, &p.Max
		}
		d.Params = append(d.Params, out)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if enc.Encode(d) != nil {
		return 1
	}
	return 0
}
