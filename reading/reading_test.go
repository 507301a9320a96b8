package reading

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

func TestNumbers(t *testing.T) {
	for text, want := range map[string]bool{"0": true, "2.5": true, "10": true, "10.1": false, "-0.1": false, "NaN": false, "Inf": false, "": false, "x": false, "1e400": false} {
		if _, ok := Number(text, 0, 10); ok != want {
			t.Errorf("number %q: %v", text, ok)
		}
	}
	for text, want := range map[string]bool{"0": true, "10": true, "11": false, "-1": false, "2.5": false, "": false, "99999999999999999999": false} {
		if _, ok := Whole(text, 0, 10); ok != want {
			t.Errorf("whole number %q: %v", text, ok)
		}
	}
}

func TestCause(t *testing.T) {
	_, missing := os.Open("none")
	_, noGzip := gzip.NewReader(strings.NewReader("0123456789abcdef"))
	for _, tt := range []struct {
		err  error
		want string
	}{
		{missing, "no such file or directory"},
		{noGzip, "its gzipped data is damaged"},
		{fmt.Errorf("x: %w", io.ErrUnexpectedEOF), "it ends early: is it cut off?"},
		{context.Canceled, "stopped"},
		{errors.New("other"), "other"},
	} {
		if got := Cause(tt.err).Error(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
	if !errors.Is(Cause(context.Canceled), context.Canceled) {
		t.Error("what was stopped is no longer told from a fault")
	}
}

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`<html>`, `1  "": "<html>" cannot stand there`},
		{"{\n\"a\": 1", `2  "": it ends early: is it cut off?`},
		{"", `1  "": it ends early: is it cut off?`},
		{"{\n\"a\": \"x\"}", `2 a "a text": a number`},
		{`{"l": {}}`, `1 l "an object": a list`},
		{`{"n": 1.5}`, `1 n "1.5": a whole number`},
		{"{\"n\": 1", `1  "": it ends early: is it cut off?`},
		{"{\"n\": 1.", `1  "": it ends early: is it cut off?`},
		{"{\"n\": tr", `1  "": it ends early: is it cut off?`},
		{`{"n": "x", "a": []}`, `1 n "a text": a whole number`},
		{`[]`, `1  "": a list stands where an object is wanted`},
		{`{} {}`, `1  "": "{}" cannot stand there`},
	} {
		var v struct {
			A float64 `json:"a"`
			L []int   `json:"l"`
			N int     `json:"n"`
		}
		line, field, value, want := JSON([]byte(tt.text), json.Unmarshal([]byte(tt.text), &v))
		if got := fmt.Sprintf("%d %s %q: %s", line, field, value, want); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestYAML(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a: b: c", "0: mapping values are not allowed in this context"},
		{"a: [", "1: did not find expected node content"},
		{"\na: x", "2: a value of another kind than is wanted there"},
	} {
		var v struct{ A int }
		line, what := YAML(yaml.Unmarshal([]byte(tt.text), &v))
		if got := fmt.Sprintf("%d: %s", line, what); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}
