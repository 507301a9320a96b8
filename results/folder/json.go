package folder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"mmsim/files"
	"mmsim/reading"
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
		return fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	return jsonError(path, data, json.Unmarshal(data, v))
}

// jsonError says in our words where JSON is wrong.
func jsonError(path string, data []byte, err error) error {
	if err != nil {
		line, field, value, want := reading.JSON(data, err)
		if field != "" {
			want = fmt.Sprintf("%s: %q is not %s", field, value, want)
		}
		return fmt.Errorf("%s:%d: %s", path, line, want)
	}
	return nil
}
