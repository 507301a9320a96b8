package calibrate

import (
	"fmt"
	"math"
)

// insertPoint is one line of an insert-cost table: means over batches of one size into a tablet of one height.
type insertPoint struct {
	file         string
	line         int
	height, rows float64
	apply        float64 // ns of a batch on the apply thread
	handler      float64 // ns of a batch's handler, without its wait for an apply thread
}

var insertColumns = []string{"height", "batch_rows", "apply_us_per_row", "write_handler_us_per_batch", "apply_queue_us"}

// readInserts reads an insert-cost table.
func readInserts(path string) (points []insertPoint, err error) {
	t, err := readTable(path, insertColumns)
	if err != nil {
		return nil, err
	}
	for _, r := range t.rows {
		p := insertPoint{file: path, line: r.line}
		p.height = r.number("height", 0, 1e6, "a number of rowsets from 0 to 1000000")
		p.rows = r.number("batch_rows", 1, 1e7, "a number of rows from 1 to 10000000")
		p.apply = p.rows * r.micros("apply_us_per_row")
		wait := 1000 * r.number("apply_queue_us", 0, longest, "a number of microseconds, at least 0")
		p.handler = r.micros("write_handler_us_per_batch") - wait
		if *r.err != nil {
			return nil, *r.err
		}
		points = append(points, p)
	}
	return points, nil
}

func (p *insertPoint) point(measured float64, x ...float64) Point {
	return Point{File: p.file, Line: p.line, What: fmt.Sprintf("height %v, %v rows a batch", p.height, p.rows),
		Measured: measured, Use: Fitted, x: x, settings: []float64{p.height, p.rows}}
}

var insertSettings = []string{"rowsets in height", "rows a batch"}

// applyModel is the simulator's apply time of a batch: a bloom lookup a row and rowset over it, whose cost changes with the logarithm of
// the batch's rows between 100 and 1000.
func applyModel(path string, inserts []insertPoint) *model {
	const sizes = "batches of several sizes, at best of 100 rows and of 1000, "
	m := &model{name: "write, apply", source: path, formula: "apply_fixed + rows * (apply_row + height * bloom or bloom_batch, by batch size)", settings: insertSettings,
		terms: []term{
			{"write.apply_fixed", sizes + "at the same heights"},
			{"write.apply_row", sizes + "at the same heights"},
			{"write.bloom", "batches of fewer than 1000 rows at several heights"},
			{"write.bloom_batch", "batches of more than 100 rows at several heights"},
		}}
	for i := range inserts {
		p := &inserts[i]
		batch := min(max(math.Log10(p.rows)-2, 0), 1)
		lookups := p.rows * p.height
		m.points = append(m.points, p.point(p.apply, 1, p.rows, lookups*(1-batch), lookups*batch))
	}
	return m
}

// handlerModel is a write's handler time, whose apply is taken as measured. How much of the fixed part is dispatch can't be seen from outside.
func handlerModel(path string, inserts []insertPoint) *model {
	m := &model{name: "write, handler", source: path, formula: "apply as measured + dispatch + fixed + rows * row", settings: insertSettings,
		terms: []term{
			{"write.dispatch", ""},
			{"write.fixed", "batches of several sizes"},
			{"write.row", "batches of several sizes"},
		}}
	for i := range inserts {
		p := &inserts[i]
		point := p.point(p.handler, 1, 1, p.rows)
		point.known = p.apply
		if p.handler <= p.apply {
			point.Use, point.Why = NotUsed, "the handler's time is not above that of apply and the wait for it"
		}
		m.points = append(m.points, point)
	}
	return m
}
