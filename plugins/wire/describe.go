package wire

import "mmsim/policies"

// Describe puts a policy's specification into words for the other side.
func Describe(s *policies.Spec) *Description {
	d := &Description{
		Name: s.Name, Version: s.Version, Summary: s.Summary,
		Columns: uint32(s.Columns), RanksEverything: s.RanksEverything, Build: ThisBuild(),
	}
	for _, p := range s.Params {
		d.Params = append(d.Params, &Param{
			Name: p.Name, Type: string(p.Type), Default: toValue(p.Default),
			Min: p.Min, Max: p.Max, Choices: p.Choices, Help: p.Help,
		})
	}
	return d
}

// Spec is the specification that Describe was given, without New and not yet validated.
func (d *Description) Spec() policies.Spec {
	s := policies.Spec{
		Name: d.Name, Version: d.Version, Summary: d.Summary,
		Columns: policies.Column(d.Columns), RanksEverything: d.RanksEverything,
	}
	for _, p := range d.Params {
		s.Params = append(s.Params, policies.Param{
			Name: p.Name, Type: policies.ParamType(p.Type), Default: p.Default.plain(),
			Min: p.Min, Max: p.Max, Choices: p.Choices, Help: p.Help,
		})
	}
	return s
}

// Configure packs the value of every declared parameter, in the order they are declared.
func Configure(params []policies.Param, v policies.Values) *Configuration {
	c := &Configuration{}
	for _, p := range params {
		c.Settings = append(c.Settings, &Setting{Name: p.Name, Value: toValue(v[p.Name])})
	}
	return c
}

// Params gives the settings as policies.Spec.Resolve takes them.
func (c *Configuration) Params() map[string]any {
	params := make(map[string]any, len(c.Settings))
	for _, s := range c.Settings {
		params[s.Name] = s.Value.plain()
	}
	return params
}

// toValue packs a float64, int64, bool or string; anything else becomes an empty value, which no parameter accepts.
func toValue(v any) *Value {
	switch v := v.(type) {
	case float64:
		return &Value{Kind: &Value_Number{Number: v}}
	case int64:
		return &Value{Kind: &Value_Whole{Whole: v}}
	case bool:
		return &Value{Kind: &Value_Flag{Flag: v}}
	case string:
		return &Value{Kind: &Value_Text{Text: v}}
	}
	return &Value{}
}

func (v *Value) plain() any {
	switch k := v.GetKind().(type) {
	case *Value_Number:
		return k.Number
	case *Value_Whole:
		return k.Whole
	case *Value_Flag:
		return k.Flag
	case *Value_Text:
		return k.Text
	}
	return nil
}
