package configs

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Schema gives a JSON Schema (draft 2020-12) of an experiment, for editors. What mmsim checks between keys it does not say.
func Schema() ([]byte, error) {
	e, err := defaults()
	if err != nil {
		return nil, err
	}
	root := schemaOf("", reflect.ValueOf(e))
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "mmsim experiment"
	root["properties"].(object)["extends"] = object{"type": "string", "description": "Experiment that this one is laid over: a name or a path.", "examples": Embedded()}
	root["if"] = object{"not": object{"required": []string{"extends"}}} // rather than a choice of two: editors name the first alternative's fault, whatever is wrong
	root["then"] = object{"required": root["required"]}
	delete(root, "required")
	tables := root["properties"].(object)["tables"].(object)["items"].(object)
	tables["if"] = object{"not": object{"required": []string{"partitions"}}}
	tables["then"] = object{"required": []string{"tablets"}}
	return json.MarshalIndent(root, "", "  ")
}

type object = map[string]any

// schemaOf describes the key at path, v holding its default.
func schemaOf(path string, v reflect.Value) object {
	s := schemaOfType(path, v)
	k := keysByPath[path]
	if k.Help != "" {
		s["description"] = k.Help
	}
	if text := defaultText(k, v); text != "" {
		s["default"] = text
		if isNumber(v.Type()) && (v.Type().PkgPath() == "" || v.Type() == reflect.TypeFor[Rate]()) || v.Kind() == reflect.Bool {
			s["default"] = v.Interface()
		}
	}
	return s
}

func schemaOfType(path string, v reflect.Value) object {
	k := keysByPath[path]
	switch v.Interface().(type) {
	case Bytes:
		return object{"type": "string", "pattern": `^[0-9][0-9_]*(\.[0-9_]+)? ?([kMGT]B|[KMGT]iB|B)$`}
	case Duration:
		return object{"type": "string", "pattern": `^[0-9][0-9_]*(\.[0-9_]+)? ?(ns|us|µs|ms|s|m|h|d)$`}
	case Bandwidth:
		return object{"type": "string", "pattern": `^[0-9][0-9_]*(\.[0-9_]+)? ?([kMGT]B|[KMGT]iB|B)/s$`}
	case Rate:
		return object{"type": []string{"number", "string"}, "minimum": 0}
	case map[string]any:
		return object{"type": "object", "additionalProperties": object{"type": []string{"number", "string", "boolean"}}}
	case Machine:
		s := structSchema(path, v)
		s["type"], s["examples"] = []string{"string", "object"}, Machines()
		return s
	}
	switch v.Kind() {
	case reflect.Struct:
		return structSchema(path, v)
	case reflect.Pointer:
		return structSchema(path, reflect.New(v.Type().Elem()).Elem())
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(path+"[]", itemDefault(v.Type().Elem()))}
	case reflect.Bool:
		return object{"enum": []any{true, false, "on", "off"}}
	case reflect.String:
		if words := k.words(); words != nil {
			return object{"enum": words}
		}
		return object{"type": "string"}
	}
	s := object{"type": []string{"integer", "string"}, "pattern": "^-?[0-9_]+$", "minimum": 0.0}
	if v.Kind() == reflect.Float64 {
		s = object{"type": "number", "minimum": 0.0}
	}
	low, high := k.limits()
	for name, limit := range map[string]string{"minimum": low, "maximum": high} {
		if f, err := parseFloat(limit); err == nil {
			s[name] = f
		}
	}
	return s
}

func structSchema(path string, v reflect.Value) object {
	properties, required := object{}, []string{}
	for i, name := range keyNames(v.Type()) {
		p := join(path, name)
		properties[name] = schemaOf(p, v.Field(i))
		if keysByPath[p].Must {
			required = append(required, name)
		}
	}
	s := object{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// defaultText writes the default of a key, or "" if it has none of its own.
func defaultText(k Key, v reflect.Value) string {
	switch {
	case k.Must || k.Path == "" || k.Path == "server.ram" || k.Path == "tables[].tablets" || strings.HasPrefix(k.Path, "tables[].partitions.") || k.Path == "machine.base":
		return ""
	case k.Path == "machine":
		return baseMachine
	}
	switch v.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer:
		return ""
	}
	return fmt.Sprint(v.Interface())
}
