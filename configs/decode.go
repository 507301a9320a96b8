package configs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decoder fills Go values from a tree and collects what is wrong with it.
type decoder struct {
	lookup   func(path string) Key // nil = the keys of an experiment
	problems []error
	unsound  []string // paths whose values are not those that were meant
	partial  bool     // a part of the tree could not be read: that a key is missing says nothing
	depth    int      // of machines based on machines
}

// keyOf gives what is known of a path such as tables[3].name.
func (d *decoder) keyOf(path string) Key {
	path = anyItem(path)
	if d.lookup != nil {
		return d.lookup(path)
	}
	return keysByPath[path]
}

func (d *decoder) refuse(at place, path, value, allowed, suggestion string) {
	d.problems = append(d.problems, &Problem{at.file, at.line, path, value, allowed, suggestion})
	d.unsound = append(d.unsound, path)
}

func (d *decoder) err() error { return errors.Join(d.problems...) }

// decode fills v, which holds the defaults, from n.
func (d *decoder) decode(n *node, path string, v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *Machine:
		d.machine(n, path, p)
		return
	case *map[string]any:
		d.params(n, path, p)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.structure(n, path, v)
	case reflect.Slice:
		d.list(n, path, v)
	case reflect.Pointer:
		if n.shape != null {
			v.Set(reflect.New(v.Type().Elem()))
			v.Elem().Set(itemDefault(v.Type().Elem()))
			d.decode(n, path, v.Elem())
		}
	default:
		d.scalar(n, path, v)
	}
}

func (d *decoder) scalar(n *node, path string, v reflect.Value) {
	k := d.keyOf(path)
	words := k.words()
	read := reflect.New(v.Type()).Elem() // what is refused leaves the default
	switch {
	case n.shape != scalar,
		parseScalar(n.text, read) != nil,
		isNumber(v.Type()) && !k.within(read),
		words != nil && !slices.Contains(words, n.text):
		suggestion := k.suggestion(n.text, v.Type())
		if meant := reflect.New(v.Type()).Elem(); isNumber(v.Type()) && (parseScalar(suggestion, meant) != nil || !k.within(meant)) {
			suggestion = "" // well written, but out of range
		}
		d.refuse(n.place, path, n.String(), k.allowed(v.Type()), suggestion)
	default:
		v.Set(read)
	}
}

func (d *decoder) structure(n *node, path string, v reflect.Value) {
	if n.shape != mapping {
		d.refuse(n.place, path, n.String(), "a mapping with keys "+strings.Join(keyNames(v.Type()), ", "), "")
		return
	}
	for _, e := range n.entries {
		if len(d.problems) >= maxProblems {
			return
		}
		field, ok := fieldOf(v, e.key)
		if !ok {
			d.unknown(e, path, keyNames(v.Type()))
			continue
		}
		d.decode(e.value, join(path, e.key), field)
	}
	for _, name := range keyNames(v.Type()) {
		p := join(path, name)
		if d.keyOf(p).Must && n.get(name) == nil && !d.partial && !slices.Contains(d.unsound, p) {
			field, _ := fieldOf(v, name)
			d.refuse(n.place, p, "", d.keyOf(p).allowed(field.Type()), "")
		}
	}
}

// unknown refuses a key that is none of names. Kudu's flags and YCSB's properties are known by the keys that stand for them; a key that
// was meant is not missing as well.
func (d *decoder) unknown(e entry, path string, names []string) {
	suggestion, isFlag := d.flagKey(e.key, path)
	allowed := "a key here but the name of a flag or property"
	if !isFlag {
		allowed, suggestion = "a key here (there are "+strings.Join(names, ", ")+")", nearest(e.key, names)
	}
	d.refuse(e.place, join(path, e.key), e.key, allowed, suggestion)
	if slices.Contains(names, suggestion) {
		d.unsound = append(d.unsound, join(path, suggestion))
	}
}

// flagKey gives the key that stands for a flag, by its name where it stands beside the flag, else by its path.
func (d *decoder) flagKey(flag, path string) (key string, ok bool) {
	known := keys
	if d.lookup != nil {
		known = slices.Concat(decisionKeys, sharedKeys())
	}
	k, ok := byFlag(known, flag)
	if !ok {
		return "", false
	}
	k.Path = strings.TrimSuffix(k.Path, "[]")
	if cut := strings.LastIndexByte(k.Path, '.'); cut >= 0 && k.Path[:cut] == anyItem(path) {
		return k.Path[cut+1:], true
	}
	return k.Path, true
}

func (d *decoder) list(n *node, path string, v reflect.Value) {
	if n.shape != list {
		d.refuse(n.place, path, n.String(), "a list", "")
		return
	}
	if len(n.items) == 0 {
		v.SetZero()
		return
	}
	items := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, item := range n.items {
		items.Index(i).Set(itemDefault(v.Type().Elem()))
		d.decode(item, fmt.Sprintf("%s[%d]", path, i), items.Index(i))
	}
	v.Set(items)
}

// params reads a policy's parameters, whose names and types only the policy knows.
func (d *decoder) params(n *node, path string, params *map[string]any) {
	if n.shape == null {
		return
	}
	if n.shape != mapping {
		d.refuse(n.place, path, n.String(), "a mapping of parameters", "")
		return
	}
	for _, e := range n.entries {
		if e.value.shape != scalar {
			d.refuse(e.value.place, join(path, e.key), e.value.String(), "a number, a word, true or false", "")
			continue
		}
		if *params == nil {
			*params = map[string]any{}
		}
		(*params)[e.key] = untyped(e.value)
	}
}

// untyped gives a scalar the type YAML sees in it: bool, int, float64 or string.
func untyped(n *node) any {
	digits := strings.ReplaceAll(n.text, "_", "")
	switch {
	case n.quoted:
		return n.text
	case n.text == "true" || n.text == "false":
		return n.text == "true"
	}
	if i, err := strconv.Atoi(digits); err == nil {
		return i
	}
	if strings.Trim(digits, "+-.eE0123456789") == "" { // no inf, nan or hexadecimal
		if f, err := parseFloat(digits); err == nil {
			return f
		}
	}
	return n.text
}

// fieldOf finds the field of a struct that a key fills.
func fieldOf(v reflect.Value, key string) (reflect.Value, bool) {
	for i := range v.NumField() {
		if keyName(v.Type().Field(i)) == key {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// keyNames lists the keys of a struct in order.
func keyNames(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = keyName(t.Field(i))
	}
	return names
}

// keyName is a field's name in YAML.
func keyName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return name
}
