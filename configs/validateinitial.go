package configs

import (
	"fmt"
	"regexp"
	"strconv"

	"mmsim/axis"
)

func (c *checker) initial() {
	type place struct {
		table  string
		tablet int
	}
	seen := map[place]string{}
	for i := range c.e.Initial {
		n, path := &c.e.Initial[i], fmt.Sprintf("initial[%d]", i)
		if !c.known(path+".table", n.Table, "table", "tables", c.tableNames()) {
			continue
		}
		t := c.e.table(n.Table)
		if n.Tablet >= t.Tablets && t.Tablets > 0 {
			c.refuse(path+".tablet", strconv.Itoa(n.Tablet), fmt.Sprintf("a tablet of %s: there are 0 to %d", t.Name, t.Tablets-1), "")
		}
		if first, twice := seen[place{n.Table, n.Tablet}]; twice && c.doc.Sound(first+".tablet") {
			c.refuse(path+".tablet", strconv.Itoa(n.Tablet), "a tablet that is listed once: "+first+" has it", "")
		}
		seen[place{n.Table, n.Tablet}] = path
		for j := range n.Rowsets {
			c.initialRowset(fmt.Sprintf("%s.rowsets[%d]", path, j), &n.Rowsets[j], t)
		}
		c.initialAxis(path+".rowsets", n)
	}
}

func (c *checker) initialRowset(path string, r *InitialRowset, t *Table) {
	if r.Rows == 0 && r.Size == 0 {
		c.refuse(path, "rows 0 and size 0B", "a rowset: it has rows or a size", "")
	}
	if r.Deleted > r.Rows {
		c.refuse(path+".deleted", strconv.FormatInt(r.Deleted, 10), fmt.Sprintf("at most rows (%d)", r.Rows), "")
	}
	if (r.RedoFiles == 0) != (r.RedoRows == 0) {
		c.refuse(path+".redo_rows", strconv.FormatInt(r.RedoRows, 10), fmt.Sprintf("fitting to redo_files (%d): both are above 0 or neither", r.RedoFiles), "")
	}
	if r.DeleteFiles > r.RedoFiles {
		c.refuse(path+".delete_files", strconv.Itoa(r.DeleteFiles), fmt.Sprintf("at most redo_files (%d)", r.RedoFiles), "")
	}
	switch {
	case b2i(len(r.Keys) > 0)+b2i(len(r.Span) > 0)+b2i(len(r.DataSpan) > 0) != 1:
		c.refuse(path, fmt.Sprintf("%d keys, a span of %d and a data_span of %d", len(r.Keys), len(r.Span), len(r.DataSpan)), "a rowset with exactly one of keys, span and data_span", "")
	case len(r.Keys) > 0:
		if Appends(c.e.InsertOrder(t.Name)) {
			c.refuse(path+".keys", fmt.Sprintf("a list of %d", len(r.Keys)), "known for a table whose keys sort as their numbers do: give the span", "")
			break
		}
		c.initialKeys(path+".keys", r.Keys, t)
	case len(r.Span) > 0:
		c.initialSpan(path+".span", r.Span, "places")
	default:
		c.initialSpan(path+".data_span", r.DataSpan, "shares")
	}
}

func (c *checker) initialSpan(path string, span []float64, what string) {
	switch {
	case len(span) != 2:
		c.refuse(path, fmt.Sprintf("a list of %d", len(span)), "two "+what+": of the smallest and the largest key", "")
	case span[0] > span[1]:
		c.refuse(path, formatFloat(span[0])+", "+formatFloat(span[1]), "two "+what+" in order: the smallest key comes first", "")
	}
}

// most of a tablet's data that may be missing where its rowsets say that it lies: what is printed with four digits is rounded.
const misfit = 0.005

// initialAxis checks that a tablet's rowsets can lie on the axis of its data where they say.
func (c *checker) initialAxis(path string, n *Initial) {
	shares, rows := 0, 0
	for i := range n.Rowsets {
		shares += b2i(len(n.Rowsets[i].DataSpan) == 2)
		rows += b2i(n.Rowsets[i].Rows > 0)
	}
	switch all := len(n.Rowsets); {
	case shares == 0:
	case shares < all:
		c.refuse(path, fmt.Sprintf("a data_span in %d of %d", shares, all), "a tablet whose rowsets all have data_span, or none", "")
	case rows < all && rows > 0:
		c.refuse(path, fmt.Sprintf("rows in %d of %d", rows, all), "a tablet with data_span whose rowsets all have rows, or all size alone", "")
	default:
		if bars, weights := n.onAxis(); len(bars) <= axis.Most {
			if off := axis.Misfit(bars, weights); off > misfit {
				c.refuse(path, fmt.Sprintf("data_span and sizes that differ by %.1f %% of the data", 100*off), fmt.Sprintf("a layout: where rowsets lie alone they hold what data_span says, to %.1f %%", 100*misfit), "")
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Names that YCSB gives to keys, without zeros in front and with zeropadding=19.
var (
	ycsbKey   = regexp.MustCompile(`^user(0|[1-9][0-9]{0,18})$`)
	paddedKey = regexp.MustCompile(`^user([0-9]{19})$`)
)

// initialKeys checks a rowset's smallest and largest key.
func (c *checker) initialKeys(path string, keys []string, t *Table) {
	if len(keys) != 2 {
		c.refuse(path, fmt.Sprintf("a list of %d", len(keys)), "two keys: the smallest and the largest", "")
		return
	}
	pattern, want := ycsbKey, "a key as YCSB makes them, user and a number below 2^63; a table with others has keys: padded or uniform"
	if t.Keys == "padded" {
		pattern, want = paddedKey, "user and a number below 2^63 of 19 digits, zeros in front; a table with others has keys: uniform"
	}
	for i, key := range keys {
		if number := pattern.FindStringSubmatch(key); t.Keys != "uniform" && (number == nil || !fits63(number[1])) {
			c.refuse(fmt.Sprintf("%s[%d]", path, i), key, want, "")
			return
		}
	}
	if keys[0] > keys[1] {
		c.refuse(path, keys[0]+", "+keys[1], "two keys in order: the smallest comes first", "")
	}
}

func fits63(number string) bool {
	_, err := strconv.ParseInt(number, 10, 64)
	return err == nil
}

// table finds a table by its name; nil = there is none.
func (e *Experiment) table(name string) *Table {
	for i := range e.Tables {
		if e.Tables[i].Name == name {
			return &e.Tables[i]
		}
	}
	return nil
}
