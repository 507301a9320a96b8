package configs

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Every key of a decision is in the table, and every key of the table in the types. An op's stats later are an op's.
func TestEveryKeyOfADecisionIsDescribed(t *testing.T) {
	seen := map[string]bool{}
	var walk func(path string, typ reflect.Type)
	walk = func(path string, typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer:
			walk(path, typ.Elem())
		case reflect.Slice:
			if isScalar(typ.Elem()) {
				seen[path+"[]"] = true
			}
			walk(path+"[]", typ.Elem())
		case reflect.Struct:
			for i, name := range keyNames(typ) {
				p := join(path, name)
				seen[p] = true
				if _, ok := decisionKeysByPath[p]; !ok {
					t.Errorf("%s is not in the table of keys", p)
				}
				if p != "ops[].after" {
					walk(p, typ.Field(i).Type)
				}
			}
		}
	}
	walk("", reflect.TypeFor[Decision]())
	for path := range decisionKeysByPath {
		if !seen[path] {
			t.Errorf("%s is in the table but in no type", path)
		}
	}
}

func TestKeysOfLaterStats(t *testing.T) {
	for _, path := range []string{"ops[].after.perf", "ops[].after.after.after.perf"} {
		if got := decisionKey(path).Path; got != "ops[].perf" {
			t.Errorf("%s has the key %q, want ops[].perf", path, got)
		}
	}
}

func TestReferenceOfDecisions(t *testing.T) {
	doc, err := os.ReadFile("../docs/decide.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range decisionKeys {
		if row := fmt.Sprintf("| `%s` | %s |\n", k.Path, k.Help); !strings.Contains(string(doc), row) {
			t.Errorf("docs/decide.md lacks the row %s", row)
		}
	}
}
