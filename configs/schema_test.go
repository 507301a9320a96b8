package configs

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"gopkg.in/yaml.v3"
)

// schema compiles the schema as an editor does.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mmsim.json", parsed); err != nil {
		t.Fatal(err)
	}
	s, err := compiler.Compile("mmsim.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// faults gives what an editor would show of a file: the innermost errors and where they are.
func faults(t *testing.T, s *jsonschema.Schema, text string) (all []string) {
	t.Helper()
	var file any
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	err := s.Validate(file)
	if err == nil {
		return nil
	}
	english := message.NewPrinter(language.English)
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			all = append(all, strings.Join(e.InstanceLocation, ".")+": "+e.ErrorKind.LocalizedString(english))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(err.(*jsonschema.ValidationError))
	return all
}

func TestSchemaTakesWhatMmsimTakes(t *testing.T) {
	s := schema(t)
	texts := []string{small, small + "machine: review-15995\n", small + "machine: {base: review-15995, op: {flush_mib: 5us}}\nrules: {pressure_skip: on}\nserver: {memory_limit: 60 GB}\n",
		"extends: review-15995\nscale: 0.1\nphases:\n  - {name: a, duration: 1m, clients: [{table: table-A, target: 5k ops/s, workload: {insert: 1}}]}\n"}
	for _, name := range Embedded() {
		source, err := Source(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(source), string(mustLoad(t, name).YAML()))
	}
	for _, text := range texts {
		if all := faults(t, s, text); all != nil {
			t.Errorf("%s\nis refused: %s", text[:min(len(text), 200)], strings.Join(all, "\n"))
		}
	}
}

// A misspelt key is what an editor shows first, whatever else follows from it.
func TestSchemaNamesWhatIsWrong(t *testing.T) {
	s := schema(t)
	for _, c := range []struct{ text, want string }{
		{small + "servr: {}\n", ": additional properties 'servr' not allowed"},
		{"extends: review-15995\nservr: {}\n", ": additional properties 'servr' not allowed"},
		{small + "server: {memory_limt: 5GB}\n", "server: additional properties 'memory_limt' not allowed"},
		{small + "machine: {op: {flush_mb: 5us}}\n", "machine.op: additional properties 'flush_mb' not allowed"},
		{small + "machine: 5\n", "machine: got number, want string or object"},
		{strings.Replace(small, "records:", "recrds:", 1), "phases.0.clients.0.workload: additional properties 'recrds' not allowed"},
		{strings.Replace(small, "policies:", "polices:", 1), ": additional properties 'polices' not allowed"},
		{strings.Replace(small, "name: small\n", "", 1), ": missing property 'name'"},
		{small + "server: {memory_limit: 5}\n", "server.memory_limit: got number, want string"},
		{small + "cluster: {placement: balance}\n", "cluster.placement: value must be one of 'balanced', 'random'"},
	} {
		all := faults(t, s, c.text)
		if len(all) == 0 || all[0] != c.want {
			t.Errorf("%v\nwant first %s", all, c.want)
		}
		if strings.Contains(strings.Join(all, "\n"), "extends") {
			t.Errorf("extends is named: %v", all)
		}
	}
}
