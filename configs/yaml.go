package configs

import (
	"bytes"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// YAML writes the experiment with every default filled in. Reading it again gives the same experiment; paths of
// plugins and machines stay as they were written.
func (d *Doc) YAML() []byte { return d.Experiment.yaml() }

func (e *Experiment) yaml() []byte {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(e); err != nil {
		return nil // the types hold nothing that YAML cannot write
	}
	return b.Bytes()
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
