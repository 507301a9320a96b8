package policies

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var some = Spec{Name: "some", Params: []Param{
	{Name: "bound", Type: Float, Default: 1.0, Min: 0, Max: 1e6},
	{Name: "seats", Type: Int, Default: int64(5), Min: 0, Max: 20},
	{Name: "eager", Type: Bool, Default: false},
	{Name: "combine", Type: Choice, Default: "add", Choices: []string{"add", "multiply"}},
}}

func TestResolve(t *testing.T) {
	defaults := Values{"bound": 1.0, "seats": int64(5), "eager": false, "combine": "add"}
	for _, test := range []struct {
		params map[string]any
		want   Values // beside the defaults
	}{
		{nil, nil},
		{map[string]any{"bound": 10}, Values{"bound": 10.0}},
		{map[string]any{"bound": 1e6, "seats": 20}, Values{"bound": 1e6, "seats": int64(20)}},
		{map[string]any{"bound": uint64(7), "seats": 3.0}, Values{"bound": 7.0, "seats": int64(3)}},
		{map[string]any{"eager": true, "combine": "multiply"}, Values{"eager": true, "combine": "multiply"}},
	} {
		got, err := some.Resolve(test.params)
		if err != nil {
			t.Error(err)
		}
		want := Values{}
		for _, from := range []Values{defaults, test.want} {
			for k, v := range from {
				want[k] = v
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: %s", test.params, diff)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"bond", 1, `unknown parameter "bond"; allowed: bound, seats, eager, combine; did you mean "bound"?`},
		{"temperature", 1, `unknown parameter "temperature"; allowed: bound, seats, eager, combine`},
		{"bound", -0.5, `parameter "bound": -0.5 is not allowed; allowed: a number from 0 to 1000000`},
		{"bound", math.NaN(), `parameter "bound": NaN is not allowed; allowed: a number from 0 to 1000000`},
		{"bound", "1", `parameter "bound": "1" is not allowed; allowed: a number from 0 to 1000000`},
		{"bound", true, `parameter "bound": true is not allowed; allowed: a number from 0 to 1000000`},
		{"seats", 2.5, `parameter "seats": 2.5 is not allowed; allowed: a whole number from 0 to 20`},
		{"seats", 21, `parameter "seats": 21 is not allowed; allowed: a whole number from 0 to 20`},
		{"seats", math.Inf(1), `parameter "seats": +Inf is not allowed; allowed: a whole number from 0 to 20`},
		{"eager", "yes", `parameter "eager": "yes" is not allowed; allowed: true or false`},
		{"combine", "multiplly", `parameter "combine": "multiplly" is not allowed; allowed: one of add, multiply; did you mean "multiply"?`},
		{"combine", nil, `parameter "combine": <nil> is not allowed; allowed: one of add, multiply`},
	} {
		_, err := some.Resolve(map[string]any{test.name: test.value})
		var e *ParamError
		if !errors.As(err, &e) || e.Param != test.name {
			t.Errorf("%s: %v is no *ParamError", test.name, err)
		} else if err.Error() != test.want {
			t.Errorf("got  %s\nwant %s", err, test.want)
		}
	}
	none := Raw()
	if _, err := none.Resolve(map[string]any{"bound": 1}); err == nil || !strings.Contains(err.Error(), "raw has no parameters") {
		t.Errorf("%v", err)
	}
}

func TestResolveNamesEveryMistakeInOrder(t *testing.T) {
	_, err := some.Resolve(map[string]any{"seats": -1, "bound": -1, "eager": 0})
	var got []string
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		got = append(got, e.(*ParamError).Param)
	}
	if diff := cmp.Diff([]string{"bound", "eager", "seats"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestValidate(t *testing.T) {
	valid := Param{Name: "p", Type: Float, Default: 1.0, Max: 2}
	for want, spec := range map[string]Spec{
		"no name":                {},
		"does not have":          {Name: "x", Columns: AllColumns + 1},
		"declared twice":         {Name: "x", Params: []Param{valid, valid}},
		"must be finite":         {Name: "x", Params: []Param{{Name: "p", Type: Float, Default: 1.0, Max: math.Inf(1)}}},
		"default 3 does not fit": {Name: "x", Params: []Param{{Name: "p", Type: Float, Default: 3.0, Max: 2}}},
		"parameter 1 has no":     {Name: "x", Params: []Param{{Type: Float, Default: 1.0, Max: 2}}},
		`fit type "Float"`:       {Name: "x", Params: []Param{{Name: "p", Type: "Float", Default: 1.0, Max: 2}}},
		`default 1 does not fit`: {Name: "x", Params: []Param{{Name: "p", Type: Int, Default: 1, Max: 2}}}, // an int, not an int64
	} {
		if err := spec.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	if err := some.Validate(); err != nil {
		t.Error(err)
	}
}
