package folder

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"mmsim/files"
	"mmsim/reading"
	"mmsim/results"
)

// writeFile creates a file and has it filled through a buffer.
func writeFile(path string, kind files.Kind, fill func(*bufio.Writer) error) error {
	return files.Create(path, kind, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		if err := fill(out); err != nil {
			return err
		}
		return out.Flush()
	})
}

// row is a line of a table of tab-separated values that is being written. It writes without allocating.
type row []byte

func (r *row) text(s string)   { *r = append(append(*r, s...), '\t') }
func (r *row) int(v int)       { r.int64(int64(v)) }
func (r *row) int64(v int64)   { *r = append(strconv.AppendInt(*r, v, 10), '\t') }
func (r *row) float(v float64) { *r = append(strconv.AppendFloat(*r, v, 'g', -1, 64), '\t') }

// seconds writes ns exactly, as seconds with up to nine decimals.
func (r *row) seconds(ns int64) { *r = append(results.AppendSeconds(*r, ns), '\t') }

// end turns the last tab into the line's end, hands the line over and starts the next.
func (r *row) end(out *bufio.Writer) {
	(*r)[len(*r)-1] = '\n'
	out.Write(*r)
	*r = (*r)[:0]
}

// fields reads the columns of one line in turn and keeps the first error.
type fields struct {
	rest   string
	column int
	tables map[string]int    // positions of tables by name
	intern map[string]string // one copy of every text
	err    error
}

func (f *fields) next() string {
	f.column++
	field, rest, _ := strings.Cut(f.rest, "\t")
	f.rest = rest
	return field
}

func (f *fields) fail(err error) {
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("column %d: %w", f.column, err)
	}
}

func (f *fields) text() string { return f.keep(f.next()) }

func (f *fields) keep(s string) string {
	kept, ok := f.intern[s]
	if !ok {
		kept = strings.Clone(s)
		f.intern[kept] = kept
	}
	return kept
}

func (f *fields) int() int { return int(f.int64()) }

func (f *fields) int64() int64 {
	text := f.next()
	v, ok := reading.Whole(text, math.MinInt64, math.MaxInt64)
	if !ok {
		f.fail(fmt.Errorf("%q is not a whole number", text))
	}
	return v
}

func (f *fields) float() float64 {
	text := f.next()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		f.fail(fmt.Errorf("%q is not a number", text))
	}
	return v
}

func (f *fields) seconds() int64 {
	v, err := results.ParseSeconds(f.next())
	f.fail(err)
	return v
}

func (f *fields) server(run *results.Run) int {
	server := f.int()
	if server < 0 || server >= run.Servers {
		f.fail(fmt.Errorf("no server %d: there are %d, from 0", server, run.Servers))
	}
	return server
}

func (f *fields) table() int { return f.position(f.next()) }

func (f *fields) position(table string) int {
	position, ok := f.tables[table]
	if !ok {
		f.fail(fmt.Errorf("no table is called %q", table))
	}
	return position
}

// op reads the name of a maintenance op.
func (f *fields) op() (kind string, table, tablet int) {
	kind, name, tablet, err := results.SplitOpName(f.next())
	if err != nil {
		f.fail(err)
		return "", 0, 0
	}
	return f.keep(kind), f.position(name), tablet
}

// readTable reads a table of tab-separated values under the given header, handing over every line. Lines that begin with # are those in which files says
// that the table is whole.
func readTable(path, header string, run *results.Run, line func(*fields)) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	defer file.Close()
	f := &fields{tables: map[string]int{}, intern: map[string]string{}}
	for i, t := range run.Tables {
		f.tables[t.Name] = i
	}
	in := bufio.NewScanner(files.NewWholeReader(file))
	columns := strings.Count(header, "\t") + 1
	headed := false
	for n := 1; in.Scan(); n++ {
		f.rest, f.column = in.Text(), 0
		if strings.HasPrefix(f.rest, "#") {
			continue
		}
		if !headed {
			if f.rest != header {
				return fmt.Errorf("%s:%d: want the header %q", path, n, header)
			}
			headed = true
			continue
		}
		if got := strings.Count(f.rest, "\t") + 1; got != columns {
			return fmt.Errorf("%s:%d: %d columns, want %d", path, n, got, columns)
		}
		if line(f); f.err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, f.err)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	if !headed {
		return fmt.Errorf("%s: want the header %q", path, header)
	}
	return nil
}
