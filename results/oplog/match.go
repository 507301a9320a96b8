package oplog

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"mmsim/results"
)

// opSet is the part of a log that is compared.
type opSet struct {
	log *Log
	ops []*Op // from time 0 on
}

func newOpSet(l *Log) opSet {
	s := opSet{log: l}
	for i := range l.Ops {
		if l.Ops[i].Chosen >= 0 {
			s.ops = append(s.ops, &l.Ops[i])
		}
	}
	return s
}

func (s opSet) side(label string) Side {
	side := Side{Label: cmp.Or(s.log.Label, label), Name: s.log.Name, Ops: len(s.ops), End: secondsOf(s.log.End)}
	for _, o := range s.ops {
		if o.Idle() {
			side.Idle++
		}
	}
	return side
}

// busy gives the ops of a kind that had something to do.
func (s opSet) busy(kind string) (ops []*Op) {
	for _, o := range s.ops {
		if o.Kind == kind && !o.Idle() {
			ops = append(ops, o)
		}
	}
	return ops
}

// named gives the ops by what identifies them, in their order.
func (s opSet) named(ops []*Op, by By) []namedOp {
	seen := map[string]int{}
	out := make([]namedOp, len(ops))
	for i, o := range ops {
		name := o.Table()
		if by == ByTablet {
			name = o.Tablet
		}
		if s.log.Servers > 1 {
			name += "@" + strconv.Itoa(o.Server)
		}
		seen[name]++
		out[i] = namedOp{opID{name, seen[name]}, o}
	}
	return out
}

// opID identifies an op among those of its kind.
type opID struct {
	name string
	nth  int
}

type namedOp struct {
	opID
	*Op
}

func (o namedOp) ref() *Ref { return &Ref{o.name, o.nth, secondsOf(o.Chosen), results.Number(o.Score)} }

// identity finds what the ops of both sides can be told apart by.
func identity(a, b []*Op) By {
	tablets, tables := map[string]bool{}, map[string]bool{}
	for _, o := range a {
		tablets[o.Tablet], tables[o.Table()] = true, true
	}
	by := ByNone
	for _, o := range b {
		if tablets[o.Tablet] {
			return ByTablet
		}
		if table := o.Table(); table != "" && tables[table] {
			by = ByTable
		}
	}
	return by
}

// opPair is an op that both sides have, with its place in the order of each.
type opPair struct {
	real, sim     namedOp
	inReal, inSim int
}

// pairsOf gives the ops that both have, in the order of the first.
func pairsOf(a, b []namedOp) (pairs []opPair) {
	place := map[opID]int{}
	for i, o := range b {
		place[o.opID] = i
	}
	for i, o := range a {
		if k, ok := place[o.opID]; ok {
			pairs = append(pairs, opPair{o, b[k], i, k})
		}
	}
	return pairs
}

// opKinds names the kinds of both sides, sorted.
func opKinds(a, b opSet) []string {
	kinds := map[string]bool{}
	for _, o := range slices.Concat(a.ops, b.ops) {
		kinds[o.Kind] = true
	}
	return slices.Sorted(maps.Keys(kinds))
}
