package configs

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Doc is an experiment together with where each of its values was written.
type Doc struct {
	Experiment *Experiment // after defaults were filled in; sizes as in the file, before Scaled
	File       string

	// Warnings say what of an experiment below was left out, as this one replaces what it speaks of.
	Warnings []string

	root    *node
	layers  []string // the files it is made of, the lowest first
	places  map[string]place
	assumed map[string]assumed // by client: the rows that its property file takes to be there
	unsound []string           // paths whose values are wrong
}

// Load reads an experiment from a file and lays assignments over it before it is checked. Errors are *Problem, several of them joined: all
// that is wrong. With an error the document, unless it is nil, holds what could be read, so that others can look for more.
func Load(path string, assignments ...Assignment) (*Doc, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, &Problem{File: path, Allowed: err.Error(), Suggestion: nearest(strings.TrimSuffix(filepath.Base(path), ".yaml"), Embedded())}
	}
	return Parse(path, data, assignments...)
}

// LoadEmbedded is Load for an experiment that ships with mmsim.
func LoadEmbedded(name string, assignments ...Assignment) (*Doc, error) {
	data, err := Source(name)
	if err != nil {
		return nil, err
	}
	return Parse(embeddedFile(name+".yaml"), data, assignments...)
}

// Source gives the YAML of an experiment that ships with mmsim as it was written.
func Source(name string) ([]byte, error) {
	_, data, ok := embedded(name + ".yaml")
	if !ok {
		return nil, &Problem{File: name, Allowed: "no such experiment: there are " + strings.Join(Embedded(), ", "), Suggestion: nearest(name, Embedded())}
	}
	return data, nil
}

// Parse is Load for YAML; file names it in messages, and paths in it are relative to that file.
func Parse(file string, data []byte, assignments ...Assignment) (*Doc, error) {
	root, err := parseTree(file, data)
	if root == nil {
		return nil, together([]error{err, root.assign(assignments)})
	}
	root, layers, missing := extended(root, 0)
	d := &Doc{File: file, root: root, layers: layers}
	if missing != nil {
		d.unsound = []string{"extends"}
	}
	return d, d.finish([]error{err, missing}, assignments)
}

// finish applies assignments, fills the experiment from the tree and checks it. problems are those that were found before.
func (d *Doc) finish(problems []error, assignments []Assignment) error {
	e, err := defaults()
	if err != nil {
		return err
	}
	d.Experiment = &e
	problems = append(problems, d.root.assign(assignments), d.settle(), d.expandYCSB())
	d.places = d.root.places()
	adopt(d.root.scalar("profile"), &e.Profile, &e.Rules, &e.Maintenance)
	dec := decoder{partial: slices.Contains(d.unsound, "extends")}
	dec.decode(d.root, "", reflect.ValueOf(&e).Elem())
	d.unsound = append(d.unsound, dec.unsound...)
	e.derive()
	problems = append(problems, dec.err())
	if !dec.partial {
		problems = append(problems, d.validate())
	}
	return together(problems)
}

// Sound says that nothing is known to be wrong with any of the paths, nor with what holds them or they hold.
func (d *Doc) Sound(paths ...string) bool {
	for _, path := range paths {
		for _, wrong := range d.unsound {
			if within(wrong, path) || within(path, wrong) {
				return false
			}
		}
	}
	return true
}

// within says whether path is outer or a part of it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
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
// roles whose lines are gone are dropped. With an error it is given too, as by Load.
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
	other := &Doc{Experiment: &e, File: d.File, Warnings: d.Warnings, root: d.root.clone(), layers: d.layers}
	for _, path := range d.unsound {
		if !within(path, "policies") {
			other.unsound = append(other.unsound, path)
		}
	}
	for _, key := range []string{"policies", "measured"} {
		if n := root.get(key); n != nil {
			n.forgetLines()
			other.root.set(entry{place{file: "--policy"}, key, n})
		}
	}
	other.places = other.root.places()
	return other, together([]error{other.validate()})
}

func (e *Experiment) hasLine(name string) bool {
	for i := range e.Policies {
		if e.Policies[i].Name == name {
			return true
		}
	}
	return false
}
