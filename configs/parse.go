package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits that keep a hostile file from taking memory or stack.
const (
	maxFileSize = 16 << 20
	maxNodes    = 1 << 20
	maxDepth    = 32
)

// parseTree reads the one mapping that a YAML file must hold. With the error for single values that can't be, it gives the rest.
func parseTree(file string, data []byte) (root *node, err error) {
	whole := func(format string, args ...any) error {
		return &Problem{File: file, Allowed: fmt.Sprintf(format, args...)}
	}
	switch {
	case len(data) > maxFileSize:
		return nil, whole("the file is larger than %s, too large for an experiment", Bytes(maxFileSize))
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return nil, whole("the file is not text in UTF-8, so not YAML")
	}
	defer func() { // the YAML library's own faults must not end the program
		if recover() != nil {
			root, err = nil, whole("the file cannot be read as YAML")
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, more yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, whole("the file is empty: an experiment has at least name, tables, phases and policies")
	} else if err != nil {
		return nil, syntaxProblem(file, data, err)
	}
	if err := decoder.Decode(&more); err == nil {
		return nil, &Problem{File: file, Line: more.Line, Allowed: "a second YAML document: an experiment is one document"}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxProblem(file, data, err)
	}
	r := treeReader{file: file}
	root = r.read(document.Content[0], 0)
	if r.full {
		return nil, errors.Join(r.problems...)
	}
	if root.shape != mapping {
		return nil, &Problem{File: file, Line: root.line, Allowed: "the file does not hold a mapping: write key: value lines"}
	}
	return root, errors.Join(r.problems...)
}

// treeReader turns the library's nodes into ours.
type treeReader struct {
	file     string
	nodes    int
	problems []error
	full     bool // no more can be read
}

func (r *treeReader) refuse(n *yaml.Node, message string) *node {
	if r.full {
		return &node{}
	}
	r.problems = append(r.problems, &Problem{File: r.file, Line: n.Line, Allowed: message})
	r.full = r.full || len(r.problems) > maxProblems
	return &node{place: place{r.file, n.Line}}
}

// read converts n.
func (r *treeReader) read(n *yaml.Node, depth int) *node {
	if r.full {
		return &node{}
	}
	if r.nodes++; r.nodes > maxNodes || depth > maxDepth {
		defer func() { r.full = true }()
		return r.refuse(n, fmt.Sprintf("too many or too deeply nested values (aliases count as often as used): at most %d, %d deep", maxNodes, maxDepth))
	}
	if n.Style&yaml.TaggedStyle != 0 {
		r.refuse(n, fmt.Sprintf("the tag \"%s\": tags are not used in experiments", oneLine(n.Tag)))
	}
	out := &node{place: place{r.file, n.Line}}
	switch n.Kind {
	case yaml.AliasNode:
		return r.read(n.Alias, depth+1)
	case yaml.ScalarNode:
		out.shape, out.text, out.quoted = scalar, n.Value, n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
		if n.Tag == "!!null" {
			out.shape = null
		}
	case yaml.SequenceNode:
		out.shape = list
		for _, item := range n.Content {
			out.items = append(out.items, r.read(item, depth+1))
		}
	case yaml.MappingNode:
		out.shape = mapping
		r.mapping(n, out, depth)
	default:
		return r.refuse(n, "an unknown kind of YAML node")
	}
	return out
}

// mapping reads the keys of n: its own first, then those that merge keys (<<) bring in.
func (r *treeReader) mapping(n *yaml.Node, out *node, depth int) {
	var merges []*node
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			r.refuse(key, "a key that is not a word")
			continue
		}
		if key.Tag == "!!merge" {
			merges = append(merges, r.read(value, depth+1))
			continue
		}
		if line, twice := lines[key.Value]; twice {
			r.refuse(key, fmt.Sprintf("the key \"%s\" stands here twice: first in line %d", oneLine(key.Value), line))
			continue
		}
		lines[key.Value] = key.Line
		out.entries = append(out.entries, entry{place{r.file, key.Line}, key.Value, r.read(value, depth+1)})
	}
	for _, m := range merges {
		sources := []*node{m}
		if m.shape == list {
			sources = m.items
		}
		for _, source := range sources {
			if source.shape != mapping {
				r.refuse(n, "a merge key (<<) whose value is not a mapping")
				continue
			}
			for _, e := range source.entries {
				if _, own := lines[e.key]; !own {
					lines[e.key] = e.line
					out.entries = append(out.entries, e)
				}
			}
		}
	}
}
