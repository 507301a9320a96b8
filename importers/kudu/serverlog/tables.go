package serverlog

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"mmsim/configs"
	"mmsim/reading"
)

// LoadTables reads names of tablets, as table/bucket by id, from a file: an experiment that was imported, or lines of a tablet's id (or other name in a
// log), a tab, and table/bucket. Errors of the content are of type *configs.Problem.
func LoadTables(path string) (map[string]string, error) {
	f, err := reading.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	return readTables(path, text)
}

func readTables(name string, text []byte) (map[string]string, error) {
	if bytes.Contains(text, []byte("\ninitial:")) {
		return importedTables(name, text)
	}
	return tableLines(name, bytes.NewReader(text))
}

// tabletID is the form of a tablet's id.
var tabletID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// importedTables takes the names from the comments of an imported experiment, which begin with a tablet's id.
func importedTables(name string, text []byte) (map[string]string, error) {
	var e struct {
		Initial []struct {
			Table  string
			Tablet yaml.Node
		}
	}
	if err := yaml.Unmarshal(text, &e); err != nil {
		line, what := reading.YAML(err)
		return nil, &configs.Problem{File: name, Line: line, Allowed: "not an imported experiment: " + what}
	}
	names := map[string]string{}
	for i := range e.Initial {
		n := &e.Initial[i]
		if id, _, _ := strings.Cut(strings.TrimLeft(n.Tablet.LineComment, "# "), ","); tabletID.MatchString(id) {
			names[id] = n.Table + "/" + n.Tablet.Value
		}
	}
	if len(names) == 0 {
		return nil, &configs.Problem{File: name, Allowed: "no tablet has its id beside it in a comment, as in an imported experiment"}
	}
	return names, nil
}

// tableLines reads lines of an id, a tab, and table/bucket. Empty lines and lines that begin with # are left out.
func tableLines(name string, r io.Reader) (map[string]string, error) {
	names, lineOf := map[string]string{}, map[string]int{}
	in := bufio.NewScanner(r)
	n := 0
	for in.Scan() {
		n++
		text := strings.TrimSuffix(in.Text(), "\r")
		if text == "" || text[0] == '#' {
			continue
		}
		refuse := func(format string, args ...any) (map[string]string, error) {
			return nil, &configs.Problem{File: name, Line: n, Allowed: fmt.Sprintf(format, args...)}
		}
		id, tablet, _ := strings.Cut(text, "\t")
		table, bucket, ok := strings.Cut(tablet, "/")
		switch {
		case id == "" || !ok || table == "" || bucket == "" || strings.Contains(tablet, "\t"):
			return refuse("want a tablet's id, a tab and table/bucket, not %.80q", text)
		case names[id] != "":
			return refuse("%s has a name already, in line %d", id, lineOf[id])
		case lineOf["\t"+tablet] != 0:
			return refuse("%s is the name of another tablet already, in line %d", tablet, lineOf["\t"+tablet])
		}
		names[id], lineOf[id], lineOf["\t"+tablet] = tablet, n, n
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, reading.Cause(err))
	}
	if len(names) == 0 {
		return nil, &configs.Problem{File: name, Allowed: "no tablet in it"}
	}
	return names, nil
}
