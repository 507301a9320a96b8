package configs

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// parseScalar reads text into v, whose kind must be one of those that nounOf names.
func parseScalar(text string, v reflect.Value) error {
	switch p := v.Addr().Interface().(type) {
	case *Bytes:
		return parseInto(p, text, ParseBytes)
	case *Duration:
		return parseInto(p, text, ParseDuration)
	case *Rate:
		return parseInto(p, text, ParseRate)
	case *Bandwidth:
		return parseInto(p, text, ParseBandwidth)
	case *float64:
		return parseInto(p, text, parseFloat)
	case *string:
		*p = text
		return nil
	}
	digits := strings.ReplaceAll(text, "_", "")
	switch v.Kind() {
	case reflect.Bool:
		on := text == "true" || text == "on"
		if !on && text != "false" && text != "off" {
			return fmt.Errorf("%q is not true or false, on or off", text)
		}
		v.SetBool(on)
		return nil
	case reflect.Uint64:
		n, err := strconv.ParseUint(digits, 10, 64)
		v.SetUint(n)
		return err
	default:
		n, err := strconv.ParseInt(digits, 10, v.Type().Bits())
		v.SetInt(n)
		return err
	}
}

func parseInto[T any](p *T, text string, parse func(string) (T, error)) error {
	value, err := parse(text)
	*p = value
	return err
}

// number gives a scalar's value for comparing with its limits.
func number(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return v.Float()
}

// isNumber tells scalars that have limits.
func isNumber(t reflect.Type) bool { return t.Kind() != reflect.String && t.Kind() != reflect.Bool }

// within checks a number against its key's limits. Without a limit below, numbers are not negative.
func (k Key) within(v reflect.Value) bool {
	low, high := k.limits()
	bound := reflect.New(v.Type()).Elem()
	if low != "" && parseScalar(low, bound) == nil && number(v) < number(bound) || low == "" && number(v) < 0 {
		return false
	}
	return high == "" || parseScalar(high, bound) != nil || number(v) <= number(bound)
}

// nounOf says what a value of a type is and how it is written.
func nounOf(t reflect.Type) (noun, notation string) {
	switch t {
	case reflect.TypeFor[Bytes]():
		return "a size", "a number with a unit: B, kB, MB, GB, TB, KiB, MiB, GiB or TiB"
	case reflect.TypeFor[Duration]():
		return "a duration", "a number with a unit: ns, us, ms, s, m, h or d"
	case reflect.TypeFor[Rate]():
		return "a rate", "a number, also with a unit: ops/s, scans/s, rows/s, k ops/s"
	case reflect.TypeFor[Bandwidth]():
		return "a bandwidth", "a size with /s: 500MB/s"
	case reflect.TypeFor[Machine]():
		return "a machine", "a name, a path or a mapping"
	}
	switch t.Kind() {
	case reflect.Float64:
		return "a number", ""
	case reflect.Bool:
		return "true or false (also on or off)", ""
	case reflect.String:
		return "a text", ""
	case reflect.Slice:
		return "a list", ""
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "a mapping", ""
	}
	return "a whole number", ""
}

// allowed says in words what a key of type t takes.
func (k Key) allowed(t reflect.Type) string {
	if words := k.words(); words != nil && t.Kind() == reflect.String {
		if len(words) == 1 {
			return words[0]
		}
		return "one of " + strings.Join(words, ", ")
	}
	noun, notation := nounOf(t)
	if r := k.rangeText(t); r != "" && (k.Want != "" || notation == "") { // a unit says "not below 0" well enough
		noun += " " + r
	}
	if notation != "" {
		noun += " (" + notation + ")"
	}
	return noun
}

// rangeText says in words which numbers a key takes.
func (k Key) rangeText(t reflect.Type) string {
	low, high := k.limits()
	switch {
	case !isNumber(t) || t.Kind() >= reflect.Array:
		return ""
	case low == "":
		return "of at least 0"
	case high == "":
		return "of at least " + low
	}
	return "from " + low + " to " + high
}

// switches are what other formats call on and off.
var switches = map[string]string{"yes": "on", "y": "on", "1": "on", "true": "on", "on": "on", "enabled": "on",
	"no": "off", "n": "off", "0": "off", "false": "off", "off": "off", "disabled": "off"}

// suggestion guesses what was meant by a scalar that could not be read.
func (k Key) suggestion(text string, t reflect.Type) string {
	if words := k.words(); words != nil {
		return nearest(text, words)
	}
	if t.Kind() == reflect.Bool {
		return switches[strings.ToLower(text)]
	}
	switch t {
	case reflect.TypeFor[Bytes]():
		return nearestUnit(text, k.usualUnit(t), byteUnits)
	case reflect.TypeFor[Bandwidth]():
		if size := nearestUnit(strings.TrimSuffix(text, "/s"), "MB", byteUnits); size != "" {
			return size + "/s"
		}
		return ""
	case reflect.TypeFor[Duration]():
		return nearestUnit(text, k.usualUnit(t), timeUnits)
	}
	if f, err := parseFloat(text); err == nil && f == math.Trunc(f) && f > 0 && f < 1e15 { // 1e6 where 1000000 is wanted
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return ""
}

// usualUnit is the unit in which Kudu's flag counts, or one that fits the key.
func (k Key) usualUnit(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Bytes]() && (strings.HasSuffix(k.Flag, "length") || strings.HasPrefix(k.Path, "machine.store") || k.Path == "tables[].record.key_length"):
		return "B"
	case t == reflect.TypeFor[Bytes]():
		return "MiB"
	case strings.HasSuffix(k.Flag, "_ms"):
		return "ms"
	case strings.HasPrefix(k.Path, "machine."):
		return "us"
	}
	return "s"
}

// nearestUnit completes a number without unit, or replaces a unit of the wrong case or cut short.
func nearestUnit(text, usual string, units []unit) string {
	m := quantity.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	given := strings.ToLower(m[2])
	if given == "" {
		return m[1] + usual
	}
	for _, exact := range []bool{true, false} {
		for _, u := range units {
			name := strings.ToLower(u.name)
			if name == given || !exact && (strings.HasPrefix(given, name) || strings.HasPrefix(name, given)) {
				return m[1] + u.name
			}
		}
	}
	return ""
}
