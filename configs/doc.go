package configs

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
)

// Doc is an experiment together with where each of its values was written.
type Doc struct {
	Experiment *Experiment // after defaults were filled in; sizes as in the file, before Scaled
	File       string

	root   *node
	places map[string]place
}

// Load reads an experiment from a file. Errors are *Problem, several of them joined.
func Load(path string) (*Doc, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, &Problem{File: path, Allowed: err.Error(), Suggestion: nearest(strings.TrimSuffix(filepath.Base(path), ".yaml"), Embedded())}
	}
	return Parse(path, data)
}

// LoadEmbedded reads an experiment that ships with mmsim.
func LoadEmbedded(name string) (*Doc, error) {
	data, err := Source(name)
	if err != nil {
		return nil, err
	}
	return Parse(embeddedFile(name+".yaml"), data)
}

// Source gives the YAML of an experiment that ships with mmsim as it was written.
func Source(name string) ([]byte, error) {
	_, data, ok := embedded(name + ".yaml")
	if !ok {
		return nil, &Problem{File: name, Allowed: "no such experiment: there are " + strings.Join(Embedded(), ", "), Suggestion: nearest(name, Embedded())}
	}
	return data, nil
}

// Parse reads an experiment from YAML; file names it in messages, and paths in it are relative to that file.
func Parse(file string, data []byte) (*Doc, error) {
	root, err := parseTree(file, data)
	if err != nil {
		return nil, err
	}
	if root, err = extended(root, 0); err != nil {
		return nil, err
	}
	d := &Doc{File: file, root: root}
	if err := d.decode(); err != nil {
		return nil, err
	}
	return d, nil
}

// decode fills the experiment from the tree and checks it.
func (d *Doc) decode() error {
	e, err := defaults()
	if err != nil {
		return err
	}
	d.places = d.root.places()
	adopt(d.root.scalar("profile"), &e.Profile, &e.Rules, &e.Maintenance)
	var dec decoder
	dec.decode(d.root, "", reflect.ValueOf(&e).Elem())
	if err := dec.err(); err != nil {
		return err
	}
	e.derive()
	d.Experiment = &e
	return d.validate()
}

// Errorf makes the error for a value that only others can judge, such as a policy's parameter. path is that of
// the value (policies[1].params.bound); allowed completes the sentence "... is not".
func (d *Doc) Errorf(path, value, allowed, suggestion string) error {
	at := d.at(path)
	return &Problem{at.file, at.line, path, value, allowed, suggestion}
}

// at finds where path was written, or the nearest thing around it that was.
func (d *Doc) at(path string) place {
	for {
		if at, ok := d.places[path]; ok {
			return at
		}
		cut := max(strings.LastIndexByte(path, '.'), strings.LastIndexByte(path, '['))
		if cut < 0 {
			return place{d.File, 0}
		}
		path = path[:cut]
	}
}

// PluginPath gives the path of line i's policy binary, as a path from the working directory that is not looked up in
// PATH; "" for a built-in.
func (d *Doc) PluginPath(i int) string {
	plugin := d.Experiment.Policies[i].Plugin
	if plugin == "" {
		return ""
	}
	path := beside(d.at(fmt.Sprintf("policies[%d].plugin", i)).file, plugin)
	if !strings.ContainsRune(path, filepath.Separator) {
		path = "." + string(filepath.Separator) + path
	}
	return path
}

// WithPolicies gives the experiment with other policy lines, whose plugin paths are taken as they stand. Measured
// roles whose lines are gone are dropped.
func (d *Doc) WithPolicies(lines []Line) (*Doc, error) {
	e := *d.Experiment
	e.Policies = append([]Line(nil), lines...)
	e.derive()
	if e.Measured != nil {
		m := *e.Measured
		for _, role := range []*string{&m.Before, &m.After} {
			if !e.hasLine(*role) {
				*role = ""
			}
		}
		e.Measured = &m
	}
	root, err := parseTree("--policy", e.yaml())
	if err != nil {
		return nil, err
	}
	other := &Doc{Experiment: &e, File: d.File, root: d.root.clone()}
	for _, key := range []string{"policies", "measured"} {
		if n := root.get(key); n != nil {
			n.forgetLines()
			other.root.set(entry{place{file: "--policy"}, key, n})
		}
	}
	other.places = other.root.places()
	if err := other.validate(); err != nil {
		return nil, err
	}
	return other, nil
}

func (e *Experiment) hasLine(name string) bool {
	for i := range e.Policies {
		if e.Policies[i].Name == name {
			return true
		}
	}
	return false
}
