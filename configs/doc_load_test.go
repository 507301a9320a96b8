package configs

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func mustLoad(t *testing.T, name string) *Doc {
	t.Helper()
	doc, err := LoadEmbedded(name)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func mustParse(t *testing.T, file, text string) *Doc {
	t.Helper()
	doc, err := Parse(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReviewExperiment(t *testing.T) {
	if got := strings.Join(Embedded(), " "); got != "real-small real-starvation review-15995 review-15995-hot50 time-series" {
		t.Errorf("embedded: %s", got)
	}
	low, high := mustLoad(t, "review-15995").Experiment, mustLoad(t, "review-15995-hot50").Experiment
	var rows, ops int64
	for _, p := range low.Phases {
		for _, c := range p.Clients {
			rows, ops = rows+c.Workload.Records, ops+c.Workload.Operations
		}
	}
	if rows != 1_050_000_000 || ops != 115_500_000 {
		t.Errorf("%d rows and %d operations", rows, ops)
	}
	if n := len(low.Measured.Rows); n != 20 {
		t.Errorf("%d measured rows", n)
	}
	var names []string
	for i, l := range low.Policies {
		names = append(names, l.Name)
		if l.Policy == "raw" {
			continue
		}
		if l.Params["hot_scans_per_sec"] != 1 || high.Policies[i].Params["hot_scans_per_sec"] != 50 {
			t.Errorf("%s: thresholds %v and %v", l.Name, l.Params, high.Policies[i].Params)
		}
	}
	if got := strings.Join(names, " "); got != "raw workload-scaled-1 workload-scaled-10 priority-weighted" {
		t.Errorf("policies: %s", got)
	}
	high.Name, high.Title, high.Policies = low.Name, low.Title, low.Policies
	if diff := cmp.Diff(low, high); diff != "" {
		t.Errorf("the two files differ in more than thresholds:\n%s", diff)
	}
}

func TestMachineIsDividedByFactor(t *testing.T) {
	slow, err := shippedMachine("kudu-2core-vm")
	if err != nil {
		t.Fatal(err)
	}
	fast := mustLoad(t, "review-15995").Experiment.Machine
	for _, c := range []struct {
		what       string
		slow, fast any
		want       any
	}{
		{"append", slow.Client.AppendHot, fast.Client.AppendHot, Duration(3 * time.Microsecond)},
		{"iterate", slow.Scan.Iterate, fast.Scan.Iterate, Duration(2770)},
		{"compact input", slow.Op.CompactInput, fast.Op.CompactInput, Duration(38667)},
		{"retry", slow.Client.RetryBase, fast.Client.RetryBase, slow.Client.RetryBase},
		{"cold read", slow.Disk.ColdRead, fast.Disk.ColdRead, Duration(1500 * time.Microsecond)},
		{"round trip", slow.Network.RoundTrip, fast.Network.RoundTrip, slow.Network.RoundTrip},
		{"row in memory", slow.Store.MRSRow, fast.Store.MRSRow, slow.Store.MRSRow},
		{"spread", slow.Scan.Spread, fast.Scan.Spread, slow.Scan.Spread},
		{"cores", slow.Cores, fast.Cores, 24},
		{"name", slow.Name, fast.Name, "review-15995"},
		{"factor", slow.Factor, fast.Factor, 1.0},
	} {
		if c.fast != c.want {
			t.Errorf("%s: %v becomes %v, want %v", c.what, c.slow, c.fast, c.want)
		}
	}
}

// The machine all others rest on must give every key: there is nothing below it.
func TestBaseMachineIsComplete(t *testing.T) {
	file, data, _ := embedded("machines/kudu-2core-vm.yaml")
	root, err := parseTree(file, data)
	if err != nil {
		t.Fatal(err)
	}
	places := root.places()
	for _, k := range keys {
		name, ok := strings.CutPrefix(k.Path, "machine.")
		if _, given := places[name]; ok && !given && name != "base" {
			t.Errorf("%s is missing", k.Path)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "slow.yaml", "base: ./kudu.yaml\nfactor: 0.5\nscan: {iterate: 7us}\n")
	write(t, "kudu.yaml", "name: kudu\nfactor: 2\n")
	write(t, "base.yaml", small+"machine: ./slow.yaml\nstarvation: {after: 5m}\n")
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	path := write(t, "sub/top.yaml", "extends: ../base.yaml\nname: top\npolicies: [{plugin: ./mine}, {plugin: /bin/theirs}]\n")
	doc, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	e := doc.Experiment
	if e.Name != "top" || e.Starvation.After != 300*second {
		t.Errorf("%s, %s", e.Name, e.Starvation.After)
	}
	if m := e.Machine; m.Name != "kudu" || m.Scan.Seek != 16100 || m.Scan.Iterate != 7000 { // 16.1us / 2 / 0.5
		t.Errorf("%+v", m)
	}
	if a, b := doc.PluginPath(0), doc.PluginPath(1); a != "sub/mine" || b != "/bin/theirs" {
		t.Errorf("plugins %q and %q", a, b)
	}
	if err := doc.Set("policies[0].plugin=mine"); err != nil || doc.PluginPath(0) != "./mine" {
		t.Errorf("%v: plugin %q", err, doc.PluginPath(0))
	}
	for path, want := range map[string]string{
		"starvation.after":         "base.yaml:12: starvation.after: \"v\" is not a",
		"tables[0].record.fields":  "base.yaml:3: tables[0].record.fields: \"v\" is not a",
		"policies[1].params.bound": "sub/top.yaml:3: policies[1].params.bound: \"v\" is not a",
	} {
		if got := doc.Errorf(path, "v", "a", "").Error(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "binary.yaml", "\x7fELF\x00\x01")
	write(t, "latin1.yaml", "name: caf\xe9")
	write(t, "huge.yaml", strings.Repeat("#", maxFileSize+1))
	write(t, "loop.yaml", "extends: ./loop.yaml\n")
	write(t, "loop-machine.yaml", "base: ./loop-machine.yaml\n")
	write(t, "machine.yaml", small+"machine: ./loop-machine.yaml\n")
	write(t, "experiment.yaml", small+"machine: ./machine.yaml\n")
	for path, want := range map[string]string{
		"review-1595.yaml": "review-1595.yaml: no such file or directory; did you mean review-15995?",
		".":                ".: a directory, not a file",
		"binary.yaml":      "binary.yaml: the file is not text in UTF-8, so not YAML",
		"latin1.yaml":      "latin1.yaml: the file is not text in UTF-8, so not YAML",
		"huge.yaml":        "huge.yaml: larger than 16MiB",
		"loop.yaml":        `loop.yaml:1: extends: "./loop.yaml" is not an experiment with at most 8 experiments below it`,
		"experiment.yaml":  `machine.yaml:1: machine: "machine.yaml" is not a machine: the file holds an experiment`,
		"machine.yaml":     `loop-machine.yaml:1: machine.base: "./loop-machine.yaml" is not a machine with at most 8 machines below it`,
	} {
		if _, err := Load(path); err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if _, err := LoadEmbedded("nothing"); err == nil || !strings.Contains(err.Error(), "review-15995") {
		t.Error(err)
	}
}

func TestWithPolicies(t *testing.T) {
	doc := mustLoad(t, "review-15995")
	other, err := doc.WithPolicies([]Line{{Name: "raw", Policy: "raw"}, {Plugin: "bin/mine", Params: map[string]any{"bound": 1.0}}})
	if err != nil {
		t.Fatal(err)
	}
	e := other.Experiment
	if e.Measured.Before != "raw" || e.Measured.After != "" || e.Policies[1].Name != "mine-bound-1" {
		t.Errorf("%q %q %q", e.Measured.Before, e.Measured.After, e.Policies[1].Name)
	}
	if got := other.PluginPath(1); got != "bin/mine" {
		t.Errorf("plugin %q", got)
	}
	if got := other.Errorf("policies[1].params.bound", "1", "a word", "").Error(); got != `--policy: policies[1].params.bound: "1" is not a word` {
		t.Error(got)
	}
	roundTrip(t, other)
	if err := other.Set("policies[1].params.bound=2"); err != nil || other.Experiment.Policies[1].Params["bound"] != 2 {
		t.Errorf("%v: %v", err, other.Experiment.Policies[1].Params)
	}
	if _, err := doc.WithPolicies(nil); err == nil {
		t.Error("no policy is accepted")
	}
	if len(doc.Experiment.Policies) != 4 || doc.Experiment.Measured.After == "" {
		t.Error("the document itself has changed")
	}
}

func TestSetIsAllOrNothing(t *testing.T) {
	doc := mustParse(t, "x.yaml", small)
	before := string(doc.YAML())
	if err := doc.Set("seed=5", "cluster.servers=2"); err == nil { // replication stays 3
		t.Fatal("2 servers for 3 replicas are accepted")
	}
	if string(doc.YAML()) != before {
		t.Error("a refused assignment has changed something")
	}
	if err := doc.Set("seed=5", "cluster.servers=2", "cluster.replication=1", "machine=review-15995", "machine.cores=3"); err != nil {
		t.Fatal(err)
	}
	if e := doc.Experiment; e.Seed != 5 || e.Cluster.Servers != 2 || e.Machine.Cores != 3 || e.Machine.Scan.Fixed != 34000 {
		t.Errorf("%+v", e)
	}
}

// roundTrip checks that what doc writes is read again as the same experiment, and written as the same bytes.
func roundTrip(t interface{ Fatalf(string, ...any) }, doc *Doc) {
	text := doc.YAML()
	again, err := Parse("again.yaml", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(doc.Experiment, again.Experiment); diff != "" {
		t.Fatalf("read again:\n%s", diff)
	}
	if !bytes.Equal(text, again.YAML()) {
		t.Fatalf("written again:\n%s", cmp.Diff(string(text), string(again.YAML())))
	}
}

func TestYAMLRoundTrip(t *testing.T) {
	for _, name := range Embedded() {
		roundTrip(t, mustLoad(t, name))
	}
	doc := mustParse(t, "x.yaml", small+`title: "1: a # b"
machine: {name: mine, factor: 3, op: {spread: 0.1}}
measured: {before: raw}
`)
	if err := doc.Set("phases[0].clients[0].target=5M ops/s", "policies[0].name=raw", "policies[0].params={a: 1.0, b: 1, c: true, d: 'true', e: 1e300, f: word, g: '1', h: 0x10}"); err != nil {
		t.Fatal(err)
	}
	roundTrip(t, doc)
	doc.Experiment.Scale = 0.5
	scaled, err := doc.Experiment.Scaled(doc.Experiment.Scale)
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, &Doc{Experiment: scaled})
}

func TestSchema(t *testing.T) {
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path []string
		want any
	}{
		{[]string{"server", "memory_soft_limit", "maximum"}, 100.0},
		{[]string{"maintenance", "flush_threshold", "default"}, "1GiB"},
		{[]string{"cluster", "placement", "enum"}, []any{"balanced", "random"}},
		{[]string{"tables", "items", "properties", "tablets", "minimum"}, 1.0},
		{[]string{"tables", "items", "required"}, []any{"name"}},
		{[]string{"tables", "items", "then", "required"}, []any{"tablets"}},
		{[]string{"tables", "items", "additionalProperties"}, false},
	} {
		at := root
		for _, key := range c.path {
			m := at.(map[string]any)
			if properties, ok := m["properties"].(map[string]any); ok && m[key] == nil {
				m = properties
			}
			at = m[key]
		}
		if diff := cmp.Diff(c.want, at); diff != "" {
			t.Errorf("%s: %s", filepath.Join(c.path...), diff)
		}
	}
}
