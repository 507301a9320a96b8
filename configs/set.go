package configs

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// setFile stands for the file in problems with assignments.
const setFile = "--set"

// Set applies assignments such as server.memory_limit=20GB or policies[1].params.bound=2, all of them before the
// experiment is checked again. After an error the document is as it was.
func (d *Doc) Set(assignments ...string) error {
	changed := &Doc{File: d.File, root: d.root.clone()}
	var problems []error
	for _, a := range assignments {
		if err := changed.root.assign(a); err != nil {
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	if err := changed.decode(); err != nil {
		return err
	}
	*d = *changed
	return nil
}

// step is one step of a path: a key or an index.
var step = regexp.MustCompile(`^(?:\.?([A-Za-z_][A-Za-z0-9_]*)|\[(\d{1,6})\])`)

// assign changes one value of the tree: path=value, the value being YAML of one line.
func (n *node) assign(assignment string) error {
	path, text, ok := strings.Cut(assignment, "=")
	path = strings.TrimSpace(path)
	refuse := func(value, allowed string) error {
		return &Problem{File: setFile, Field: path, Value: value, Allowed: allowed}
	}
	if !ok || path == "" {
		return &Problem{File: setFile, Allowed: fmt.Sprintf("\"%s\" is not path=value, such as server.memory_limit=20GB", oneLine(assignment))}
	}
	holder, err := parseTree(setFile, []byte("value: "+strings.TrimSpace(text)))
	if err != nil || holder.get("value") == nil || len(holder.entries) != 1 {
		return refuse(text, "a value of one line of YAML")
	}
	value := holder.get("value")
	value.forgetLines()
	for rest := path; rest != ""; {
		m := step.FindStringSubmatch(rest)
		if m == nil {
			return refuse(rest, "a path such as server.memory_limit or policies[1].params.bound")
		}
		rest = rest[len(m[0]):]
		if m[2] != "" {
			i, _ := strconv.Atoi(m[2])
			if n.shape != list || i >= len(n.items) {
				return refuse(m[0], fmt.Sprintf("an index of a list of %d", len(n.items)))
			}
			if rest == "" {
				n.items[i] = value
				return nil
			}
			n = n.items[i]
			continue
		}
		if n.shape == scalar && strings.HasPrefix(path, "machine.") { // a machine's name: what is set goes on top of it
			n.entries = []entry{{n.place, "base", &node{place: n.place, shape: scalar, text: n.text}}}
			n.shape, n.text = mapping, ""
		}
		if n.shape == list || n.shape == scalar {
			return refuse(m[1], "a key: what is before it has none")
		}
		n.shape = mapping
		if rest == "" {
			n.set(entry{place{file: setFile}, m[1], value})
			return nil
		}
		next := n.get(m[1])
		if next == nil {
			next = &node{place: place{file: setFile}}
			n.set(entry{place{file: setFile}, m[1], next})
		}
		n = next
	}
	return nil
}
