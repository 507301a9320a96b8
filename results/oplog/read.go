package oplog

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mmsim/files"
	"mmsim/reading"
	"mmsim/results"
)

// Read reads an op log of either form, by the names of its columns: op, chosen_s (or start_s) and, where there are any, ran_s (seconds),
// tablet, reason, inputs, outputs, bytes_written and the others of ops.tsv. An empty cell is not known. Errors name the line.
// A table of mmsim's, as its first line says, must be whole; others may begin with comments with #.
func Read(name string, r io.Reader) (*Log, error) {
	l := &Log{Name: name, Servers: 1}
	err := eachRow(name, files.NewReader(r), func(row tsvRow) error {
		o, err := row.op()
		if err == nil {
			l.Ops = append(l.Ops, o)
			l.Servers = max(l.Servers, o.Server+1)
			l.End = max(l.End, o.Chosen+max(o.Ran, 0))
		}
		return err
	})
	if err == nil && len(l.Ops) == 0 {
		err = fmt.Errorf("%s: no op in it", name)
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.Ops, func(a, b Op) int { return cmp.Compare(a.Chosen, b.Chosen) })
	l.heightsOfOps()
	return l, nil
}

// tsvRow is a line of a table with its header.
type tsvRow struct{ columns, cells []string }

// eachRow hands over every line below the header.
func eachRow(name string, r io.Reader, each func(tsvRow) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	var row tsvRow
	n := 0
	for in.Scan() {
		n++
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		row.cells = strings.Split(strings.TrimSuffix(in.Text(), "\r"), "\t")
		if row.columns == nil {
			row.columns = slices.Clone(row.cells)
			for i, column := range row.columns {
				if ours, ok := measuredColumns[column]; ok {
					row.columns[i] = ours
				}
			}
			continue
		}
		if len(row.cells) != len(row.columns) {
			return fmt.Errorf("%s:%d: %d columns, want %d: is the file cut off?", name, n, len(row.cells), len(row.columns))
		}
		if err := each(row); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := in.Err(); err != nil {
		if _, cut := errors.AsType[*files.CutError](err); cut {
			return fmt.Errorf("%s: %w", name, err)
		}
		return fmt.Errorf("%s:%d: %w", name, n+1, reading.Cause(err))
	}
	return nil
}

// op reads one line of an op log.
func (row tsvRow) op() (Op, error) {
	o := NewOp("", "", noTime)
	var bad error
	for i, column := range row.columns {
		if cell := row.cells[i]; cell != "" {
			if err := o.set(column, cell); err != nil {
				bad = errors.Join(bad, fmt.Errorf("%s: %w", column, err))
			}
		}
	}
	if o.Rule != "" && o.Rule != results.RulePerf {
		o.Score = math.NaN() // ops.tsv has 0 where no policy was asked
	}
	switch {
	case bad != nil:
		return o, bad
	case o.Kind == "":
		return o, errors.New("the op has no name")
	case o.Tablet == "":
		return o, fmt.Errorf("%s has no tablet", o.Kind)
	case o.Chosen == noTime:
		return o, errors.New("the op has no time")
	}
	return o, nil
}

// noTime is the time of an op that has none.
const noTime = math.MinInt64

// set takes over a cell that is not empty. Columns that say nothing about the op itself are passed over.
func (o *Op) set(column, cell string) (err error) {
	switch column {
	case "server":
		o.Server, err = wholeCell(cell, maxServers)
		return err
	case "op":
		o.setName(cell)
	case "tablet":
		o.Tablet = cell
	case "leader":
		o.Role = cell
	case "chosen_s":
		o.Chosen, err = results.ParseSeconds(cell)
	case "ran_s":
		if cell == "unfinished" {
			return nil
		}
		if o.Ran, err = results.ParseSeconds(cell); err == nil && o.Ran < 0 {
			err = fmt.Errorf("%q is below 0", cell)
		}
	case "reason":
		o.SetReason(cell)
	case "rule":
		o.Rule = results.Rule(cell)
	}
	if f := o.float(column); f != nil {
		*f, err = numberCell(cell)
	} else if n := o.count(column); n != nil {
		*n, err = wholeCell(cell, int64(maxBytes))
	} else if n := o.rowsets(column); n != nil {
		*n, err = wholeCell(cell, maxRowsets)
	}
	return err
}

// Limits of what an op log may hold.
const (
	maxServers       = 1_000_000
	maxRowsets       = math.MaxInt32
	maxBytes   int64 = 1e18
	maxScore         = 1e18
)

func numberCell(cell string) (float64, error) {
	v, ok := reading.Number(cell, -maxScore, maxScore)
	if !ok {
		return 0, fmt.Errorf("%q is not a number from %g to %g", cell, -float64(maxScore), float64(maxScore))
	}
	return v, nil
}

func wholeCell[T int | int64](cell string, most T) (T, error) {
	v, ok := reading.Whole(cell, 0, int64(most))
	if !ok {
		return 0, fmt.Errorf("%q is not a whole number from 0 to %d", cell, most)
	}
	return T(v), nil
}
