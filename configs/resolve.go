package configs

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// maxBases bounds the chains of extends and of base.
const maxBases = 8

// extended lays an experiment over the one it extends, and names the files it is made of, the lowest first. With an error it gives what
// could be read.
func extended(root *node, depth int) (whole *node, layers []string, err error) {
	n := root.get("extends")
	if n == nil {
		return root, []string{root.file}, nil
	}
	root.drop("extends")
	refuse := func(allowed, suggestion string) (*node, []string, error) {
		return root, []string{root.file}, &Problem{n.file, n.line, "extends", n.String(), allowed, suggestion}
	}
	if depth >= maxBases {
		return refuse(fmt.Sprintf("an experiment with at most %d experiments below it", maxBases), "")
	}
	file, data, ok := embedded(n.text + ".yaml")
	if isPath(n.text) {
		file = beside(n.file, n.text)
		var err error
		if data, err = readFile(file); err != nil {
			return refuse("the path of an experiment: "+err.Error(), "")
		}
	} else if !ok {
		return refuse("one of "+strings.Join(Embedded(), ", ")+" or the path of a YAML file", nearest(n.text, Embedded()))
	}
	base, problems := parseTree(file, data)
	if base == nil {
		return root, []string{root.file}, problems
	}
	base, layers, err = extended(base, depth+1)
	return overlay(base, root), append(layers, root.file), errors.Join(problems, err)
}

// machine resolves a name, a path or a mapping with a base.
func (d *decoder) machine(n *node, path string, m *Machine) {
	switch n.shape {
	case scalar:
		d.based(n, path, m)
	case mapping:
		d.machineMapping(n, path, m)
	default:
		d.refuse(n.place, path, n.String(), d.keyOf(path).allowed(reflect.TypeFor[Machine]()), "")
	}
}

// based fills m from the machine that n names.
func (d *decoder) based(n *node, path string, m *Machine) {
	if d.depth++; d.depth > maxBases {
		d.refuse(n.place, path, n.text, fmt.Sprintf("a machine with at most %d machines below it", maxBases), "")
		return
	}
	defer func() { d.depth-- }()
	if !isPath(n.text) {
		file, data, ok := embedded("machines/" + n.text + ".yaml")
		if !ok {
			d.refuse(n.place, path, n.text, "one of "+strings.Join(Machines(), ", ")+" or the path of a YAML file", nearest(n.text, Machines()))
			return
		}
		d.machineFile(file, data, m)
		return
	}
	file := beside(n.file, n.text)
	data, err := readFile(file)
	if err != nil {
		d.refuse(n.place, path, n.text, "the path of a machine: "+err.Error(), "")
		return
	}
	d.machineFile(file, data, m)
}

func (d *decoder) machineFile(file string, data []byte, m *Machine) {
	root, err := parseTree(file, data)
	if err != nil {
		d.problems = append(d.problems, err)
		d.unsound = append(d.unsound, "machine")
	}
	if root != nil && (root.get("phases") != nil || root.get("extends") != nil) {
		d.refuse(root.place, "machine", file, "a machine: the file holds an experiment", "")
	} else if root != nil {
		d.machineMapping(root, "machine", m)
	}
}

// machineMapping lays the mapping over its base. The machine all others rest on has none.
func (d *decoder) machineMapping(n *node, path string, m *Machine) {
	*m = Machine{Factor: 1}
	if n.file != embeddedFile("machines/"+baseMachine+".yaml") {
		base := &node{place: n.place, shape: scalar, text: baseMachine}
		if given := n.get("base"); given != nil && given.String() != "" {
			base = given
		}
		if base.shape != scalar {
			d.refuse(base.place, join(path, "base"), base.String(), "the name or path of a machine", "")
			return
		}
		d.based(base, join(path, "base"), m)
		d.speedUp(n.get("factor"), path, m)
	}
	d.structure(n, path, reflect.ValueOf(m).Elem())
	m.Base, m.Factor = "", 1
}

// speedUp divides a base's times by the factor that stands beside it.
func (d *decoder) speedUp(n *node, path string, m *Machine) {
	if n == nil {
		return
	}
	var factor float64
	before := len(d.problems)
	d.scalar(n, join(path, "factor"), reflect.ValueOf(&factor).Elem())
	if len(d.problems) > before {
		d.problems = d.problems[:before] // decoding the mapping says it again
		return
	}
	retry := m.Client.RetryBase
	for _, part := range []any{&m.Client, &m.Scan, &m.Write, &m.Op} {
		v := reflect.ValueOf(part).Elem()
		for i := range v.NumField() {
			if t, ok := v.Field(i).Addr().Interface().(*Duration); ok {
				*t = times(*t, 1/factor)
			}
		}
	}
	m.Client.RetryBase = retry // a constant of the client's code, not a cost
}
