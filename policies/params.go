package policies

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ParamError is a parameter that a policy does not take.
type ParamError struct {
	Param      string
	Value      any    // as given
	Unknown    bool   // true: the policy declares no such parameter; else the value is wrong
	Allowed    string // what would be accepted
	Suggestion string // what was probably meant; empty if nothing comes near
}

func (e *ParamError) Error() string {
	text := fmt.Sprintf("parameter %q: %v is not allowed", e.Param, quote(e.Value))
	if e.Unknown {
		text = fmt.Sprintf("unknown parameter %q", e.Param)
	}
	text += "; allowed: " + e.Allowed
	if e.Suggestion != "" {
		text += fmt.Sprintf("; did you mean %q?", e.Suggestion)
	}
	return text
}

func quote(v any) any {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return v
}

// Resolve checks parameters as YAML or JSON decoded them (int, int64, uint64, float64, bool, string) and fills in defaults.
// A whole number is accepted for a Float, and a float without a fraction for an Int.
// The error joins one *ParamError for each wrong parameter, ordered by name; errors.As finds the first.
func (s *Spec) Resolve(params map[string]any) (Values, error) {
	values := make(Values, len(s.Params))
	for _, p := range s.Params {
		values[p.Name] = p.Default
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(params)) {
		v, err := s.resolve(name, params[name])
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		values[name] = v
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return values, nil
}

func (s *Spec) resolve(name string, value any) (any, error) {
	i := slices.IndexFunc(s.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return nil, s.unknown(name, value)
	}
	p := &s.Params[i]
	v, ok := p.accept(value)
	if !ok {
		e := &ParamError{Param: name, Value: value, Allowed: p.Allowed()}
		if text, isText := value.(string); isText && p.Type == Choice {
			e.Suggestion = Suggest(text, p.Choices)
		}
		return nil, e
	}
	return v, nil
}

func (s *Spec) unknown(name string, value any) error {
	e := &ParamError{Param: name, Value: value, Unknown: true, Allowed: "none, " + s.Name + " has no parameters"}
	if len(s.Params) > 0 {
		names := make([]string, len(s.Params))
		for i, p := range s.Params {
			names[i] = p.Name
		}
		e.Allowed, e.Suggestion = strings.Join(names, ", "), Suggest(name, names)
	}
	return e
}

// accept converts a decoded value to the parameter's Go type, if it has the right type and lies in the range.
func (p *Param) accept(value any) (any, bool) {
	switch p.Type {
	case Float:
		f, ok := toFloat(value)
		return f, ok && f >= p.Min && f <= p.Max
	case Int:
		n, ok := toInt(value)
		return n, ok && float64(n) >= p.Min && float64(n) <= p.Max
	case Bool:
		b, ok := value.(bool)
		return b, ok
	case Choice:
		text, ok := value.(string)
		return text, ok && slices.Contains(p.Choices, text)
	}
	return nil, false
}

func toFloat(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	}
	return 0, false
}

func toInt(value any) (int64, bool) {
	switch v := value.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<53
	}
	return 0, false
}

// Allowed says in words which values the parameter takes.
func (p *Param) Allowed() string {
	switch p.Type {
	case Float:
		return "a number from " + number(p.Min) + " to " + number(p.Max)
	case Int:
		return "a whole number from " + number(p.Min) + " to " + number(p.Max)
	case Bool:
		return "true or false"
	}
	return "one of " + strings.Join(p.Choices, ", ")
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
