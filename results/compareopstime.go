package results

import (
	"slices"
)

// durations compares how long ops took, kind by kind.
func (c *OpComparison) durations(a, b opSet) {
	for _, kind := range opKinds(a, b) {
		opsA, opsB := ended(a.busy(kind)), ended(b.busy(kind))
		d := OpDurations{Kind: kind, Real: len(opsA), Sim: len(opsB), RealMedian: medianRan(opsA), SimMedian: medianRan(opsB)}
		by := identity(opsA, opsB)
		var ratios []float64
		if by != ByNone {
			for _, p := range pairsOf(a.named(opsA, by), b.named(opsB, by)) {
				if p.real.Ran > 0 && p.sim.Ran > 0 {
					ratios = append(ratios, float64(p.sim.Ran)/float64(p.real.Ran))
				}
			}
		}
		slices.Sort(ratios)
		d.Pairs, d.Ratio, d.Low, d.High = len(ratios), quantile(ratios, 0.5), missing, missing
		if Told(90, int64(len(ratios))) {
			d.Low, d.High = quantile(ratios, 0.1), quantile(ratios, 0.9)
		}
		if len(ratios) == 0 && len(opsA) > 0 && len(opsB) > 0 {
			why := "no op that both sides have"
			if by != ByNone {
				why = "no op that both sides have took a time that can be told from 0"
			}
			c.leftOut("durations of %s op by op: %s", kind, why)
		}
		c.Durations = append(c.Durations, d)
	}
}

// ended gives the ops of which it is known how long they took.
func ended(ops []*LoggedOp) []*LoggedOp {
	return slices.DeleteFunc(slices.Clone(ops), func(o *LoggedOp) bool { return o.Ran < 0 })
}

func medianRan(ops []*LoggedOp) Number {
	ran := make([]float64, len(ops))
	for i, o := range ops {
		ran[i] = float64(o.Ran) / 1e9
	}
	slices.Sort(ran)
	return quantile(ran, 0.5)
}

// quantile interpolates between the two nearest of sorted values.
func quantile(sorted []float64, q float64) Number {
	if len(sorted) == 0 {
		return missing
	}
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return Number(sorted[low] + float64((at-float64(low))*(sorted[high]-sorted[low])))
}

// counts counts ops while both sides were watched.
func (c *OpComparison) counts(a, b opSet) {
	end := min(a.log.End, b.log.End)
	c.Window = secondsOf(end)
	for _, kind := range opKinds(a, b) {
		count := map[string]*OpCount{}
		each := func(s opSet, add func(*OpCount)) {
			for _, o := range s.ops {
				if o.Kind != kind || o.Chosen > end {
					continue
				}
				table := o.Table()
				if count[table] == nil {
					count[table] = &OpCount{Kind: kind, Table: table}
				}
				add(count[table])
			}
		}
		each(a, func(n *OpCount) { n.Real++ })
		each(b, func(n *OpCount) { n.Sim++ })
		for _, table := range sortedKeys(count) {
			c.Counts = append(c.Counts, *count[table])
		}
	}
}

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
	Tablets int    `json:"tablets"` // whose height is known
	Reached int    `json:"reached"`
	First   Number `json:"first_s"`
	Last    Number `json:"last_s"` // missing while a tablet has not reached it
}

// TabletReach is when a tablet first had a height of 2.
type TabletReach struct {
	Tablet string `json:"tablet"`
	Real   Number `json:"real_s"`
	Sim    Number `json:"sim_s"`
}

// reached compares when tablets first had a height of 2.
func (c *OpComparison) reached(a, b opSet) {
	for _, side := range []struct {
		name string
		set  opSet
	}{{c.Real.Label, a}, {c.Sim.Label, b}} {
		if len(side.set.log.Tablets) == 0 {
			c.leftOut("time to height 2: the %s side tells no heights of tablets", side.name)
		}
	}
	byTable := map[string]*TableReach{}
	each := func(l *OpLog, side func(*TableReach) *Reach, at func(*TabletReach) *Number) {
		for i := range l.Tablets {
			line := &l.Tablets[i]
			table := TableOf(line.Name)
			if byTable[table] == nil {
				byTable[table] = &TableReach{Table: table, Real: Reach{First: missing, Last: missing}, Sim: Reach{First: missing, Last: missing}}
			}
			t := byTable[table]
			when := missing
			if ns, ok := line.Reached(reachedHeight); ok {
				when = secondsOf(ns)
			}
			side(t).add(when)
			*at(t.tablet(line.Name)) = when
		}
	}
	each(a.log, func(t *TableReach) *Reach { return &t.Real }, func(t *TabletReach) *Number { return &t.Real })
	each(b.log, func(t *TableReach) *Reach { return &t.Sim }, func(t *TabletReach) *Number { return &t.Sim })
	for _, table := range sortedKeys(byTable) {
		c.Reached = append(c.Reached, *byTable[table])
	}
}

// tablet finds or makes the entry of a tablet.
func (t *TableReach) tablet(name string) *TabletReach {
	i := slices.IndexFunc(t.Tablets, func(r TabletReach) bool { return r.Tablet == name })
	if i < 0 {
		i = len(t.Tablets)
		t.Tablets = append(t.Tablets, TabletReach{name, missing, missing})
	}
	return &t.Tablets[i]
}

// add counts a tablet in; a missing time stands for one that has not reached the height.
func (r *Reach) add(at Number) {
	all := r.Reached == r.Tablets
	r.Tablets++
	if !at.known() {
		r.Last = missing
		return
	}
	r.Reached++
	if !r.First.known() || at < r.First {
		r.First = at
	}
	if all && (!r.Last.known() || at > r.Last) {
		r.Last = at
	}
	if !all {
		r.Last = missing
	}
}
