package kudu

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"mmsim/configs"
)

// LoadTables reads names of tablets from a file; see ReadTables.
func LoadTables(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cause(err))
	}
	defer f.Close()
	return ReadTables(path, f)
}

// ReadTables reads lines of a tablet's id (or other name in a log), a tab, and table/bucket. Empty lines and lines that begin with # are
// left out. Errors of the content are of type *configs.Problem.
func ReadTables(name string, r io.Reader) (map[string]string, error) {
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
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if len(names) == 0 {
		return nil, &configs.Problem{File: name, Allowed: "no tablet in it"}
	}
	return names, nil
}
