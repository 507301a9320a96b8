package main

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"mmsim/configs"
)

// amount is how many operations or rows there will be.
type amount struct {
	n     int64
	limit limit
}

// limit says what an amount means.
type limit int

const (
	exactly   limit = iota
	upTo            // what a target allows for in the time there is
	unlimited       // as many as there is time for
)

func (a amount) plus(b amount) amount { return amount{a.n + b.n, max(a.limit, b.limit)} }

// share is a part of the amount.
func (a amount) share(part float64) amount {
	if part == 0 {
		return amount{}
	}
	return amount{int64(float64(a.n) * part), a.limit}
}

func (a amount) String() string { return a.limited(strconv.FormatInt(a.n, 10)) }

// limited gives a text for the amount's number the meaning of the amount.
func (a amount) limited(number string) string {
	switch a.limit {
	case upTo:
		return "up to " + number
	case unlimited:
		return "unlimited"
	}
	return number
}

// operations is how many a client will do in a phase.
func operations(p *configs.Phase, c *configs.Client) amount {
	switch n := max(c.Workload.Records, c.Workload.Operations); {
	case n > 0:
		return amount{n: n}
	case c.Target > 0:
		return amount{int64(math.Ceil(float64(c.Target) * time.Duration(p.Duration).Seconds())), upTo}
	}
	return amount{limit: unlimited}
}

// inserted is how many rows the clients of a table are expected to insert.
func inserted(e *configs.Experiment, table string) (rows amount) {
	for i := range e.Phases {
		p := &e.Phases[i]
		for j := range p.Clients {
			c := &p.Clients[j]
			if c.Table != table {
				continue
			}
			rows = rows.plus(operations(p, c).share(c.Workload.Inserted()))
		}
	}
	return rows
}

// held is what a table holds at the start: one replica of each of its tablets.
type held struct {
	rowsets  int
	bytes    float64
	inMemory int64 // rows in MemRowSets
}

func heldBy(e *configs.Experiment, t *configs.Table) (h held) {
	for i := range e.Initial {
		n := &e.Initial[i]
		if n.Table != t.Name {
			continue
		}
		h.rowsets += len(n.Rowsets)
		h.inMemory += n.MemRowsetRows
		h.bytes += float64(float64(n.MemRowsetRows) * rowBytes(t))
		for j := range n.Rowsets {
			if r := &n.Rowsets[j]; r.Size > 0 {
				h.bytes += float64(r.Size)
			} else {
				h.bytes += float64(float64(r.Rows) * rowBytes(t))
			}
		}
	}
	return h
}

// rowBytes is what a row has, as the client writes it: indexes and history come on top.
func rowBytes(t *configs.Table) float64 {
	return float64(int64(t.Record.KeyLength) + int64(t.Record.Fields)*int64(t.Record.FieldLength))
}

// gigabytes is what bytes take in all replicas.
func gigabytes(e *configs.Experiment, bytes float64) string {
	return fmt.Sprintf("%.2f GB", bytes*float64(e.Cluster.Replication)/1e9)
}
