package configs

import (
	"errors"
	"strings"
	"testing"
)

const (
	smallExperiment = "name: x\ntables: [{name: t, tablets: 2}]\nphases: [{name: p, clients: [{table: t, workload: {records: 10}}]}]\npolicies: [{policy: raw, params: {bound: 1}}]\n"
	smallDecision   = "params: {bound: 1}\nmemory: {used_percent: 61}\nops:\n  - {name: CompactRowSetsOp(t), perf: 1.2, rates: {scans_per_sec: 3}}\n" +
		"  - {kind: FlushMRSOp, tablet: t, ram: 48MiB, age: 60s, after: {ram: 1B}}\n"
	smallMachine = "name: m\nbase: kudu-2core-vm\nfactor: 2\nscan: {fixed: 1us, spread: 0.1}\nop: {cores: 1.5}\n"
)

// named refuses an error that does not begin with what was read, or speaks as Go does.
func named(t *testing.T, file string, err error) {
	t.Helper()
	var p *Problem
	if !errors.As(err, &p) || !strings.HasPrefix(err.Error(), file) && !strings.HasPrefix(err.Error(), "configs/") || strings.Contains(err.Error(), "strconv.") {
		t.Fatalf("error %T %v", err, err)
	}
}

// outside says whether a text may make a reader open files, which fuzzing must not.
func outside(text string) bool {
	return strings.ContainsAny(text, "/\\") || strings.Contains(text, ".y")
}

// FuzzParse: an experiment is refused, line by line, or written as one that reads the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("a: &a {b: 1}\nname: {<<: *a}\n"))
	f.Add([]byte("extends: real-small\ninitial: [{table: t, tablet: 0, rowsets: [{rows: 1, size: 1MiB, span: [0, 1]}]}]\n"))
	f.Add([]byte(small + "machine: {factor: 3}\nserver: &s {memory_limit: 60GB}\nmeasured: {before: raw}\n"))
	for _, name := range []string{"review-15995.yaml", "review-15995-hot50.yaml"} {
		_, data, _ := embedded(name)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if outside(string(data)) {
			return
		}
		doc, err := Parse("x.yaml", data)
		if err == nil {
			roundTrip(t, doc)
			return
		}
		for line := range strings.Lines(err.Error()) {
			if !strings.Contains(line, "x.yaml") && !strings.Contains(line, "configs/") {
				t.Fatalf("a problem without file: %q", line)
			}
		}
	})
}

// FuzzMachine: a machine is refused, or its times and sizes are as they may be.
func FuzzMachine(f *testing.F) {
	f.Add(smallMachine)
	f.Fuzz(func(t *testing.T, text string) {
		if outside(text) {
			return
		}
		var d decoder
		var m Machine
		d.machineFile("fuzz.yaml", []byte(text), &m)
		if err := d.err(); err != nil {
			named(t, "fuzz.yaml", err)
			return
		}
		if m.Scan.Fixed < 0 || m.CoreWorth < 0 || m.Factor != 1 {
			t.Fatalf("%+v", m)
		}
	})
}

// FuzzSet: an assignment is refused and changes nothing, or what comes of it can be written and read.
func FuzzSet(f *testing.F) {
	for _, a := range []string{"server.memory_limit=20GB", "policies[0].params.bound=2", "machine.scan.fixed=1us", "seed", "tables[0]={name: t, tablets: 3}", "a[0].b=[1, 2]", "x=&a [*a]"} {
		f.Add(a)
	}
	before, err := Parse("x.yaml", []byte(smallExperiment))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, assignment string) {
		if outside(assignment) {
			return
		}
		doc := *before
		if err := doc.Set(assignment); err != nil {
			if doc.root != before.root || doc.Experiment != before.Experiment {
				t.Fatal("a refused assignment has changed the experiment")
			}
			if strings.Contains(err.Error(), "strconv.") {
				t.Fatal(err)
			}
			return
		}
		if _, err := Parse("again.yaml", doc.YAML()); err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, doc.YAML())
		}
	})
}

// FuzzDecision: a decision is refused, or all its ops have names and numbers that can be reckoned with.
func FuzzDecision(f *testing.F) {
	f.Add(smallDecision)
	f.Add("policy: raw\nprofile: kudu-1.18\nops: [{name: LogGCOp(a), logs: 1MiB, counters: [{at: 1s, scans: 1}, {at: 2s, scans: 3}]}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := ParseDecision("fuzz.yaml", []byte(text))
		if err != nil {
			named(t, "fuzz.yaml", err)
			return
		}
		for _, op := range doc.Decision.Ops {
			if op.Name == "" || op.Kind == "" || !(op.Perf >= 0) || op.RAM < 0 {
				t.Fatalf("%+v", op)
			}
		}
	})
}
