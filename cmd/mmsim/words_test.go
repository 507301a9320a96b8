package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goWords are words of Go and its libraries, which nobody should read.
var goWords = regexp.MustCompile(`(?m)strconv|(^|[ :(])(json|yaml|gzip|hdr): |invalid (character|syntax|argument)|unexpected (EOF|end)|\bEOF\b|(^| )(l?stat|dial|lookup|open) |tcp|` +
	`parsing "|parsing time|value out of range|unmarshal|looking for beginning|flate:|archive/tar|x509:|tls:|net/|context canceled|Get "|Go value|Go struct|bufio|rpc error|` +
	`goroutine|panic|runtime error|reflect|nil pointer|<nil>|interface \{\}|arg\(s\)|fork/exec|%!`)

// TestNobodyReadsGosWords: every reader refuses what is broken with one clear error, which says where and what is allowed, and gives no output.
func TestNobodyReadsGosWords(t *testing.T) {
	const (
		opsHead  = "server\top\tchosen_s\tran_s\tinputs\tbytes_written\n"
		scanHead = "layout\theight\trowsets_at_or_above\tpredicate\tclient_mean_us\tclient_p10_us\tclient_p95_us\tserver_mean_us\n"
		tablets  = "<h3>Live Tablet Replicas</h3></html>"
		log      = "I20261130 10:00:00.000000 7 maintenance_manager.cc:1] P s1: Scheduling FlushMRSOp(aa): perf score=1.500000\n"
	)
	for _, tt := range []struct{ name, text, args, want string }{
		{"x.yaml", "name: [", "check x.yaml", "x.yaml:1: not YAML"},
		{"x.yaml", "name: a\n\tb: c", "check x.yaml", "x.yaml:2: not YAML"},
		{"x.yaml", "name: a: b", "check x.yaml", "x.yaml:1: not YAML: a colon where no key can stand"},
		{"x.yaml", "\x00", "check x.yaml", "x.yaml: the file is not text"},
		{"x.yaml", "extends: real-small\nseed: 1e99", "check x.yaml", `x.yaml:2: seed: "1e99" is not a whole number`},
		{"x.yaml", "extends: real-small\nserver: {memory_limit: 20}", "check x.yaml", `x.yaml:2: server.memory_limit: "20" is not a size`},
		{"m.yaml", "name: m\nscan: {fixed: fast}", "check real-small --set machine=m.yaml", `m.yaml:2: machine.scan.fixed: "fast" is not a duration`},
		{"", "", "check real-small --set seed=99999999999999999999999", `--set: seed: "99999999999999999999999" is not a whole number`},
		{"", "", "check real-small --set seed=[", `--set: seed: "[" is not a value of one line of YAML`},
		{"x.yaml", "ops: [{name: FlushMRSOp(a), perf: 1e999}]", "decide x.yaml", `x.yaml:1: ops[0].perf: "1e999" is not a number`},
		{"x.jsonl", "{", "decide --lines x.jsonl", "x.jsonl:1: not a JSON object of a decision: it ends early"},
		{"x.jsonl", `{"ops": [{"op": 3}]}`, "decide --lines x.jsonl", `x.jsonl:1: ops.op: "a number" is not a text`},
		{"x.jsonl", `{"ops": 3}`, "decide --lines x.jsonl", `x.jsonl:1: ops: "a number" is not a list`},
		{"x.jsonl", `{"memory_used_percent": "much"}`, "decide --lines x.jsonl", `x.jsonl:1: memory_used_percent: "a text" is not a number`},
		{"x.tsv", "huge\ta\tb", "compact x.tsv", `x.tsv:1: size: "huge" is not a number of MB`},
		{"x.tsv", "1\ta\tb\t1e3", "compact x.tsv", `x.tsv:1: full size: "1e3" is not a whole number of bytes`},
		{"x.tsv", "1\ta\tb", "compact x.tsv --set small_rowset_tradeoff=x", `--set: small_rowset_tradeoff: "x" is not a number`},
		{"x.tsv", opsHead + "0\tFlushMRSOp(t/0)\tsoon\t1\t\t1\n", "compare-ops x.tsv x.tsv", `x.tsv:2: chosen_s: "soon" is not a number of seconds`},
		{"x.tsv", opsHead + "0\tFlushMRSOp(t/0)\t1\t99999999999999999999\t\t1\n", "compare-ops x.tsv x.tsv", `x.tsv:2: ran_s: "99999999999999999999" is not a number of seconds`},
		{"x.tsv", opsHead + "many\tFlushMRSOp(t/0)\t1\t1\t\t1\n", "compare-ops x.tsv x.tsv", `x.tsv:2: server: "many" is not a whole number`},
		{"x.tsv", opsHead + "0\tFlushMRSOp(t/0)\t1\t1\t\t1.5\n", "compare-ops x.tsv x.tsv", `x.tsv:2: bytes_written: "1.5" is not a whole number`},
		{"x.tsv", "x", "compare-ops none x.tsv", "none: no such file or directory"},
		{"x.gz", "\x1f\x8bbroken", "compare-ops x.gz x.gz", "x.gz: it ends early"},
		{"x.tsv", opsHead + "0\tFlushMRSOp(t/0)\t1\t1\t\t1\n", "compare-ops x.tsv x.tsv --server x", `--server: "x" is not a whole number`},
		{"x.tsv", opsHead + "0\tFlushMRSOp(t/0)\t1\t1\t\t1\n", "calibrate --ops x.tsv --holdout 1.5", `--holdout: "1.5" is not a whole number`},
		{"x.tsv", opsHead + "0\tFlushMRSOp(t/0)\t1\tsoon\t\t1\n", "calibrate --ops x.tsv", `x.tsv:2: ran_s: "soon" is not a number of seconds`},
		{"x.tsv", scanHead + "s\t1\t1\tge\t1\t1\t1\t1e-9\n", "calibrate --scan x.tsv", `x.tsv:2: server_mean_us: "1e-9" is not a number of microseconds from 0.001`},
		{"x.log", "", "import kudu-log x.log", "x.log: the file is empty"},
		{"x.log", "\x1f\x8bbroken gzipped data", "import kudu-log x.log", "x.log: its gzipped data is damaged"},
		{"x.log", "I20261399 10:00:00.000000 7 a.cc:1] x\n", "import kudu-log x.log", "x.log:1: there is no such time: 20261399 10:00:00.000000"},
		{"x.log", log, "import kudu-log x.log --zero noon", `--zero: time: "noon" is not a time such as`},
		{"x.log", log, "import kudu-log x.log --tables .", ".: a directory, not a file"},
		{"x.log", log, "import kudu-log .", ".: a directory, not a file"},
		{"metrics.json", "[{]", "import kudu --from-dir .", `.: metrics: line 1: not the metrics of a Kudu server: "]" cannot stand there`},
		{"metrics.json", "[", "import kudu --from-dir .", ".: metrics: line 1: not the metrics of a Kudu server: it ends early"},
		{"metrics.json", `[{"id": 3}]`, "import kudu --from-dir .", `.: metrics: line 1: not the metrics of a Kudu server: id: "a number" is not a text`},
		{"metrics.json", "{}", "import kudu --from-dir .", ".: metrics: line 1: not the metrics of a Kudu server: an object stands where a list is wanted"},
		{"tablets.html", tablets, "import kudu --from-dir .", ".: no such page: neither metrics.html nor metrics.json is there"},
		{"x.tar.gz", "\x1f\x8bbroken gzipped data", "import kudu --from-dir x.tar.gz", "x.tar.gz: its gzipped data is damaged"},
		{"x.tar.gz", "no archive at all", "import kudu --from-dir x.tar.gz", "x.tar.gz: "},
		{"", "", "import kudu --tserver http://127.0.0.1:1", "http://127.0.0.1:1/metrics: connection refused"},
		{"", "", "import kudu --tserver https://127.0.0.1:1", "https://127.0.0.1:1/metrics: connection refused"},
		{"", "", "import kudu --tserver http://no-such-host.invalid", "no host called no-such-host.invalid could be found"},
		{"", "", "import kudu --tserver http://host:port", `--tserver: URL: "http://host:port" is not the address`},
		{"", "", "run real-small --jobs few", `--jobs: "few" is not a whole number`},
		{"", "", "plot none", "none"},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		if tt.name != "" {
			if err := os.WriteFile(tt.name, []byte(tt.text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out, err := runHere(t, filepath.Join(t.TempDir(), "stdout"), strings.Fields(tt.args))
		switch {
		case err == nil:
			t.Errorf("%s: no error of %q", tt.args, tt.text)
		case !strings.Contains(err.Error(), tt.want):
			t.Errorf("%s: error %v, want %q", tt.args, err, tt.want)
		case goWords.MatchString(err.Error()):
			t.Errorf("%s: %q in %q", tt.args, goWords.FindString(err.Error()), err)
		case out != "":
			t.Errorf("%s: output of a broken input: %s", tt.args, out)
		}
	}
}

// runHere runs the command line in this process and gives what it wrote on the standard output.
func runHere(t *testing.T, path string, args []string) (string, error) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	defer func(before *os.File) { os.Stdout = before }(os.Stdout)
	os.Stdout = file
	cmd := root()
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(context.Background())
	out, readErr := os.ReadFile(path)
	if readErr != nil {
		t.Fatal(readErr)
	}
	return string(out), err
}
