package calibrate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"regexp"
	"strings"

	"mmsim/configs"
	"mmsim/files"
	"mmsim/reading"
)

const maxFileSize = 1 << 28 // bytes; far above any series of measurements

// table is a file of tab-separated values under a header. Empty lines and lines that begin with # are left out.
type table struct {
	file    string
	columns map[string]int
	form    int // which of the forms it may have it is closest to
	rows    []tableRow
	sum     [sha256.Size]byte // of the text
}

// tableRow is one line, whose cells are read one by one; the first that is wrong stays in the table's error.
type tableRow struct {
	*table
	line  int
	cells []string
	err   *error
}

// readTable reads a file that must have the columns of one of the forms, and may have others.
func readTable(path string, forms ...[]string) (*table, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	t := &table{file: path, sum: sha256.Sum256([]byte(text))}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if t.columns == nil {
			if err := t.header(i+1, cells, forms); err != nil {
				return nil, err
			}
			continue
		}
		if len(cells) != len(t.columns) {
			return nil, &configs.Problem{File: path, Line: i + 1, Allowed: fmt.Sprintf("%d columns, want %d as in the header", len(cells), len(t.columns))}
		}
		t.rows = append(t.rows, tableRow{t, i + 1, cells, new(error)})
	}
	if len(t.rows) == 0 {
		return nil, &configs.Problem{File: path, Allowed: "empty: want a header with columns " + strings.Join(forms[t.form], ", ") + " and a line for each measured point, with tabs between"}
	}
	return t, nil
}

func readText(path string) (string, error) {
	f, err := reading.Open(path)
	if err != nil {
		return "", &configs.Problem{File: path, Allowed: err.Error()}
	}
	defer f.Close()
	limited := &io.LimitedReader{R: f, N: maxFileSize + 1}
	data, err := io.ReadAll(files.NewReader(limited))
	switch {
	case err != nil && limited.N > 0:
		return "", &configs.Problem{File: path, Allowed: reading.Cause(err).Error()}
	case limited.N == 0:
		return "", &configs.Problem{File: path, Allowed: fmt.Sprintf("larger than %v", configs.Bytes(maxFileSize))}
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		return "", &configs.Problem{File: path, Line: 1, Allowed: "gzipped: want plain text with tabs between columns; unpack it first, or if it is a server's log, make an op log of it with mmsim import kudu-log"}
	case bytes.IndexByte(data, 0) >= 0:
		return "", &configs.Problem{File: path, Line: 1 + bytes.Count(data[:bytes.IndexByte(data, 0)], []byte("\n")), Allowed: "not text: it holds a NUL byte"}
	}
	return string(data), nil
}

// serverLog is how the log of a tablet server begins, with or without its head.
var serverLog = regexp.MustCompile(`^(Log file created at: |[IWEF]\d{4,8} \d\d:)`)

func (t *table) header(line int, cells []string, forms [][]string) error {
	if serverLog.MatchString(cells[0]) {
		return &configs.Problem{File: t.file, Line: line, Allowed: "a server's log: mmsim import kudu-log makes an op log of it"}
	}
	t.columns = map[string]int{}
	for i, name := range cells {
		if _, twice := t.columns[name]; twice {
			return &configs.Problem{File: t.file, Line: line, Field: "header", Value: name, Allowed: "a column of its own: it stands there twice"}
		}
		t.columns[name] = i
	}
	var missing []string
	for i, form := range forms {
		if lacks := t.lacks(form); i == 0 || len(lacks) < len(missing) {
			t.form, missing = i, lacks
		}
	}
	if len(missing) > 0 {
		return &configs.Problem{File: t.file, Line: line, Field: "column " + missing[0], Allowed: "columns " + strings.Join(forms[t.form], ", ")}
	}
	return nil
}

func (t *table) lacks(columns []string) (missing []string) {
	for _, name := range columns {
		if !t.has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

func (t *table) has(column string) bool {
	_, ok := t.columns[column]
	return ok
}

func (r tableRow) text(column string) string { return r.cells[r.columns[column]] }

// number reads a cell that must lie between low and high, both allowed.
func (r tableRow) number(column string, low, high float64, what string) float64 {
	v, ok := reading.Number(r.text(column), low, high)
	if !ok {
		r.refuse(column, what)
		return low
	}
	return v
}

// Limits of times, in us: what no clock can tell, and eleven days.
const (
	shortest = 1e-3
	longest  = 1e12
)

// micros reads a time in microseconds, above 0, as ns.
func (r tableRow) micros(column string) float64 {
	return 1000 * r.number(column, shortest, longest, "a number of microseconds from 0.001 to 1e12")
}

func (r tableRow) refuse(column, allowed string) {
	if *r.err == nil {
		*r.err = &configs.Problem{File: r.file, Line: r.line, Field: column, Value: r.text(column), Allowed: allowed}
	}
}
