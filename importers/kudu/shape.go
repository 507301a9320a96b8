package kudu

import (
	"math"
	"strings"

	"mmsim/importers/kudu/pages"
)

// shape is a row of a table.
type shape struct {
	known       bool    // worked out from the pages
	exact       bool    // from tablets with no rows in memory
	perRow      float64 // bytes of base data and REDO
	fields      int
	fieldLength int
	keyLength   int
}

// costs are those of the machine that the experiment names, in bytes a row.
type costs struct {
	diskRow float64 // beyond key and fields
	fullRow float64 // of bloom filter, index and UNDO
	memRow  float64 // of a MemRowSet beyond key and fields
	memOver float64 // of a MemRowSet, not of its rows
	chunk   float64 // by which it grows
	fixed   float64 // of a rowset, not of a row
	shrunk  bool    // diskRow is not the machine's
}

// emptyMemRowset is above the size of a MemRowSet without rows, 265 B in 1.18.
const emptyMemRowset = 1024

// memRows estimates the rows in a tablet's MemRowSet: what is not on disk of the rows there are, as far as its memory allows. Of that the last
// chunk may be empty or full, and up to one chunk it doubles.
func (s *shape) memRows(t *pages.Tablet, c costs) int64 {
	size := t.Value("memrowset_size")
	if size < emptyMemRowset {
		return 0
	}
	row := c.memRow + max(s.perRow-c.diskRow, 1)
	room := max(size-c.memOver, row)
	most, spare := room/row, min(c.chunk, room/2)/row
	rows := most - spare/2
	if live := t.Value("live_row_count"); live > 0 && s.exact {
		rows = min(max(live-c.data(t)/s.perRow, most-spare), most)
	} else if live > 0 {
		rows = min(rows, live)
	}
	return int64(math.Round(rows))
}

// data is the bytes of a tablet's disk rowsets without what each takes for itself.
func (c costs) data(t *pages.Tablet) float64 {
	size := t.Value("on_disk_data_size")
	return size - min(c.fixed*float64(len(t.Layout.Bars)), size/20)
}

// measure works out the shape of a table's rows: best from tablets whose rows are all on disk.
func (t *tableState) measure(c costs, n *pages.Notes) {
	s := &t.shape
	s.fields, s.fieldLength, s.keyLength = 10, 100, 23
	s.perRow = float64(s.fields*s.fieldLength+s.keyLength) + c.diskRow
	if s.known, s.exact = true, true; !t.weigh(func(tablet *pages.Tablet) float64 {
		if tablet.Value("memrowset_size") >= emptyMemRowset {
			return 0
		}
		return tablet.Value("live_row_count")
	}, c) {
		s.exact = false
		live := func(tablet *pages.Tablet) float64 { return tablet.Value("live_row_count") }
		onDisk := func(tablet *pages.Tablet) float64 {
			return tablet.Value("live_row_count") - float64(s.memRows(tablet, c))
		}
		s.known = t.weigh(live, c) && t.weigh(onDisk, c)
	}
	if !s.known {
		return
	}
	if page := t.tablets[0].Page; page != nil && len(page.Columns) > 0 {
		s.fields = 0
		for _, column := range page.Columns {
			if !column.Key {
				s.fields++
			}
		}
	}
	s.keyLength = t.keyLength()
}

// weigh sets the bytes of a row by the tablets of which rows are known; it can't if there is none.
func (t *tableState) weigh(known func(*pages.Tablet) float64, c costs) bool {
	rows, bytes := 0.0, 0.0
	for _, tablet := range t.tablets {
		if n := known(tablet); n > 0 && len(tablet.Layout.Bars) > 0 && c.data(tablet) > 0 {
			rows, bytes = rows+n, bytes+c.data(tablet)
		}
	}
	if rows == 0 {
		return false
	}
	t.shape.perRow = bytes / rows
	return true
}

// part shares a row's bytes out among its fields; the key takes what is left over.
func (s *shape) part(raw float64) {
	s.fields = min(max(s.fields, 1), 300)
	fields := float64(s.fields)
	length := math.Round((raw - float64(s.keyLength)) / fields)
	if raw-length*fields < 1 {
		length--
	}
	s.fieldLength = int(min(max(length, 0), 64<<10))
	s.keyLength = int(min(max(math.Round(raw-float64(s.fieldLength)*fields), 1), 16<<10))
}

// keyLength is the mean length of the keys shown, or a guess from the types of key columns.
func (t *tableState) keyLength() int {
	if t.ycsb {
		return 23
	}
	sum, n := 0, 0
	for _, tablet := range t.tablets {
		for _, b := range tablet.Layout.Bars {
			if b.Min != "" {
				sum, n = sum+len(b.Min)+len(b.Max), n+2
			}
		}
	}
	if n > 0 {
		return max(1, (sum+n/2)/n)
	}
	page := t.tablets[0].Page
	if page == nil {
		return 16
	}
	for _, column := range page.Columns {
		if column.Key {
			sum += keyBytes(column.Type)
		}
	}
	return max(1, sum)
}

// keySizes are what columns take in a key, by type.
var keySizes = map[string]int{"BOOL": 1, "INT8": 1, "INT16": 2, "INT32": 4, "DATE": 4, "INT64": 8, "UNIXTIME_MICROS": 8}

// keyBytes is what a column of a type takes in a key; 16 is a guess for text.
func keyBytes(kind string) int {
	name, _, _ := strings.Cut(kind, " ")
	if size, ok := keySizes[name]; ok {
		return size
	}
	return 16
}
