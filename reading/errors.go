package reading

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Cause says what went wrong with a file, without the file's name, which is for the caller to say.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	var corrupt flate.CorruptInputError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return &plain{"its gzipped data is damaged", err}
	case errors.Is(err, tar.ErrHeader):
		return &plain{"no tar archive, or a damaged one", err}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &plain{"it ends early: is it cut off?", err}
	case errors.Is(err, bufio.ErrTooLong):
		return &plain{"a line is too long", err}
	case errors.Is(err, context.Canceled):
		return &plain{"stopped", err}
	}
	return err
}

// plain is an error in plain words, which still is the one that it words.
type plain struct {
	text string
	error
}

func (p *plain) Error() string { return p.text }
func (p *plain) Unwrap() error { return p.error }

// Open opens a file to be read, which a folder can't be. Its errors leave the file's name to the caller.
func Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Cause(err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, errors.New("a directory, not a file")
	}
	return f, nil
}

// JSON says where data is no JSON of the form wanted, from line 1 on, and what is wrong. field and value are empty where it is not a field that is.
func JSON(data []byte, err error) (line int, field, value, want string) {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	lineAt := func(offset int64) int { return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n")) }
	switch {
	case errors.As(err, &kind):
		value, want = typeInJSON(kind.Value), kindOf(kind.Type)
		if kind.Field == "" {
			return lineAt(kind.Offset), "", "", value + " stands where " + want + " is wanted"
		}
		return lineAt(kind.Offset), fieldInJSON(kind.Field), value, want
	case !errors.As(err, &syntax):
		return 1, "", "", Cause(err).Error()
	case cutJSON(data, syntax):
		return lineAt(syntax.Offset), "", "", "it ends early: is it cut off?"
	}
	at := max(int(syntax.Offset)-1, 0)
	rest, _, _ := bytes.Cut(data[at:min(at+20, len(data))], []byte("\n"))
	return lineAt(syntax.Offset), "", "", fmt.Sprintf("%q cannot stand there", rest)
}

// cutJSON says whether data only ends too early: encoding/json takes what ends within a number or word to be followed by a blank.
func cutJSON(data []byte, err *json.SyntaxError) bool {
	return int(err.Offset) >= len(data) && (strings.Contains(err.Error(), "end of JSON") || strings.Contains(err.Error(), "' '") && !bytes.HasSuffix(data, []byte(" ")))
}

// fieldInJSON is a path without the Go types that are embedded on its way.
func fieldInJSON(path string) string {
	steps := slices.DeleteFunc(strings.Split(path, "."), func(step string) bool { return step != "" && unicode.IsUpper(rune(step[0])) })
	return strings.Join(steps, ".")
}

// typeInJSON words what encoding/json calls number 5, string, bool, array or object.
func typeInJSON(value string) string {
	switch kind, number, _ := strings.Cut(value, " "); {
	case number != "":
		return number
	case kind == "number":
		return "a number"
	case kind == "string":
		return "a text"
	case kind == "bool":
		return "true or false"
	case kind == "array":
		return "a list"
	}
	return "an object"
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	}
	return "a whole number"
}

var yamlFault = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\s*)?(?:line (\d+): )?(.*)`)

// YAML says in which line text is no YAML, 0 if that is not known, and why.
func YAML(err error) (line int, what string) {
	m := yamlFault.FindStringSubmatch(err.Error())
	line, _ = strconv.Atoi(m[1])
	if what, _, found := strings.Cut(m[2], " into "); found && strings.HasPrefix(what, "cannot unmarshal ") {
		return line, "a value of another kind than is wanted there"
	}
	return line, m[2]
}
