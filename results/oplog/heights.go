package oplog

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"mmsim/reading"
	"mmsim/results"
)

// HeightLine is the average rowset height of a tablet, or the mean over a table's tablets: Height[i] holds from At[i] on.
type HeightLine struct {
	Name   string
	At     []int64 // ns
	Height []float64
}

// Reached is when the height was first at most so high.
func (h *HeightLine) Reached(most float64) (at int64, ok bool) {
	for i, height := range h.Height {
		if height <= most {
			return h.At[i], true
		}
	}
	return 0, false
}

func (h *HeightLine) add(at int64, height float64) {
	h.At, h.Height = append(h.At, at), append(h.Height, height)
}

// heightsOfOps takes the heights of tablets from what the ops found and left, and those of tables from them if nothing better is known.
// With several servers a tablet has a height on each, so none is taken.
func (l *Log) heightsOfOps() {
	if l.Servers > 1 {
		return
	}
	lines := map[string]*HeightLine{}
	for i := range l.Ops {
		o := &l.Ops[i]
		if math.IsNaN(o.HeightBefore) {
			continue
		}
		line := lines[o.Tablet]
		if line == nil {
			line = &HeightLine{Name: o.Tablet}
			line.add(l.Ops[0].Chosen, o.HeightBefore)
			lines[o.Tablet] = line
		}
		if o.Ran >= 0 && !math.IsNaN(o.HeightAfter) {
			line.add(o.Chosen+o.Ran, o.HeightAfter)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		line := lines[name]
		line.sort()
		l.Tablets = append(l.Tablets, *line)
	}
	if l.Tables == nil {
		l.Tables = means(l.Tablets)
	}
}

// sort puts the heights in the order of time: where several threads work on a tablet, ops end in another order than they begin.
func (h *HeightLine) sort() {
	order := make([]int, len(h.At))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.At[a], h.At[b]) })
	sorted := HeightLine{Name: h.Name}
	for _, i := range order {
		sorted.add(h.At[i], h.Height[i])
	}
	*h = sorted
}

// means gives the mean height of the tablets of each table.
func means(tablets []HeightLine) (tables []HeightLine) {
	byTable := map[string][]*HeightLine{}
	for i := range tablets {
		if table := TableOf(tablets[i].Name); table != "" {
			byTable[table] = append(byTable[table], &tablets[i])
		}
	}
	for _, table := range slices.Sorted(maps.Keys(byTable)) {
		tables = append(tables, mean(table, byTable[table]))
	}
	return tables
}

// mean walks through all changes in the order of time and keeps the sum. It begins when every height is known.
func mean(name string, lines []*HeightLine) HeightLine {
	type change struct {
		at     int64
		line   int
		height float64
	}
	var changes []change
	for i, line := range lines {
		for k := range line.At {
			changes = append(changes, change{line.At[k], i, line.Height[k]})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	out, now, known := HeightLine{Name: name}, make([]float64, len(lines)), 0
	for i := range now {
		now[i] = math.NaN()
	}
	for i, c := range changes {
		if math.IsNaN(now[c.line]) {
			known++
		}
		now[c.line] = c.height
		if known < len(lines) || i+1 < len(changes) && changes[i+1].at == c.at {
			continue
		}
		sum := 0.0
		for _, height := range now {
			sum += height
		}
		out.add(c.at, sum/float64(len(lines)))
	}
	return out
}

// ReadHeights reads the heights of tablets over time: a column t_s, then one a tablet. They take the place of what ops tell.
func (l *Log) ReadHeights(name string, r io.Reader) error {
	var lines []HeightLine
	before := int64(math.MinInt64)
	err := eachRow(name, r, func(row tsvRow) error {
		if row.columns[0] != "t_s" {
			return fmt.Errorf("the first column is %q, want t_s", row.columns[0])
		}
		at, err := results.ParseSeconds(row.cells[0])
		if err != nil {
			return fmt.Errorf("t_s: %w", err)
		}
		if lines == nil {
			for _, tablet := range row.columns[1:] {
				lines = append(lines, HeightLine{Name: tablet})
			}
		}
		if at < before {
			return fmt.Errorf("t_s: %q goes back", row.cells[0])
		}
		before = at
		for i, cell := range row.cells[1:] {
			height, ok := reading.Number(cell, 0, 1e6)
			if !ok {
				return fmt.Errorf("height of %s: %q is not a number from 0 to 1e6", lines[i].Name, cell)
			}
			lines[i].add(at, height)
		}
		l.End = max(l.End, at)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(lines, func(a, b HeightLine) int { return cmp.Compare(a.Name, b.Name) })
	l.Tablets, l.Tables = lines, means(lines)
	return nil
}
