package calibrate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/configs"
)

// model says how a kind of measured time depends on parameters of a machine.
type model struct {
	name     string // of the measurement
	source   string // file or files it was read from
	formula  string
	terms    []term
	settings []string // what was set for a point, such as its height
	draws    bool     // see observations
	rounding float64  // ns by which rounding may have moved a time
	points   []Point
}

// term is one parameter's part of a model: x * parameter.
type term struct {
	parameter string // path in a machine, such as scan.fixed
	needs     string // what points must have for it to be identified; empty = it is not fitted, but kept as the base has it
}

const minPoints = 20 // fewer are all fitted: there are none to spare for holding out

// hold marks every k-th usable point as held out.
func (m *model) hold(k int) {
	usable := 0
	for i := range m.points {
		if m.points[i].Use == Fitted {
			usable++
		}
	}
	if k == 0 || usable < minPoints {
		return
	}
	seen := 0
	for i := range m.points {
		if m.points[i].Use != Fitted {
			continue
		}
		if seen++; seen%k == 0 {
			m.points[i].Use = HeldOut
		}
	}
}

// keep takes parameters as the base has them.
func (m *model) keep(parameters []string) {
	for i := range m.terms {
		if slices.Contains(parameters, m.terms[i].parameter) {
			m.terms[i].needs = ""
		}
	}
}

// free gives the terms that are fitted.
func (m *model) free() (terms []term) {
	for _, t := range m.terms {
		if t.needs != "" {
			terms = append(terms, t)
		}
	}
	return terms
}

// fit estimates the model's free parameters, of which there must be some, with the others as the base has them.
func (m *model) fit(base *configs.Machine) (*Fit, error) {
	free := m.free()
	o := m.observations(base)
	if err := m.identified(free, o); err != nil {
		return nil, err
	}
	e := o.fit()
	if err := m.precise(free, o, e); err != nil {
		return nil, err
	}
	f := &Fit{Name: m.name, Source: m.source, Formula: m.formula, Points: m.points, Spread: e.scale, residuals: e.residuals}
	for j, t := range free {
		value, err := duration(base, t.parameter)
		if err != nil {
			return nil, err
		}
		half := e.half[j]
		if len(free) == 1 {
			half = max(half, m.rounding/2/leastOf(o.x, j))
		}
		f.Parameters = append(f.Parameters, Parameter{Name: t.parameter, Unit: "ns", Value: e.costs[j],
			Low: max(0, e.costs[j]-half), High: e.costs[j] + half, Base: float64(*value)})
	}
	f.judge(m.typical(base, e), m.rounding)
	return f, nil
}

// leastOf gives the smallest value of a column.
func leastOf(rows [][]float64, j int) float64 {
	least := math.Inf(1)
	for _, row := range rows {
		least = min(least, row[j])
	}
	return least
}

// observations are the points that are fitted.
func (m *model) observations(base *configs.Machine) *observations {
	o := &observations{draws: m.draws}
	for i := range m.points {
		if p := &m.points[i]; p.Use == Fitted {
			known, x := m.split(base, p)
			o.times, o.known, o.x = append(o.times, p.Measured), append(o.known, known), append(o.x, x)
		}
	}
	return o
}

// split parts what a point's time is made of into what is known and what multiplies the parameters that are fitted.
func (m *model) split(base *configs.Machine, p *Point) (known float64, x []float64) {
	known = p.known
	for j, t := range m.terms {
		if t.needs != "" {
			x = append(x, p.x[j])
		} else if value, err := duration(base, t.parameter); err == nil {
			known += float64(p.x[j] * float64(*value))
		}
	}
	return known, x
}

// typical gives the fitted time of a point: of a draw its median, of a mean the mean.
func (m *model) typical(base *configs.Machine, e *estimate) func(*Point) float64 {
	median := 1.0
	if m.draws {
		median = math.Exp(-e.scale * e.scale / 2)
	}
	return func(p *Point) float64 {
		known, x := m.split(base, p)
		return median * (known + dot(x, e.costs))
	}
}

// identified refuses points of a shape from which some parameter can't be told.
func (m *model) identified(free []term, o *observations) error {
	if want := max(3, len(free)+2); len(o.times) < want {
		return m.refuse(free[0].parameter, "there are %d usable points, want at least %d", len(o.times), want)
	}
	rows := matrix(len(o.times), len(free))
	for i := range rows {
		for j := range free {
			rows[i][j] = o.x[i][j] / o.times[i]
		}
	}
	columns := dependent(rows)
	if len(columns) == 0 {
		return nil
	}
	var names, needs []string
	for _, j := range columns {
		names = append(names, free[j].parameter)
		if !slices.Contains(needs, free[j].needs) {
			needs = append(needs, free[j].needs)
		}
	}
	return m.refuse(strings.Join(names, ", "), "%s; want %s", m.sameness(), strings.Join(needs, "; "))
}

// sameness says what the points don't vary.
func (m *model) sameness() string {
	var same []string
	for k, name := range m.settings {
		values := map[float64]bool{}
		for i := range m.points {
			if p := &m.points[i]; p.Use == Fitted {
				values[p.settings[k]] = true
			}
		}
		for value := range values {
			if len(values) == 1 {
				same = append(same, fmt.Sprintf("all points have %v %s", value, name))
			}
		}
	}
	if len(same) == 0 {
		return "what they multiply changes together in all points"
	}
	return strings.Join(same, " and ")
}

// precise refuses a parameter of which nothing is known but its order of magnitude: half its interval is more than the whole time of
// a point that holds it most.
func (m *model) precise(free []term, o *observations, e *estimate) error {
	if len(free) < 2 {
		return nil
	}
	for j, t := range free {
		most := 0.0
		for i := range o.times {
			most = max(most, o.x[i][j]/o.typical(i, e.costs))
		}
		if !(e.half[j]*most <= 1) {
			return m.refuse(t.parameter, "its 95 %% interval reaches up to %v, more than whole measured times; want more points, and %s",
				show(e.costs[j]+e.half[j]), t.needs)
		}
	}
	return nil
}

func (m *model) refuse(parameter, format string, args ...any) error {
	return &configs.Problem{File: m.source, Allowed: parameter + " cannot be identified: " + fmt.Sprintf(format, args...)}
}

// parameters names what the model fits.
func (m *model) parameters() string {
	var names []string
	for _, t := range m.free() {
		names = append(names, t.parameter)
	}
	return strings.Join(names, ", ")
}
