package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"

	"mmsim/policies"
)

// TestSpecSurvivesTheWire sends the specifications of the built-ins, and one with every type of parameter, there and back.
func TestSpecSurvivesTheWire(t *testing.T) {
	odd := policies.Spec{Name: "odd", RanksEverything: true, Params: []policies.Param{
		{Name: "flag", Type: policies.Bool, Default: true},
	}}
	for _, want := range append(policies.Builtins(), odd) {
		raw, err := proto.Marshal(Describe(&want))
		if err != nil {
			t.Fatal(err)
		}
		var d Description
		if err := proto.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, d.Spec(), cmpopts.IgnoreFields(policies.Spec{}, "New")); diff != "" {
			t.Errorf("%s: %s", want.Name, diff)
		}
	}
}

func TestValuesSurviveTheWire(t *testing.T) {
	spec := policies.PriorityWeighted()
	want, err := spec.Resolve(map[string]any{"bound": 0.1, "range": 3})
	if err != nil {
		t.Fatal(err)
	}
	got, err := spec.Resolve(Configure(spec.Params, want).Params())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
