package configs

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// tableUse is what the phases so far did to a table.
type tableUse struct {
	rows    bool              // it holds some
	order   string            // in which they are inserted; empty = no client does
	digits  int               // of their numbers, at least
	ids     map[string]string // of its clients in the phase under way: the path of each
	dropped string            // path of the event that drops it; empty = none does
}

func (c *checker) phases() {
	if len(c.e.Phases) == 0 {
		c.refuse("phases", "[]", "a list with at least one phase", "")
	}
	uses, names := c.uses(), map[string]string{}
	for i := range c.e.Phases {
		p, path := &c.e.Phases[i], fmt.Sprintf("phases[%d]", i)
		c.name(path+".name", p.Name)
		c.unique(path+".name", p.Name, names)
		stopped := p.Duration > 0 || !c.doc.Sound(path+".duration")
		if !c.doc.Sound(path + ".clients") {
			loadAll(uses)
		}
		if len(p.Clients) == 0 && !stopped {
			c.refuse(path+".clients", "[]", "a list with at least one client, which a phase without a duration needs", "")
		}
		c.clients(path, p, uses, stopped)
		c.events(path, p, uses)
	}
}

// uses lists the tables by name as they are at the start.
func (c *checker) uses() map[string]*tableUse {
	uses := map[string]*tableUse{}
	for i := range c.e.Tables {
		uses[c.e.Tables[i].Name] = &tableUse{}
	}
	for i := range c.e.Initial {
		n := &c.e.Initial[i]
		if u := uses[n.Table]; u != nil && (n.MemRowsetRows > 0 || len(n.Rowsets) > 0) {
			u.rows = true
		}
	}
	if !c.doc.Sound("initial") {
		loadAll(uses)
	}
	return uses
}

// loadAll takes every table for one that may hold rows, as is the case where what fills them is wrong itself.
func loadAll(uses map[string]*tableUse) {
	for _, u := range uses {
		u.rows = true
	}
}

// clients checks the clients of a phase. stopped says that it has a duration.
func (c *checker) clients(path string, p *Phase, uses map[string]*tableUse, stopped bool) {
	for _, u := range uses {
		u.ids = map[string]string{}
	}
	for j := range p.Clients {
		cl, path := &p.Clients[j], fmt.Sprintf("%s.clients[%d]", path, j)
		loaded := true // as far as can be told
		if c.known(path+".table", cl.Table, "table", "tables", c.tableNames()) {
			u := uses[cl.Table]
			if u.dropped != "" {
				c.refuse(path+".table", cl.Table, "a table that is still there: "+u.dropped+" drops it", "")
			}
			if loaded = u.rows; cl.ID != "" {
				c.name(path+".id", cl.ID)
				c.unique(path+".id", cl.ID, u.ids)
			}
		}
		c.workload(path+".workload", &cl.Workload, loaded, stopped)
	}
	for j := range p.Clients {
		if cl := &p.Clients[j]; uses[cl.Table] != nil && cl.Workload.Inserts() {
			c.insertOrder(fmt.Sprintf("%s.clients[%d].workload", path, j), cl, uses[cl.Table])
		}
	}
}

func (c *checker) events(path string, p *Phase, uses map[string]*tableUse) {
	for j := range p.Events {
		ev, path := &p.Events[j], fmt.Sprintf("%s.events[%d]", path, j)
		if p.Duration > 0 && ev.After > p.Duration && c.doc.Sound(path[:strings.LastIndexByte(path, '.')]+".duration") {
			c.refuse(path+".after", ev.After.String(), "at most the phase's duration ("+p.Duration.String()+")", "")
		}
		if len(ev.SwitchOn) == 0 && len(ev.SwitchOff) == 0 && ev.Manager == "" && ev.Drop == "" {
			c.refuse(path, "after "+ev.After.String(), "an event that does something: switch_on, switch_off, manager or drop", "")
		}
		if ev.Drop == "" || !c.known(path+".drop", ev.Drop, "table", "tables", c.tableNames()) {
			continue
		}
		if first := uses[ev.Drop].dropped; first != "" {
			c.refuse(path+".drop", ev.Drop, "a table that is still there: "+first+" drops it", "")
		}
		uses[ev.Drop].dropped = path
	}
}

// sumTolerance is how far proportions may miss 1, for sums of decimal fractions.
const sumTolerance = 1e-9

// workload checks what a client asks for. loaded says that its table holds rows by then, stopped that the phase has a duration.
func (c *checker) workload(path string, w *Workload, loaded, stopped bool) {
	sum, existing := w.sum(), w.Existing()
	switch {
	case w.Records > 0 && w.Operations > 0, w.Records == 0 && w.Operations == 0 && !stopped:
		c.refuse(path, fmt.Sprintf("records %d and operations %d", w.Records, w.Operations),
			"a workload: exactly one of records (load phase) and operations (run phase) is above 0, or neither in a phase with a duration", "")
	case w.Records > 0 && sum != 0:
		c.refuse(path, formatFloat(sum), "0, the sum of "+shareNames+" in a load phase, which only inserts", "")
	case w.Records == 0 && (w.Operations > 0 || sum != 0) && math.Abs(sum-1) > sumTolerance:
		c.refuse(path, formatFloat(sum), "1, the sum of "+shareNames+" in a run phase", "")
	case existing > 0 && !loaded:
		c.refuse(path, formatFloat(existing), "0, the share of operations on existing rows of a table that no phase before has loaded", "")
	}
	if w.MinScanLen > w.MaxScanLen && c.doc.Sound(path+".max_scan_length") {
		c.refuse(path+".min_scan_length", strconv.Itoa(w.MinScanLen), fmt.Sprintf("at most max_scan_length (%d)", w.MaxScanLen), "")
	}
}
