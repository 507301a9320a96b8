package oplog

import (
	"maps"
	"slices"

	"mmsim/results"
)

// reachedHeight is a height of 2 as files with three decimals can tell it.
const reachedHeight = 2.0005

// TableReach is when the tablets of a table first had a height of 2.
type TableReach struct {
	Table   string        `json:"table"`
	Real    Reach         `json:"real"`
	Sim     Reach         `json:"sim"`
	Tablets []TabletReach `json:"tablets"`
}

// Reach sums up the tablets of a table on one side.
type Reach struct {
	Tablets int            `json:"tablets"` // whose height is known
	Reached int            `json:"reached"`
	First   results.Number `json:"first_s"`
	Last    results.Number `json:"last_s"` // missing while a tablet has not reached it
}

// TabletReach is when a tablet first had a height of 2.
type TabletReach struct {
	Tablet string         `json:"tablet"`
	Real   results.Number `json:"real_s"`
	Sim    results.Number `json:"sim_s"`
}

// reached compares when tablets first had a height of 2.
func (c *Comparison) reached(a, b opSet) {
	for _, side := range []struct {
		name string
		set  opSet
	}{{c.Real.Label, a}, {c.Sim.Label, b}} {
		if len(side.set.log.Tablets) == 0 {
			c.leftOut("time to height 2: the %s side tells no heights of tablets", side.name)
		}
	}
	byTable := map[string]*TableReach{}
	each := func(l *Log, side func(*TableReach) *Reach, at func(*TabletReach) *results.Number) {
		for i := range l.Tablets {
			line := &l.Tablets[i]
			table := TableOf(line.Name)
			if byTable[table] == nil {
				byTable[table] = &TableReach{Table: table, Real: Reach{First: results.Missing, Last: results.Missing}, Sim: Reach{First: results.Missing, Last: results.Missing}}
			}
			t := byTable[table]
			when := results.Missing
			if ns, ok := line.Reached(reachedHeight); ok {
				when = secondsOf(ns)
			}
			side(t).add(when)
			*at(t.tablet(line.Name)) = when
		}
	}
	each(a.log, func(t *TableReach) *Reach { return &t.Real }, func(t *TabletReach) *results.Number { return &t.Real })
	each(b.log, func(t *TableReach) *Reach { return &t.Sim }, func(t *TabletReach) *results.Number { return &t.Sim })
	for _, table := range slices.Sorted(maps.Keys(byTable)) {
		c.Reached = append(c.Reached, *byTable[table])
	}
}

// tablet finds or makes the entry of a tablet.
func (t *TableReach) tablet(name string) *TabletReach {
	i := slices.IndexFunc(t.Tablets, func(r TabletReach) bool { return r.Tablet == name })
	if i < 0 {
		i = len(t.Tablets)
		t.Tablets = append(t.Tablets, TabletReach{name, results.Missing, results.Missing})
	}
	return &t.Tablets[i]
}

// add counts a tablet in; a missing time stands for one that has not reached the height.
func (r *Reach) add(at results.Number) {
	all := r.Reached == r.Tablets
	r.Tablets++
	if !at.Known() {
		r.Last = results.Missing
		return
	}
	r.Reached++
	if !r.First.Known() || at < r.First {
		r.First = at
	}
	if all && (!r.Last.Known() || at > r.Last) {
		r.Last = at
	}
	if !all {
		r.Last = results.Missing
	}
}
