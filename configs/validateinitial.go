package configs

import (
	"fmt"
	"regexp"
	"strconv"
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
	case (len(r.Keys) > 0) == (len(r.Span) > 0):
		c.refuse(path, fmt.Sprintf("%d keys and a span of %d", len(r.Keys), len(r.Span)), "a rowset with exactly one of keys and span", "")
	case len(r.Keys) > 0:
		c.initialKeys(path+".keys", r.Keys, t)
	case len(r.Span) != 2:
		c.refuse(path+".span", fmt.Sprintf("a list of %d", len(r.Span)), "two places: of the smallest and the largest key", "")
	case r.Span[0] > r.Span[1]:
		c.refuse(path+".span", formatFloat(r.Span[0])+", "+formatFloat(r.Span[1]), "two places in order: the smallest key comes first", "")
	}
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
