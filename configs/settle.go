package configs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// An experiment that extends another one may replace its tables, phases or policies. What it inherits may then speak of some that are gone.
// Numbers to compare with and what such a table held are left out with a warning; clients of such a table are an error, as phases without them
// would be another experiment.

// listed are the names of a list.
type listed struct {
	list  string
	at    place
	names []string
}

// settle takes out of the tree what was inherited and speaks of what is gone.
func (d *Doc) settle() error {
	tables, phases, policies := d.listed("tables"), d.listed("phases"), d.listed("policies")
	d.settleMeasured(tables, phases, policies)
	d.settleInitial(tables)
	return d.settlePhases(tables)
}

// listed gives the names that a list has now.
func (d *Doc) listed(key string) listed {
	l := listed{list: key}
	for _, e := range d.root.entries {
		if e.key != key || e.value.shape != list {
			continue
		}
		for _, item := range e.value.items {
			if item.shape != mapping {
				return listed{list: key} // not that of anything
			}
			l.at = e.place
			name := item.scalar("name")
			if name == "" && key == "policies" {
				var line Line
				new(decoder).decode(item, "", reflect.ValueOf(&line).Elem())
				name = line.label()
			}
			l.names = append(l.names, name)
		}
	}
	return l
}

// gone says whether a name is that of an item which was in the list until a file above replaced it.
func (d *Doc) gone(name *node, l listed) bool {
	return name != nil && name.shape == scalar && name.text != "" && l.at.file != "" && !slices.Contains(l.names, name.text) && d.layer(name.file) < d.layer(l.at.file)
}

// layer is the height of a file among those that the experiment is made of; flags come last.
func (d *Doc) layer(file string) int {
	if i := slices.Index(d.layers, file); i >= 0 {
		return i
	}
	return len(d.layers)
}

// warn says what was left out, because of a list.
func (d *Doc) warn(l listed, format string, args ...any) {
	d.warned(l.at, fmt.Sprintf(format, args...))
}

// warnAt warns of what a path says.
func (d *Doc) warnAt(path, format string, args ...any) {
	d.warned(d.at(path), path+": "+fmt.Sprintf(format, args...))
}

// warned keeps a warning, once.
func (d *Doc) warned(at place, text string) {
	p := Problem{File: at.file, Line: at.line, Allowed: "warning: " + text}
	if warning := p.Error(); !slices.Contains(d.Warnings, warning) {
		d.Warnings = append(d.Warnings, warning)
	}
}

func (d *Doc) settleMeasured(tables, phases, policies listed) {
	m := d.root.get("measured")
	if m == nil {
		return
	}
	for _, role := range []string{"before", "after"} {
		if n := m.get(role); d.gone(n, policies) {
			d.warn(policies, "measured.%s of %s is left out: it names \"%s\", which is not among the policies here", role, n.file, oneLine(n.text))
			m.drop(role)
		}
	}
	rows := m.get("latency")
	if rows == nil {
		return
	}
	for _, of := range []struct {
		key string
		listed
	}{{"table", tables}, {"phase", phases}} {
		names, from, n := d.dropGone(rows, of.key, of.listed)
		if n == 0 {
			continue
		}
		if len(rows.items) == 0 {
			d.root.drop("measured")
		}
		d.warn(of.listed, "%d of the numbers in measured.latency of %s are left out: they speak of %s, which %s not among the %s here", n, from, strings.Join(names, ", "), isAre(names), of.list)
	}
}

func (d *Doc) settleInitial(tables listed) {
	initial := d.root.get("initial")
	if initial == nil {
		return
	}
	if names, from, n := d.dropGone(initial, "table", tables); n > 0 {
		d.warn(tables, "what %d tablets of %s hold at the start in initial of %s is left out: %s not among the tables here", n, strings.Join(names, ", "), from, isAre(names))
	}
}

// dropGone takes the items out of a list that name by key what is gone, and gives these names and the file of the first item.
func (d *Doc) dropGone(n *node, key string, l listed) (names []string, from string, dropped int) {
	n.items = slices.DeleteFunc(slices.Clone(n.items), func(item *node) bool {
		name := item.get(key)
		if !d.gone(name, l) {
			return false
		}
		if dropped++; !slices.Contains(names, name.text) {
			names = append(names, name.text)
		}
		if from == "" {
			from = name.file
		}
		return true
	})
	return names, from, dropped
}

// settlePhases refuses inherited clients and events of tables that are gone, all in one.
func (d *Doc) settlePhases(tables listed) error {
	phases := d.root.get("phases")
	if phases == nil {
		return nil
	}
	var names []string
	from := ""
	look := func(path string, n *node) {
		if !d.gone(n, tables) {
			return
		}
		d.unsound = append(d.unsound, path)
		if from = n.file; !slices.Contains(names, n.text) {
			names = append(names, n.text)
		}
	}
	for i, phase := range phases.items {
		for _, of := range []struct{ list, key string }{{"clients", "table"}, {"events", "drop"}} {
			if list := phase.get(of.list); list != nil {
				for j, item := range list.items {
					look(fmt.Sprintf("phases[%d].%s[%d].%s", i, of.list, j, of.key), item.get(of.key))
				}
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	text := strings.Join(names, ", ")
	return &Problem{File: tables.at.file, Line: tables.at.line, Field: "tables", Value: text,
		Allowed: "among the tables here, but the phases of " + from + ", which stay, use " + itThem(names) + ": give phases as well, or tables of these names"}
}

func isAre(names []string) string {
	if len(names) == 1 {
		return "is"
	}
	return "are"
}

func itThem(names []string) string {
	if len(names) == 1 {
		return "it"
	}
	return "them"
}
