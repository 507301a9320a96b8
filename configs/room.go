package configs

import (
	"math"
	"strconv"
	"time"
)

// Amount is how many operations a client does in a phase. One that goes on until it is stopped does as many as its target allows, and without a
// target at most what its threads can buffer.
func (e *Experiment) amount(p *Phase, c *Client) float64 {
	w := &c.Workload
	if n := max(w.Records, w.Operations); n > 0 {
		return float64(n)
	}
	seconds := time.Duration(p.Duration).Seconds()
	if c.Target > 0 {
		return float64(c.Target) * seconds
	}
	each := time.Duration(e.Machine.Client.AppendHot + e.Machine.Client.Between).Seconds()
	return float64(c.Threads) * seconds / max(each, 1e-9)
}

// Span is how many rows a thread of the client inserts in a phase, or a little more where chance decides how many of its operations insert.
func (e *Experiment) Span(p *Phase, c *Client) int64 {
	n := e.amount(p, c) * c.Workload.Inserted() / float64(c.Threads)
	if !c.Workload.Loads() {
		n += 5*math.Sqrt(n) + 1 // it inserts more once in millions
	}
	return int64(min(math.Ceil(n), 1e15))
}

// Room is how many keys a table has room for: those of the rows that are there at the start, and of all that clients insert.
func (e *Experiment) Room(table string) int64 {
	room := e.initialRows(table)
	for i := range e.Phases {
		p := &e.Phases[i]
		turns, span := int64(0), int64(0) // of the threads that take turns
		for j := range p.Clients {
			switch c := &p.Clients[j]; {
			case c.Table != table || !c.Workload.Inserts():
			case c.Workload.Loads():
				room += int64(c.Threads) * e.Span(p, c)
			default:
				turns, span = turns+int64(c.Threads), max(span, e.Span(p, c))
			}
		}
		room += turns * span
	}
	return max(room, 1)
}

// initialRows is how many rows a table holds at the start.
func (e *Experiment) initialRows(table string) (rows int64) {
	for i := range e.Initial {
		n := &e.Initial[i]
		if n.Table != table {
			continue
		}
		rows += n.MemRowsetRows
		for j := range n.Rowsets {
			rows += n.Rowsets[j].Rows - n.Rowsets[j].Deleted
		}
	}
	return rows
}

// InsertOrder is the order in which clients insert into a table, and the digits of its keys: those of its first client that inserts.
func (e *Experiment) InsertOrder(table string) (order string, digits int) {
	for i := range e.Phases {
		for j := range e.Phases[i].Clients {
			if c := &e.Phases[i].Clients[j]; c.Table == table && c.Workload.Inserts() {
				return c.Workload.InsertOrder, c.Workload.ZeroPadding
			}
		}
	}
	return "hashed", 1
}

// Appends says whether keys of an order that have so many digits sort as their numbers do.
func Appends(order string, digits int) bool {
	return order == "ranges" || order == "ordered" && digits > 1
}

// digitsOf is how many decimal digits n has.
func digitsOf(n int64) int { return len(strconv.FormatInt(n, 10)) }
