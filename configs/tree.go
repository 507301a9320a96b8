package configs

import "fmt"

// shape is what a node is.
type shape uint8

const (
	null shape = iota
	scalar
	mapping
	list
)

// node is a value of a YAML file and where it was written. Aliases and merge keys are expanded.
type node struct {
	place
	shape   shape
	text    string // of a scalar
	quoted  bool   // a scalar that YAML reads as text whatever it looks like
	entries []entry
	items   []*node
	derived bool // from a property file
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// entry is a key of a mapping with its value.
type entry struct {
	place
	key   string
	value *node
}

// get gives the value of a key, or nil.
func (n *node) get(key string) *node {
	for i := range n.entries {
		if n.entries[i].key == key {
			return n.entries[i].value
		}
	}
	return nil
}

// scalar gives the text of a key that holds one, else "".
func (n *node) scalar(key string) string {
	if value := n.get(key); value != nil && value.shape == scalar {
		return value.text
	}
	return ""
}

// set replaces the value of a key or adds the key.
func (n *node) set(e entry) {
	for i := range n.entries {
		if n.entries[i].key == e.key {
			n.entries[i] = e
			return
		}
	}
	n.entries = append(n.entries, e)
}

// drop removes a key.
func (n *node) drop(key string) {
	for i := range n.entries {
		if n.entries[i].key == key {
			n.entries = append(n.entries[:i:i], n.entries[i+1:]...)
			return
		}
	}
}

// String gives a scalar's text and a hint at anything else.
func (n *node) String() string {
	switch n.shape {
	case mapping:
		return "{...}"
	case list:
		return "[...]"
	}
	return n.text
}

// clone copies the tree, so that it can be changed.
func (n *node) clone() *node {
	c := *n
	c.entries, c.items = make([]entry, len(n.entries)), make([]*node, len(n.items))
	for i, e := range n.entries {
		e.value = e.value.clone()
		c.entries[i] = e
	}
	for i, item := range n.items {
		c.items[i] = item.clone()
	}
	return &c
}

// forgetLines makes a tree that no one wrote by hand name its file only.
func (n *node) forgetLines() {
	n.line = 0
	for i := range n.entries {
		n.entries[i].line = 0
		n.entries[i].value.forgetLines()
	}
	for _, item := range n.items {
		item.forgetLines()
	}
}

// overlay lays top over base: mappings merge key by key, everything else is replaced.
func overlay(base, top *node) *node {
	if base.shape != mapping || top.shape != mapping {
		return top
	}
	merged := base.clone()
	merged.place = top.place
	position := make(map[string]int, len(merged.entries))
	for i, e := range merged.entries {
		position[e.key] = i
	}
	for _, e := range top.entries {
		if i, ok := position[e.key]; ok {
			e.value = overlay(merged.entries[i].value, e.value)
			merged.entries[i] = e
		} else {
			merged.entries = append(merged.entries, e)
		}
	}
	return merged
}

// places gives where every path of the tree was written: a key's line, or a list item's.
func (n *node) places() map[string]place {
	all := map[string]place{}
	n.collect("", all)
	return all
}

func (n *node) collect(path string, all map[string]place) {
	if _, ok := all[path]; !ok {
		all[path] = n.place
	}
	for _, e := range n.entries {
		p := join(path, e.key)
		all[p] = e.place
		e.value.collect(p, all)
	}
	for i, item := range n.items {
		item.collect(fmt.Sprintf("%s[%d]", path, i), all)
	}
}

// join adds a key to a dotted path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
