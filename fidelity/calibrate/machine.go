package calibrate

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"mmsim/configs"
)

// baseMachine resolves a machine by name or path, as an experiment that has nothing else to say.
func baseMachine(name string) (configs.Machine, error) {
	text, err := yaml.Marshal(map[string]any{
		"name": "base", "machine": name,
		"tables":   []any{map[string]any{"name": "t", "tablets": 1}},
		"phases":   []any{map[string]any{"name": "p", "clients": []any{map[string]any{"table": "t", "workload": map[string]any{"records": 1}}}}},
		"policies": []any{map[string]any{"policy": "raw"}},
	})
	if err != nil {
		return configs.Machine{}, err
	}
	doc, err := configs.Parse("--base", text)
	if err != nil {
		return configs.Machine{}, err
	}
	return doc.Experiment.Machine, nil
}

// duration finds a time of a machine by its path, such as scan.fixed.
func duration(m *configs.Machine, path string) (*configs.Duration, error) {
	v := reflect.ValueOf(m).Elem()
	for name := range strings.SplitSeq(path, ".") {
		if v.Kind() == reflect.Struct {
			v = fieldOf(v, name)
		}
	}
	d, ok := v.Addr().Interface().(*configs.Duration)
	if !ok {
		return nil, fmt.Errorf("a machine has no time called %s", path)
	}
	return d, nil
}

// fieldOf finds the field that a key fills; the struct itself if there is none.
func fieldOf(v reflect.Value, key string) reflect.Value {
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ","); name == key {
			return v.Field(i)
		}
	}
	return v
}

// rounded cuts ns to three digits: more than any interval here is worth.
func rounded(ns float64) configs.Duration {
	switch {
	case !(ns > 0):
		return 0
	case ns > math.MaxInt64/2:
		return math.MaxInt64 / 2
	}
	unit := math.Pow(10, math.Floor(math.Log10(ns))-2)
	return configs.Duration(math.Round(math.Round(ns/unit) * unit))
}

// show writes ns with three digits, in a unit that leaves one to three of them before the point.
func show(ns float64) string {
	d := float64(rounded(ns))
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}} {
		if d >= u.size {
			return strconv.FormatFloat(d/u.size, 'f', -1, 64) + u.name
		}
	}
	if d == 0 {
		return "0s"
	}
	return strconv.FormatFloat(d, 'f', -1, 64) + "ns"
}

// YAML writes the machine as a file of its own, with where each value comes from beside it.
func (r *Result) YAML() ([]byte, error) {
	var tree yaml.Node
	if err := tree.Encode(&r.Machine); err != nil {
		return nil, fmt.Errorf("write machine %s: %w", r.Machine.Name, err)
	}
	origins := r.origins()
	tree.HeadComment = "# Made by mmsim calibrate: " + method + ".\n# \"of " + r.Base + "\" is not fitted, but taken from that machine."
	for path, node := range leaves(&tree) {
		if origin, fitted := origins[path]; fitted {
			node.LineComment = origin.comment
			node.Value = origin.value
		} else if strings.Contains(path, ".") {
			node.LineComment = "of " + r.Base
		}
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&tree); err != nil {
		return nil, fmt.Errorf("write machine %s: %w", r.Machine.Name, err)
	}
	return out.Bytes(), nil
}

// origin is a fitted value, as it is written, and where it comes from.
type origin struct{ value, comment string }

// origins gives what was fitted by its path.
func (r *Result) origins() map[string]origin {
	origins := map[string]origin{}
	for _, f := range r.Fits {
		for _, p := range f.Parameters {
			origins[p.Name] = origin{p.text(p.Value), fmt.Sprintf("fitted to %d points: %s", f.Count(Fitted), p.interval())}
		}
	}
	for _, p := range append(slices.Clone(r.Spreads), r.Shared...) {
		origins[p.Name] = origin{p.text(p.Value), "fitted: " + p.interval()}
	}
	return origins
}

// leaves yields the values of a mapping of mappings by their paths.
func leaves(tree *yaml.Node) func(func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		for i := 0; i+1 < len(tree.Content); i += 2 {
			key, value := tree.Content[i].Value, tree.Content[i+1]
			if value.Kind != yaml.MappingNode {
				if !yield(key, value) {
					return
				}
				continue
			}
			for path, node := range leaves(value) {
				if !yield(key+"."+path, node) {
					return
				}
			}
		}
	}
}
