package configs

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"mmsim/rules"
)

var update = flag.Bool("update", false, "write the tables of docs/config.md")

// described is a key with what its Go type and its default say of it.
type described struct {
	Key
	typ   reflect.Type
	value reflect.Value
}

// describeAll walks the types of an experiment, in the order of their fields.
func describeAll(t *testing.T) []described {
	e, err := defaults()
	if err != nil {
		t.Fatal(err)
	}
	var all []described
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			walk(path, reflect.New(v.Type().Elem()).Elem())
		case reflect.Slice:
			item := itemDefault(v.Type().Elem())
			if isScalar(item.Type()) {
				all = append(all, described{keysByPath[path+"[]"], item.Type(), item})
			}
			walk(path+"[]", item)
		case reflect.Struct:
			for i, name := range keyNames(v.Type()) {
				p := join(path, name)
				all = append(all, described{keysByPath[p], v.Field(i).Type(), v.Field(i)})
				all[len(all)-1].Path = p
				walk(p, v.Field(i))
			}
		}
	}
	walk("", reflect.ValueOf(e))
	return all
}

func TestEveryKeyIsDescribed(t *testing.T) {
	inTypes := map[string]bool{}
	for _, d := range describeAll(t) {
		inTypes[d.Path] = true
		if d.Help == "" {
			t.Errorf("%s is not in the table of keys", d.Path)
		}
		low, high := d.limits()
		for _, limit := range []string{low, high} {
			if limit != "" && isNumber(d.typ) && parseScalar(limit, reflect.New(d.typ).Elem()) != nil {
				t.Errorf("%s: limit %q cannot be read", d.Path, limit)
			}
		}
		if isScalar(d.typ) && isNumber(d.typ) && !d.Must && !d.within(d.value) && low == "" {
			t.Errorf("%s: default %v is not allowed", d.Path, d.value)
		}
	}
	if len(inTypes) != len(keysByPath) {
		t.Errorf("%d keys in the types, %d in the table", len(inTypes), len(keysByPath))
	}
	for path := range keysByPath {
		if !inTypes[path] {
			t.Errorf("%s is in the table but in no type", path)
		}
	}
}

func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer:
		return false
	}
	return true
}

// The tables of docs/config.md are made from the types, the defaults and the table of keys: go test -run Reference -update.
func TestReference(t *testing.T) {
	const path = "../docs/config.md"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := describeAll(t)
	sections := map[string]bool{}
	marker := regexp.MustCompile(`(?s)<!-- keys ?([^ ]*) -->\n.*?<!-- end -->`)
	made := marker.ReplaceAllFunc(old, func(section []byte) []byte {
		prefix := string(marker.FindSubmatch(section)[1])
		sections[prefix] = true
		head, _, _ := bytes.Cut(section, []byte("\n"))
		return fmt.Appendf(nil, "%s\n%s<!-- end -->", head, keyTable(all, prefix))
	})
	for _, d := range all {
		if prefix, _ := split(d.Path); !sections[prefix] {
			t.Errorf("%s: docs/config.md has no section for %q", d.Path, prefix)
		}
	}
	if *update {
		if err := os.WriteFile(path, made, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(old, made) {
		t.Error("docs/config.md is out of date: go test ./configs -run Reference -update")
	}
}

func split(path string) (prefix, name string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}

func keyTable(all []described, section string) string {
	var b strings.Builder
	if section == "rules" {
		return ruleTable()
	}
	b.WriteString("| key | type | default | allowed | flag or property | meaning |\n|---|---|---|---|---|---|\n")
	for _, d := range all {
		prefix, name := split(d.Path)
		if prefix != section {
			continue
		}
		noun, _ := nounOf(d.typ)
		for _, article := range []string{"a ", "an "} {
			noun = strings.TrimPrefix(noun, article)
		}
		value := code(defaultText(d.Key, d.value))
		if d.Must {
			value = "required"
		}
		allowed := strings.TrimPrefix(d.rangeText(d.typ), "of ")
		if low, high := d.limits(); low+high == "" {
			allowed = ""
		}
		if words := d.words(); words != nil {
			allowed = "`" + strings.Join(words, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", name, noun, value, allowed, code(d.Flag), d.Help)
	}
	return b.String()
}

// ruleTable shows which profile has which rule.
func ruleTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| rule | %s | Kudu's issue or commit | what a server does |\n|---|%s---|---|\n", strings.Join(rules.ProfileNames(), " | "), strings.Repeat("---|", len(rules.Profiles)))
	for _, d := range rules.Differences {
		fmt.Fprintf(&b, "| `%s` |", d.Name)
		for i := range rules.Profiles {
			fmt.Fprintf(&b, " %s |", map[bool]string{true: "on", false: "off"}[d.Since <= i])
		}
		fmt.Fprintf(&b, " %s | %s |\n", d.Issue, keysByPath["rules."+d.Name].Help)
	}
	return b.String()
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
