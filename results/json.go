package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"mmsim/files"
)

// writeJSON writes v with fields in the order of their type, indented by two blanks, with a newline at the end.
func writeJSON(path string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return files.Create(path, files.JSON, func(w io.Writer) error {
		_, err := b.WriteTo(w)
		return err
	})
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return jsonError(path, data, json.Unmarshal(data, v))
}

// jsonError says in our words where JSON is wrong.
func jsonError(path string, data []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%s:%d: no JSON from here on: was it cut off or changed?", path, 1+bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n")))
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s:%d: %s can't be a %s", path, 1+bytes.Count(data[:min(int(wrong.Offset), len(data))], []byte("\n")), wrong.Field, wrong.Value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
