package calibrate

import (
	"math"

	"mmsim/configs"
)

// Result is a machine made from measurements, and what it rests on.
type Result struct {
	Base    string          `json:"base"`   // machine that gave what was not fitted
	Method  string          `json:"method"` // in one sentence
	Fits    []*Fit          `json:"fits"`
	Spreads []Parameter     `json:"spreads"` // sigmas of log-normal factors
	Shared  []Parameter     `json:"shared"`  // how cores are shared, where the load was given
	Notes   []string        `json:"notes"`   // what was measured but not used, and why
	Machine configs.Machine `json:"-"`
}

// Fit is one kind of measured time, explained by parameters of the machine.
type Fit struct {
	Name         string      `json:"name"`
	Source       string      `json:"source"`
	Formula      string      `json:"formula"`
	Parameters   []Parameter `json:"parameters"`
	Spread       float64     `json:"residual_spread"`                 // sigma of log(measured/fitted), outliers apart
	MedianError  float64     `json:"median_error"`                    // median of |fitted/measured - 1| of the points fitted
	HeldOutError float64     `json:"median_error_held_out,omitempty"` // the same of those held out; 0 if there are none
	Points       []Point     `json:"points"`

	residuals []float64
}

// Parameter is an estimate with its 95 % interval.
type Parameter struct {
	Name  string  `json:"name"` // path in a machine
	Unit  string  `json:"unit"` // ns, sigma for a spread, or times
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Base  float64 `json:"base"` // what the base has
}

// Use says what a point was used for.
type Use string

// The uses of a point.
const (
	Fitted  Use = "fitted"
	HeldOut Use = "held out"
	NotUsed Use = "not used"
)

// Point is one measured time.
type Point struct {
	File     string  `json:"file"`
	Line     int     `json:"line"`
	What     string  `json:"what"`
	Measured float64 `json:"measured_ns"`
	Fit      float64 `json:"fitted_ns,omitempty"` // typical time by the fit; 0 for a point that is not used
	Use      Use     `json:"use"`
	Why      string  `json:"why,omitempty"`     // it is not used
	Outlier  bool    `json:"outlier,omitempty"` // more than three sigma off

	op       *loggedOp // if it is one
	x        []float64 // of each term of the model, how much it holds
	known    float64   // ns that were measured as such
	settings []float64 // as the model names them
}

const outlierAt = 3 // sigma

// judge sets the points beside the fit. Twice the rounding is the unit of the times, and no outlier.
func (f *Fit) judge(typical func(*Point) float64, rounding float64) {
	var fitted, held []float64
	for i := range f.Points {
		p := &f.Points[i]
		if p.Use == NotUsed {
			continue
		}
		p.Fit = typical(p)
		off := math.Abs(p.Fit/p.Measured - 1)
		p.Outlier = math.Abs(math.Log(p.Measured/p.Fit)) > outlierAt*f.Spread && math.Abs(p.Measured-p.Fit) > max(2*rounding, 1e-6*p.Fit)
		if p.Use == HeldOut {
			held = append(held, off)
		} else {
			fitted = append(fitted, off)
		}
	}
	f.MedianError, f.HeldOutError = median(fitted), median(held)
}

// Count gives the number of points of a use.
func (f *Fit) Count(use Use) (n int) {
	for i := range f.Points {
		if f.Points[i].Use == use {
			n++
		}
	}
	return n
}
