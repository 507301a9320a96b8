package configs

import (
	"fmt"
	"reflect"
)

// Path is a value that an assignment can change.
type Path struct {
	Path  string   // such as policies[1].name
	Help  string   // of its key
	Words []string // all that it takes, if it takes but a few
}

// Paths lists the single values of the experiment, but for those that are data: what tablets hold at the start and what was measured.
func (d *Doc) Paths() []Path {
	var all []Path
	walkPaths("", reflect.ValueOf(*d.Experiment), func(path string) Key { return keysByPath[anyItem(path)] }, &all)
	return all
}

// Paths lists the single values of the decision.
func (d *DecisionDoc) Paths() []Path {
	var all []Path
	walkPaths("", reflect.ValueOf(*d.Decision), func(path string) Key { return decisionKey(anyItem(path)) }, &all)
	return all
}

func walkPaths(path string, v reflect.Value, keyOf func(string) Key, all *[]Path) {
	k := keyOf(path)
	if path == "initial" || path == "measured" {
		return
	}
	if path == "machine" {
		*all = append(*all, Path{path, k.Help, Machines()})
	}
	switch v.Kind() {
	case reflect.Struct:
		for i, name := range keyNames(v.Type()) {
			walkPaths(join(path, name), v.Field(i), keyOf, all)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkPaths(fmt.Sprintf("%s[%d]", path, i), v.Index(i), keyOf, all)
		}
	case reflect.Map, reflect.Pointer:
	case reflect.Bool:
		*all = append(*all, Path{path, k.Help, []string{"on", "off"}})
	default:
		*all = append(*all, Path{path, k.Help, k.words()})
	}
}
