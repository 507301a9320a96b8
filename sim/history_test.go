package sim

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"gopkg.in/yaml.v3"
)

// TestHistory plays what users of Kudu ran into, each under the rule that had the problem and under the one that solved it. A scenario is a file:
//
//	experiment           what follows is laid over the defaults below
//	run as=before        plays the experiment, with more laid over it: the rule as it was
//	run as=after         and as it became
//	decide as=...        the same with a situation, as mmsim decide reads it, until nothing is left to do
//	ops as=...           the same with a situation whose ops are played for a time
//	bootstrap as=...     the same with tablets that open while the manager runs
//	show                 values of both, side by side
//	holds                assertions about them, one a line: each must be answered with yes
func TestHistory(t *testing.T) {
	for _, path := range scenarios(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			s := &scenario{outcomes: map[string]outcome{}}
			datadriven.RunTest(t, path, s.step)
		})
	}
}

func scenarios(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/history/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	return paths
}

// outcome is what a run, a decision or a selection left. A value has a name of words with dots between.
type outcome interface {
	value(words []string) (float64, error)
	String() string // what it was, in a few words
}

// scenario is a file while it is played.
type scenario struct {
	base     string   // experiment
	order    []string // names of the outcomes
	outcomes map[string]outcome
}

func (s *scenario) step(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	var err error
	text := ""
	switch d.Cmd {
	case "experiment":
		s.base = d.Input
	case "show":
		text, err = s.show(d.Input)
	case "holds":
		text, err = s.holds(t, d)
	default:
		text, err = s.play(t, d)
	}
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return text
}

// play makes an outcome.
func (s *scenario) play(t *testing.T, d *datadriven.TestData) (string, error) {
	makers := map[string]func(string) (outcome, error){
		"run": s.run, "decide": s.decide, "ops": s.scriptedOps, "bootstrap": s.bootstrap,
	}
	maker := makers[d.Cmd]
	if maker == nil {
		return "", fmt.Errorf("unknown command %q", d.Cmd)
	}
	var name string
	d.ScanArgs(t, "as", &name)
	out, err := maker(d.Input)
	if err != nil {
		return "", err
	}
	s.order, s.outcomes[name] = append(s.order, name), out
	return out.String() + "\n", nil
}

// laidOver reads YAML texts, lays each over those before it, and gives the result, without some keys, and these.
func laidOver(keys []string, texts ...string) (text []byte, extra map[string]any, err error) {
	var all map[string]any
	for _, text := range texts {
		top := map[string]any{}
		if err := yaml.Unmarshal([]byte(text), &top); err != nil {
			return nil, nil, fmt.Errorf("%w in\n%s", err, text)
		}
		if err := expand(top); err != nil {
			return nil, nil, err
		}
		all = laid(all, top)
	}
	extra = map[string]any{}
	for _, key := range keys {
		extra[key] = all[key]
		delete(all, key)
	}
	text, err = yaml.Marshal(all)
	return text, extra, err
}

// laid gives base with top laid over it: mappings merge key by key, the rest replaces.
func laid(base, top map[string]any) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range top {
		below, isMap := out[k].(map[string]any)
		above, areMaps := v.(map[string]any)
		if isMap && areMaps {
			v = laid(below, above)
		}
		out[k] = v
	}
	return out
}
