package configs

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mmsim/workloads"
)

// expandYCSB puts what property files say beside the workloads that name them, where the experiment says nothing itself.
func (d *Doc) expandYCSB() error {
	d.assumed = map[string]assumed{}
	phases := d.root.get("phases")
	if phases == nil {
		return nil
	}
	if tables := d.root.get("tables"); tables != nil {
		forget(tables.items...)
	}
	var problems []error
	for i, phase := range phases.items {
		clients := phase.get("clients")
		if clients == nil {
			continue
		}
		for j, client := range clients.items {
			if w := client.get("workload"); w != nil && w.shape == mapping {
				problems = append(problems, d.expandClient(fmt.Sprintf("phases[%d].clients[%d]", i, j), client, w))
			}
		}
	}
	return errors.Join(problems...)
}

// assumed is how many rows a property file takes a table to hold.
type assumed struct {
	at   place
	rows int64
}

func (d *Doc) expandClient(path string, client, w *node) error {
	forget(client, w)
	name := w.get("ycsb")
	if name == nil || name.shape != scalar || name.text == "" {
		if phase := w.get("ycsb_phase"); phase != nil {
			return &Problem{phase.file, phase.line, path + ".workload.ycsb_phase", phase.String(), "for a workload without ycsb: leave it out", ""}
		}
		return nil
	}
	file, data, err := propertyFile(name)
	if err != nil {
		d.unsound = append(d.unsound, path+".workload")
		return noPropertyFile(name.place, path+".workload.ycsb", name.text, err)
	}
	y, err := workloads.ReadYCSB(data, w.get("records") != nil || w.scalar("ycsb_phase") == "load")
	if err != nil {
		d.unsound = append(d.unsound, path+".workload")
		return inFile(file, err)
	}
	for _, n := range y.Notes {
		missing := func(key string) bool { return w.get(key) == nil }
		if len(n.Keys) == 0 || slices.ContainsFunc(n.Keys, missing) {
			d.warned(place{file, n.Line}, n.Text)
		}
	}
	d.fill(client, w, file, y)
	if _, _, preset := workloads.Preset(name.text); y.Records > 0 && !preset {
		d.assumed[path] = assumed{place{file, y.RecordsLine}, y.Records}
	}
	return nil
}

// forget takes out what a property file had put there before.
func forget(nodes ...*node) {
	for _, n := range nodes {
		n.entries = slices.DeleteFunc(n.entries, func(e entry) bool { return e.value.derived })
		for _, key := range []string{"session", "record"} {
			if part := n.get(key); part != nil {
				forget(part)
			}
		}
	}
}

// fill sets keys that are not there.
func (d *Doc) fill(client, w *node, file string, y *workloads.YCSB) {
	for _, s := range y.Settings {
		at := place{file, s.Line}
		holder := w
		switch s.Of {
		case workloads.OfClient:
			holder = client
		case workloads.OfSession:
			holder = client.part("session", at)
		case workloads.OfTable:
			holder = d.table(client.scalar("table"))
		case workloads.OfRecord:
			if holder = d.table(client.scalar("table")); holder != nil {
				holder = holder.part("record", at)
			}
		}
		if holder != nil && holder.shape == mapping && holder.get(s.Key) == nil {
			holder.set(entry{at, s.Key, &node{place: at, shape: scalar, text: s.Value, derived: true}})
		}
	}
}

// table finds a table by its name; nil = there is none.
func (d *Doc) table(name string) *node {
	if tables := d.root.get("tables"); tables != nil {
		for _, t := range tables.items {
			if t.scalar("name") == name {
				return t
			}
		}
	}
	return nil
}

// part gives the mapping under a key, which it makes if there is none.
func (n *node) part(key string, at place) *node {
	part := n.get(key)
	if part == nil {
		part = &node{place: at, shape: mapping, derived: true}
		n.set(entry{at, key, part})
	}
	return part
}

// propertyFile finds the property file that a workload names.
func propertyFile(name *node) (file string, data []byte, err error) {
	if file, data, ok := workloads.Preset(name.text); ok {
		return file, data, nil
	}
	file = beside(name.file, name.text)
	if data, err = readFile(file); err != nil {
		return "", nil, err
	}
	return file, data, nil
}

// noPropertyFile refuses the name of a property file.
func noPropertyFile(at place, path, text string, err error) error {
	suggestion := ""
	if m := ycsbLetter.FindStringSubmatch(text); m != nil {
		suggestion = "ycsb-" + strings.ToLower(m[1])
	}
	return &Problem{at.file, at.line, path, text, "one of " + strings.Join(workloads.Presets(), ", ") + " or the path of a YCSB property file: " + err.Error(), suggestion}
}

// ycsbLetter is what people call YCSB's own workloads.
var ycsbLetter = regexp.MustCompile(`(?i)^(?:ycsb|workload)?[-_ ]?([a-f])$`)

// inFile gives the faults of a property file their place.
func inFile(file string, err error) error {
	var problems []error
	for _, e := range Apart(err) {
		var f *workloads.Fault
		if errors.As(e, &f) {
			e = &Problem{File: file, Line: f.Line, Field: f.Property, Value: f.Value, Allowed: f.Allowed}
		}
		problems = append(problems, e)
	}
	return errors.Join(problems...)
}

// assumedRows warns where a property file of a run phase takes its table to hold other rows than it does.
func (c *checker) assumedRows() {
	held := map[string]float64{}
	for i := range c.e.Tables {
		held[c.e.Tables[i].Name] = float64(c.e.initialRows(c.e.Tables[i].Name))
	}
	for i := range c.e.Phases {
		p := &c.e.Phases[i]
		for j := range p.Clients {
			cl := &p.Clients[j]
			a, ok := c.doc.assumed[fmt.Sprintf("phases[%d].clients[%d]", i, j)]
			if rows := int64(held[cl.Table]); ok && rows != a.rows {
				c.doc.warned(a.at, fmt.Sprintf("recordcount is %d, but %s holds about %d rows when phase %s begins: requests go to those", a.rows, cl.Table, rows, p.Name))
			}
		}
		for j := range p.Clients {
			cl := &p.Clients[j]
			held[cl.Table] += c.e.amount(p, cl) * cl.Workload.Inserted()
		}
	}
}
