package oplog

import (
	"maps"
	"slices"

	"mmsim/results"
)

// durations compares how long ops took, kind by kind.
func (c *Comparison) durations(a, b opSet) {
	for _, kind := range opKinds(a, b) {
		opsA, opsB := ended(a.busy(kind)), ended(b.busy(kind))
		d := Durations{Kind: kind, Real: len(opsA), Sim: len(opsB), RealMedian: medianRan(opsA), SimMedian: medianRan(opsB)}
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
		d.Pairs, d.Ratio, d.Low, d.High = len(ratios), quantile(ratios, 0.5), results.Missing, results.Missing
		if results.Told(90, int64(len(ratios))) {
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
func ended(ops []*Op) []*Op {
	return slices.DeleteFunc(slices.Clone(ops), func(o *Op) bool { return o.Ran < 0 })
}

func medianRan(ops []*Op) results.Number {
	ran := make([]float64, len(ops))
	for i, o := range ops {
		ran[i] = float64(o.Ran) / 1e9
	}
	slices.Sort(ran)
	return quantile(ran, 0.5)
}

// quantile interpolates between the two nearest of sorted values.
func quantile(sorted []float64, q float64) results.Number {
	if len(sorted) == 0 {
		return results.Missing
	}
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return results.Number(sorted[low] + float64((at-float64(low))*(sorted[high]-sorted[low])))
}

// counts counts ops while both sides were watched.
func (c *Comparison) counts(a, b opSet) {
	end := min(a.log.End, b.log.End)
	c.Window = secondsOf(end)
	for _, kind := range opKinds(a, b) {
		count := map[string]*Count{}
		each := func(s opSet, add func(*Count)) {
			for _, o := range s.ops {
				if o.Kind != kind || o.Chosen > end {
					continue
				}
				table := o.Table()
				if count[table] == nil {
					count[table] = &Count{Kind: kind, Table: table}
				}
				add(count[table])
			}
		}
		each(a, func(n *Count) { n.Real++ })
		each(b, func(n *Count) { n.Sim++ })
		for _, table := range slices.Sorted(maps.Keys(count)) {
			c.Counts = append(c.Counts, *count[table])
		}
	}
}
