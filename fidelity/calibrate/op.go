package calibrate

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/configs"
)

const mib = 1 << 20

// opModels are the kinds of ops whose costs are fitted, by the simulator's formulas.
func opModels() []opModel {
	return []opModel{
		{kind: "FlushMRS", sized: true, spread: "op.flush_spread", model: model{settings: opSettings[:1], formula: "flush_fixed + MiB written * flush_mib, + flush_sync if a compaction ran before it", terms: []term{
			{"op.flush_fixed", "flushes of several sizes"},
			{"op.flush_mib", "flushes of several sizes"},
			{"op.flush_sync", "flushes after a compaction and after a flush"}}},
			x: func(op *loggedOp) []float64 { return []float64{1, op.written / mib, op.after} }},
		{kind: "CompactRowSets", sized: true, spread: "op.spread", model: model{settings: opSettings, formula: "compact_fixed + MiB written * (compact_mib + inputs * compact_input_mib)", terms: []term{
			{"op.compact_fixed", "compactions of several sizes"},
			{"op.compact_mib", "compactions of several sizes, and of several numbers of inputs"},
			{"op.compact_input_mib", "compactions of several numbers of inputs"}}},
			x: func(op *loggedOp) []float64 { return []float64{1, op.written / mib, op.written / mib * op.inputs} }},
		{kind: "LogGC", model: model{formula: "log_gc", terms: []term{{"op.log_gc", "log GCs"}}}, x: one},
		{kind: "UndoDeltaBlockGC", model: model{formula: "undo_gc", terms: []term{{"op.undo_gc", "UNDO GCs"}}}, x: one},
	}
}

var opSettings = []string{"bytes written", "inputs"}

// opModel is the model of a kind of op.
type opModel struct {
	model
	kind   string
	sized  bool   // it has to write something
	spread string // the sigma that its residuals tell; empty = they tell none
	x      func(*loggedOp) []float64
}

func one(*loggedOp) []float64 { return []float64{1} }

// minAlone is from how many ops on that ran alone only these are used.
const minAlone = 10

// take makes points of the ops of the model's kind. Under a known load those that ran beside others tell something, too.
func (m *opModel) take(paths []string, ops []loggedOp, known bool) {
	m.name, m.source, m.draws = "op, "+m.kind, strings.Join(paths, ", "), true
	var of []*loggedOp
	for i := range ops {
		if ops[i].kind == m.kind {
			of = append(of, &ops[i])
		}
	}
	if m.kind == "FlushMRS" && !slices.ContainsFunc(of, func(op *loggedOp) bool { return op.after > 0 }) {
		m.keep([]string{"op.flush_sync"}) // nothing tells it
	}
	alone := 0
	for _, op := range of {
		if m.flaw(op) == "" && !op.crowded {
			alone++
		}
	}
	for _, op := range of {
		p := Point{File: op.file, Line: op.line, What: m.describe(op), Use: Fitted, op: op, Why: m.flaw(op), settings: []float64{op.written, op.inputs}}
		m.rounding = max(m.rounding, 1e9*op.rounding)
		if !op.unfinished {
			p.Measured = 1e9 * op.ran
		}
		if p.Why == "" && op.crowded && alone >= minAlone && !known {
			p.Why = "another op ran beside it"
		}
		if p.Why != "" {
			p.Use = NotUsed
		}
		m.points = append(m.points, p)
	}
	m.beside(nil, nil)
}

// beside works out what ops hold of each term beside a load, on a machine: as many times more as they are slowed. Of an op that took no longer than
// rounding may make it, nothing is known.
func (m *opModel) beside(l loads, machine *configs.Machine) {
	for i := range m.points {
		p := &m.points[i]
		if p.x = m.x(p.op); p.op.ran <= 2*p.op.rounding {
			continue
		}
		for j, slowed := 0, l.slowed(p.op, machine); j < len(p.x); j++ {
			p.x[j] *= slowed
		}
	}
}

// flaw says why an op tells nothing about costs, if so.
func (m *opModel) flaw(op *loggedOp) string {
	switch {
	case op.unfinished:
		return "it still ran at the end of the log"
	case m.sized && op.written == 0:
		return "it found nothing to do"
	case op.ran == 0:
		return "it took no time"
	case op.ran < shortest/1e6:
		return "it took less than a clock can tell"
	}
	return ""
}

func (m *opModel) describe(op *loggedOp) string {
	if !m.sized {
		return op.name
	}
	what := fmt.Sprintf("%s, %.1f MiB", op.name, op.written/mib)
	if op.inputs > 0 {
		what += fmt.Sprintf(" from %v rowsets", op.inputs)
	}
	return what
}

// usable counts the ops that can be fitted.
func (m *opModel) usable() (n int) {
	for i := range m.points {
		if m.points[i].Use == Fitted {
			n++
		}
	}
	return n
}
