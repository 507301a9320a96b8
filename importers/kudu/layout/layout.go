// Package layout reads the layout of a tablet's disk rowsets, from a file or from the page that shows it, and works out what each weighs and where it lies.
package layout

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"mmsim/configs"
	"mmsim/reading"
)

// Rowset is one disk rowset of a tablet's layout.
type Rowset struct {
	Weight   int64  // bytes as the compaction policy weighs it
	Full     int64  // bytes of the whole rowset on disk
	Min, Max string // smallest and largest key; any bytes
}

// Limits of a layout. A tablet of 100,000 rowsets would hold 3 TB in Kudu, which advises 50 GB.
const (
	maxRowsets = 100_000
	maxLine    = 64 << 10 // bytes; Kudu refuses keys above 16 KiB
	maxMB      = 1e9      // of one rowset
	mebibyte   = 1 << 20
)

// Load reads a tablet's layout from a file, one rowset a line, in columns with a tab between them: size in MB (2^20 bytes) as the
// compaction policy weighs it, with or without a fraction; smallest key; largest key; and, if known, the whole size in
// bytes, which otherwise is taken to be the first column's. In keys \x and two digits are a byte, as Kudu's pages print keys that are not
// text. Empty lines and lines that begin with # are left out.
//
// Errors of the content are of type *configs.Problem, under the file's name. Reading stops at the first.
func Load(path string) ([]Rowset, error) {
	f, err := reading.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	return read(path, f)
}

func read(name string, r io.Reader) ([]Rowset, error) {
	var rowsets []Rowset
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		text := lines.Text()
		if text == "" || text[0] == '#' {
			continue
		}
		if len(rowsets) == maxRowsets {
			return nil, &configs.Problem{File: name, Line: n, Allowed: fmt.Sprintf("more than %d rowsets, which no tablet has", maxRowsets)}
		}
		rowset, p := parseRowset(text)
		if p != nil {
			p.File, p.Line = name, n
			return nil, p
		}
		rowsets = append(rowsets, rowset)
	}
	err := lines.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &configs.Problem{File: name, Line: n + 1, Allowed: fmt.Sprintf("the line is longer than %d bytes", maxLine)}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, reading.Cause(err))
	case len(rowsets) == 0:
		return nil, &configs.Problem{File: name, Allowed: "no rowset in it"}
	}
	return rowsets, nil
}

// columns names the fields of a line.
var columns = []string{"size", "min key", "max key", "full size"}

func parseRowset(line string) (Rowset, *configs.Problem) {
	fields := strings.Split(line, "\t")
	if len(fields) > len(columns) {
		return Rowset{}, refuse("columns", strconv.Itoa(len(fields)), "3 or 4")
	}
	for i, name := range columns {
		switch {
		case i >= len(fields) || fields[i] == "":
			if i < 3 {
				return Rowset{}, refuse(name, "", wanted(i))
			}
		case strings.ContainsRune(fields[i], 0):
			return Rowset{}, refuse(name, fields[i], "free of NUL bytes, which are written \\x00")
		}
	}
	mb, err := strconv.ParseFloat(fields[0], 64)
	if err != nil || !(0 <= mb && mb <= maxMB) {
		return Rowset{}, refuse(columns[0], fields[0], wanted(0))
	}
	weight := int64(math.Round(mb * mebibyte))
	full := weight
	if len(fields) == 4 && fields[3] != "" {
		full, err = strconv.ParseInt(fields[3], 10, 64)
		if err != nil || full < 0 || full > maxMB*mebibyte {
			return Rowset{}, refuse(columns[3], fields[3], wanted(3))
		}
	}
	smallest, largest := unescaped(fields[1]), unescaped(fields[2])
	if smallest > largest {
		return Rowset{}, refuse(columns[1], fields[1], fmt.Sprintf("at or below the max key, %q", shortened(fields[2])))
	}
	return Rowset{Weight: weight, Full: full, Min: smallest, Max: largest}, nil
}

func refuse(field, value, allowed string) *configs.Problem {
	return &configs.Problem{Field: field, Value: value, Allowed: allowed}
}

// wanted says what a column may hold.
func wanted(column int) string {
	switch column {
	case 0:
		return fmt.Sprintf("a number of MB from 0 to %.0f", maxMB)
	case 3:
		return fmt.Sprintf("a whole number of bytes from 0 to %.0f", maxMB*mebibyte)
	}
	return "a key, with a tab before it"
}

// shortened cuts off the end of a long key.
func shortened(key string) string {
	const longest = 80
	if len(key) > longest {
		return key[:longest] + "..."
	}
	return key
}
