// Package calibrate fits the costs of a machine to times measured on a tablet server.
package calibrate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/configs"
)

// Input names what was measured. At least one of Scan, Insert and Ops is wanted.
type Input struct {
	Scan    string   // table of scan costs; may be empty
	Insert  string   // table of insert costs; may be empty
	Ops     []string // op logs
	Load    string   // table of the load beside the ops; may be empty
	Keep    []string // parameters, such as op.flush_fixed, that are taken as the base has them
	Base    string   // machine, by name or path, that gives what is not fitted
	Name    string   // of the machine that is made
	HoldOut int      // every HoldOut-th point of 20 or more is predicted, not fitted; 0 = none
}

const method = "robust least squares (Huber) on the logarithms of measured by fitted times, no parameter below 0, intervals of 95 %"

// Run reads the measurements and fits what they identify. Errors say what is wrong with the input, or which parameter can't be
// identified from it and what is missing.
func Run(in *Input) (*Result, error) {
	base, err := baseMachine(in.Base)
	if err != nil {
		return nil, err
	}
	r := &Result{Base: base.Name, Method: method, Machine: base, Notes: []string{}, Spreads: []Parameter{}, Shared: []Parameter{}}
	r.Machine.Name = in.Name
	if err := checkKept(in.Keep); err != nil {
		return nil, err
	}
	for _, part := range []func(*Input) error{r.scans, r.inserts, r.ops} {
		if err := part(in); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Result) scans(in *Input) error {
	if in.Scan == "" {
		return nil
	}
	scans, redo, err := readScans(in.Scan)
	if err != nil {
		return err
	}
	if !redo {
		r.note("scan.redo_file: not fitted, %s has no column %s with values above 0", in.Scan, redoColumn)
	}
	for _, m := range []*model{serverModel(in.Scan, scans, redo), shareModel(in.Scan, scans, &r.Machine)} {
		if err := r.fit(m, in); err != nil {
			return err
		}
	}
	spread, used := scanSpread(scans, &r.Machine)
	if used < minSpreads {
		r.note("scan.spread: not fitted, %d points in %s have most of their time in the server, want at least %d", used, in.Scan, minSpreads)
		return nil
	}
	r.spread(spread)
	return nil
}

func (r *Result) inserts(in *Input) error {
	if in.Insert == "" {
		return nil
	}
	inserts, err := readInserts(in.Insert)
	if err != nil {
		return err
	}
	r.note("write.dispatch, write.spread: not fitted, %s has only sums and means", in.Insert)
	for _, m := range []*model{applyModel(in.Insert, inserts), handlerModel(in.Insert, inserts)} {
		if err := r.fit(m, in); err != nil {
			return err
		}
	}
	return nil
}

func (r *Result) ops(in *Input) error {
	if len(in.Ops) == 0 {
		return nil
	}
	var ops []loggedOp
	var logs opLogs
	for _, path := range in.Ops {
		more, err := readOps(path, &logs)
		if err != nil {
			return err
		}
		ops = append(ops, more...)
	}
	beside, err := readLoads(in.Load)
	if err != nil {
		return err
	}
	models := opModels()
	for i := range models {
		models[i].take(in.Ops, ops, beside != nil)
	}
	if beside != nil {
		beside.notes(r, in.Ops)
		if err := r.share(models, beside, in.Keep); err != nil {
			return err
		}
	}
	found := false
	for i := range models {
		m := &models[i]
		m.beside(beside, &r.Machine)
		if n := m.usable(); n == 0 || !m.sized && n < 3 {
			r.note("%s: not fitted, the op logs have %d usable ops of kind %s", m.parameters(), n, m.kind)
			continue
		}
		found = true
		before := len(r.Fits)
		if err := r.fit(&m.model, in); err != nil {
			return err
		}
		if len(r.Fits) > before && m.spread != "" {
			r.spread(spreadOf(m.spread, r.Fits[before], *r.sigma(m.spread)))
		}
	}
	if !found {
		return &configs.Problem{File: in.Ops[0], Allowed: "no op whose cost can be fitted: want finished ops such as FlushMRS or CompactRowSets"}
	}
	return nil
}

// fit fits what is not kept of a model, if anything, and puts it into the machine.
func (r *Result) fit(m *model, in *Input) error {
	m.hold(in.HoldOut)
	if m.keep(in.Keep); len(m.free()) == 0 {
		return nil
	}
	f, err := m.fit(&r.Machine)
	if err != nil {
		return err
	}
	for _, p := range f.Parameters {
		d, err := duration(&r.Machine, p.Name)
		if err != nil {
			return err
		}
		*d = rounded(p.Value)
	}
	r.Fits = append(r.Fits, f)
	return nil
}

// checkKept refuses what is not the name of a time of a machine.
func checkKept(parameters []string) error {
	for _, name := range parameters {
		if slices.Contains(ShareNames, name) {
			continue
		}
		if _, err := duration(&configs.Machine{}, name); err != nil {
			return &configs.Problem{File: "--keep", Field: "parameter", Value: name, Allowed: "a time of a machine, such as op.flush_fixed, or one of " + strings.Join(ShareNames, ", ")}
		}
	}
	return nil
}

func (r *Result) spread(p Parameter) {
	*r.sigma(p.Name) = math.Round(p.Value*1000) / 1000
	r.Spreads = append(r.Spreads, p)
}

// sigma is the machine's spread of a name.
func (r *Result) sigma(name string) *float64 {
	switch name {
	case "scan.spread":
		return &r.Machine.Scan.Spread
	case "op.flush_spread":
		return &r.Machine.Op.FlushSpread
	}
	return &r.Machine.Op.Spread
}

func (r *Result) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}
