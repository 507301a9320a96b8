package configs

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"mmsim/rules"
)

// YAML writes the experiment with every default filled in. Reading it again gives the same experiment; paths of
// plugins and machines stay as they were written.
func (d *Doc) YAML() []byte { return d.Experiment.yaml() }

func (e *Experiment) yaml() []byte {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	var tree yaml.Node
	if err := tree.Encode(e); err != nil {
		return nil // the types hold nothing that YAML cannot write
	}
	e.dropProfileRules(&tree)
	if err := encoder.Encode(&tree); err != nil {
		return nil
	}
	return b.Bytes()
}

// dropProfileRules leaves the rules that are not the profile's.
func (e *Experiment) dropProfileRules(tree *yaml.Node) {
	_, standard, _ := rules.Of(e.Profile)
	for i := 0; i+1 < len(tree.Content); i += 2 {
		if tree.Content[i].Value != "rules" {
			continue
		}
		set := tree.Content[i+1]
		var kept []*yaml.Node
		for j := range rules.Differences {
			if e.Rules.On(j) != standard.On(j) {
				kept = append(kept, set.Content[2*j], set.Content[2*j+1])
			}
		}
		if set.Content = kept; len(kept) == 0 {
			tree.Content = slices.Delete(tree.Content, i, i+2)
		}
		return
	}
}

// MarshalYAML writes the line.
func (l Line) MarshalYAML() (any, error) {
	type plain Line
	p := plain(l)
	p.Params = make(map[string]any, len(l.Params))
	for name, value := range l.Params {
		if f, ok := value.(float64); ok {
			text := strconv.FormatFloat(f, 'g', -1, 64)
			if !strings.ContainsAny(text, ".e") {
				text += ".0"
			}
			value = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: text}
		}
		p.Params[name] = value
	}
	return p, nil
}
