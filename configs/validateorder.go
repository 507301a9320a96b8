package configs

import (
	"fmt"
	"reflect"
	"strconv"
)

// insertOrder checks that the keys of one table have names of one kind.
func (c *checker) insertOrder(path string, cl *Client, u *tableUse) {
	u.rows = true
	w, t := &cl.Workload, c.e.table(cl.Table)
	switch order := w.InsertOrder; {
	case u.order != "" && u.order != order:
		c.refuse(path+".insert_order", order, u.order+", the order in which an earlier client inserts into "+cl.Table, u.order)
	case u.order != "" && u.digits != w.ZeroPadding:
		c.refuse(path+".zero_padding", strconv.Itoa(w.ZeroPadding), fmt.Sprintf("%d, the digits of keys that an earlier client inserts into %s", u.digits, cl.Table), "")
	case order != "hashed" && t.Keys != "ycsb":
		c.refuse(path+".insert_order", order, "hashed, the order of a table whose keys are "+t.Keys, "hashed")
	case order != "ordered" && w.ZeroPadding > 1:
		c.refuse(path+".zero_padding", strconv.Itoa(w.ZeroPadding), "1, the only value with insert_order "+order+", whose keys need none", "1")
	default:
		if u.order == "" {
			c.digits(path, w, cl.Table)
		}
		u.order, u.digits = order, w.ZeroPadding
	}
}

// digits checks that ordered keys sort as their numbers do: those of YCSB have no zeros in front, so "user10" comes before "user9".
func (c *checker) digits(path string, w *Workload, table string) {
	if w.InsertOrder != "ordered" || !c.doc.Sound("phases", "tables", "initial") {
		return
	}
	last := c.e.Room(table) - 1
	need := digitsOf(last)
	first := digitsOf(c.e.initialRows(table))
	switch {
	case w.ZeroPadding > 1 && w.ZeroPadding < need:
		c.refuse(path+".zero_padding", strconv.Itoa(w.ZeroPadding), fmt.Sprintf("1 or at least %d, the digits of the largest key (%d)", need, last), strconv.Itoa(need))
	case w.ZeroPadding == 1 && first < need:
		c.doc.warnAt(path+".insert_order", `the keys of %s grow from %d to %d digits. Without zeros in front "user10" comes before "user9": inserts do not append, but fall among the keys that are there; zero_padding: %d makes them append`,
			table, first, need, need)
	}
}

// partitions checks how tables are cut, once it is known how clients insert.
func (c *checker) partitions() {
	for i := range c.e.Tables {
		t, path := &c.e.Tables[i], fmt.Sprintf("tables[%d]", i)
		p := t.Partitions
		if t.Tablets == 0 && c.doc.Sound(path+".partitions") {
			c.refuse(path+".tablets", "", keysByPath["tables[].tablets"].allowed(reflect.TypeFor[int]())+", or partitions", "")
			continue
		}
		switch n := p.Hash * p.Ranges; {
		case p == (Parts{}):
		case n > maxTablets:
			c.refuse(path+".partitions", fmt.Sprintf("hash %d and ranges %d", p.Hash, p.Ranges), fmt.Sprintf("at most %d tablets", maxTablets), "")
		case t.Tablets != n:
			c.refuse(path+".tablets", strconv.Itoa(t.Tablets), fmt.Sprintf("%d, the tablets that partitions make: leave it out", n), "")
		case p.Ranges > 1:
			c.ranges(path+".partitions.ranges", t)
		}
	}
}

// maxTablets is the most a table may have.
const maxTablets = 100_000

// ranges checks that a table with range partitions has keys of which it can be said in which range they lie.
func (c *checker) ranges(path string, t *Table) {
	if !c.doc.Sound("phases", "initial") {
		return
	}
	ranges := strconv.Itoa(t.Partitions.Ranges)
	order, digits := c.e.InsertOrder(t.Name)
	if !Appends(order, digits) {
		c.refuse(path, ranges, "1 in a table whose keys are not inserted in order: ranges need a client with insert_order ranges, or ordered with zero_padding", "")
		return
	}
	if c.e.initialRows(t.Name) > 0 {
		c.refuse(path, ranges, "1 in a table that holds rows at the start: which range they are in is not known", "")
	}
	for i := range c.e.Phases {
		for j := range c.e.Phases[i].Clients {
			cl := &c.e.Phases[i].Clients[j]
			if w := &cl.Workload; cl.Table == t.Name && w.Inserts() && max(w.Records, w.Operations) == 0 && cl.Target == 0 {
				c.refuse(path, ranges, fmt.Sprintf("1 in a table of which nobody knows how many keys it gets: phases[%d].clients[%d] has neither records, operations nor a target", i, j), "")
				return
			}
		}
	}
}
