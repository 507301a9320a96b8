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

// Assignment changes one value of an experiment before it is checked.
type Assignment struct {
	Flag string // that gave it, for messages
	Text string // such as server.memory_limit=20GB or policies[1].params.bound=2
}

// Sets are assignments of --set.
func Sets(texts ...string) []Assignment {
	var all []Assignment
	for _, text := range texts {
		all = append(all, Assignment{setFile, text})
	}
	return all
}

// Set applies assignments, all of them before the experiment is checked again. After an error the document is as it was.
func (d *Doc) Set(assignments ...string) error {
	changed := &Doc{File: d.File, root: d.root.clone(), layers: d.layers}
	if err := changed.finish(nil, Sets(assignments...)); err != nil {
		return err
	}
	*d = *changed
	return nil
}

// change is an assignment that was read.
type change struct {
	flag, path string
	value      *node
}

// parse reads path=value, the value being YAML of one line.
func (a Assignment) parse() (change, error) {
	path, text, ok := strings.Cut(a.Text, "=")
	path = strings.TrimSpace(path)
	if !ok || path == "" {
		return change{}, &Problem{File: a.Flag, Allowed: fmt.Sprintf("\"%s\" is not path=value, such as server.memory_limit=20GB", oneLine(a.Text))}
	}
	holder, err := parseTree(a.Flag, []byte("value: "+strings.TrimSpace(text)))
	if err != nil || holder.get("value") == nil || len(holder.entries) != 1 {
		return change{}, &Problem{File: a.Flag, Field: path, Value: text, Allowed: "a value of one line of YAML"}
	}
	value := holder.get("value")
	value.forgetLines()
	return change{a.Flag, path, value}, nil
}

// assign applies assignments to the tree; without a tree it only reads them.
func (n *node) assign(assignments []Assignment) error {
	var problems []error
	for _, a := range assignments {
		c, err := a.parse()
		if err == nil && n != nil {
			err = n.put(c)
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// step is one step of a path: a key or an index.
var step = regexp.MustCompile(`^(?:\.?([A-Za-z_][A-Za-z0-9_]*)|\[(\d{1,6})\])`)

// put changes one value of the tree.
func (n *node) put(c change) error {
	at := place{file: c.flag}
	refuse := func(value, allowed string) error {
		return &Problem{File: c.flag, Field: c.path, Value: value, Allowed: allowed}
	}
	if _, isFlag := byFlag(keys, c.path); isFlag { // a key to be refused with the right one, though it may have dots
		n.set(entry{at, c.path, c.value})
		return nil
	}
	for rest := c.path; rest != ""; {
		m := step.FindStringSubmatch(rest)
		if m == nil {
			return refuse(rest, "a path such as server.memory_limit or policies[1].params.bound")
		}
		rest = rest[len(m[0]):]
		if m[2] != "" {
			i, _ := strconv.Atoi(m[2])
			if n.shape != list || i >= len(n.items) {
				return refuse(m[0], indexes(n))
			}
			if rest == "" {
				n.items[i] = c.value
				return nil
			}
			n = n.items[i]
			continue
		}
		if n.shape == scalar && strings.HasPrefix(c.path, "machine.") { // a machine's name: what is set goes on top of it
			n.entries = []entry{{n.place, "base", &node{place: n.place, shape: scalar, text: n.text}}}
			n.shape, n.text = mapping, ""
		}
		if n.shape == list {
			return n.byName(c, m[1])
		}
		if n.shape == scalar {
			return refuse(m[1], "a key: what is before it has none")
		}
		n.shape = mapping
		if rest == "" {
			n.set(entry{at, m[1], c.value})
			return nil
		}
		next := n.get(m[1])
		if next == nil {
			if rest[0] == '[' {
				return refuse(rest, "an index of an empty list: give the whole list, as in "+strings.TrimSuffix(c.path, rest)+"=[...]")
			}
			next = &node{place: at}
			n.set(entry{at, m[1], next})
		}
		n = next
	}
	return nil
}

// byName refuses a name where an index is wanted, with the index if there is an item of that name.
func (n *node) byName(c change, name string) error {
	p := &Problem{File: c.flag, Field: c.path, Value: name, Allowed: indexes(n)}
	for i, item := range n.items {
		if item.scalar("name") == name {
			p.Suggestion = fmt.Sprintf("%s[%d]", strings.TrimSuffix(strings.SplitAfterN(c.path, name, 2)[0], "."+name), i)
		}
	}
	return p
}

// indexes says what may stand in brackets after the way to n.
func indexes(n *node) string {
	switch {
	case n.shape == scalar || n.shape == mapping:
		return "an index: what is before it is no list"
	case len(n.items) == 0:
		return "an index of an empty list: give the whole list"
	}
	there := "there is [0]"
	if last := len(n.items) - 1; last > 0 {
		there = fmt.Sprintf("there are [0] to [%d]", last)
	}
	return fmt.Sprintf("an index of a list of %d: %s", len(n.items), there)
}
