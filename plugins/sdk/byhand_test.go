package sdk

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/policies"
)

func TestByHand(t *testing.T) {
	spec := policies.Raw()
	for _, test := range []struct {
		args           string
		status         int
		stdout, stderr string // what they must contain; "" = must be empty
	}{
		{"", 2, "", "raw 1.0.0 is a policy plugin of mmsim"},
		{"rank", 2, "", "is a policy plugin of mmsim"},
		{"--help", 0, "describe", ""},
		{"--version", 0, "raw 1.0.0\n", ""},
		{"describe", 0, `"name": "raw"`, ""},
	} {
		var stdout, stderr strings.Builder
		if got := byHand(&spec, strings.Fields(test.args), &stdout, &stderr); got != test.status {
			t.Errorf("%q: status %d, not %d", test.args, got, test.status)
		}
		for _, out := range []struct{ got, want string }{{stdout.String(), test.stdout}, {stderr.String(), test.stderr}} {
			if !strings.Contains(out.got, out.want) || (out.want == "") != (out.got == "") {
				t.Errorf("%q printed %q, not %q", test.args, out.got, out.want)
			}
		}
	}
}

func TestDescribe(t *testing.T) {
	var out strings.Builder
	spec := policies.PriorityWeighted()
	describe(&spec, &out)
	var got description
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"perf", "priority", "scans_per_sec", "rows_per_sec"}, got.Columns); diff != "" {
		t.Error(diff)
	}
	one, hundred := 1.0, 100.0
	want := param{Name: "multiplier", Type: "float", Default: 1.1, Allowed: "a number from 1 to 100", Min: &one, Max: &hundred,
		Help: "Factor for each step of a table's priority (Kudu's maintenance_op_multiplier)."}
	if diff := cmp.Diff(want, got.Params[1]); diff != "" {
		t.Error(diff)
	}
	if got.Protocol != 1 || got.Go == "" || got.Arch == "" {
		t.Errorf("protocol %d, go %q, arch %q", got.Protocol, got.Go, got.Arch)
	}
}
