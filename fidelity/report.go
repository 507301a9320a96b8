// Package fidelity holds the simulator against what was measured on a real Kudu: it carries the measurements, runs the
// simulator on the same input, and says where the two agree, where not, and why.
package fidelity

import (
	"fmt"
	"math"
)

// Basis says what a simulated number rests on.
type Basis string

const (
	Rule       Basis = "rule"       // follows from Kudu's rules alone: nothing was measured to get it
	Prediction Basis = "prediction" // rests on costs that were fitted to other measurements than the one it is held against
	Fit        Basis = "fit"        // was fitted to this very measurement
)

// Check is one measured number or outcome beside the simulated one.
type Check struct {
	What      string   `json:"what"`
	Basis     Basis    `json:"basis"`
	Measured  string   `json:"measured"`
	Simulated string   `json:"simulated"`
	Bound     string   `json:"bound"` // how far apart the two may be
	OK        bool     `json:"ok"`
	Why       string   `json:"why,omitempty"`   // what is known of the cause, where they are further apart
	Off       float64  `json:"off"`             // how far apart, as the bound counts it
	Held      int      `json:"held,omitempty"`  // in how many of several simulations with other random numbers it holds
	Of        int      `json:"of,omitempty"`    // of how many; 0 = no random number plays a part
	Seeds     []string `json:"seeds,omitempty"` // what is simulated with each
}

// Section is the checks of one kind of measurement.
type Section struct {
	Title  string   `json:"title"`
	Text   string   `json:"text"` // how it was measured and simulated
	Checks []Check  `json:"checks"`
	Notes  []string `json:"notes,omitempty"`
}

// Report is everything measured against everything simulated.
type Report struct {
	Server   string    `json:"server"`
	Sections []Section `json:"sections"`
}

// Count gives the number of checks and of those that hold.
func (r *Report) Count() (ok, all int) {
	for i := range r.Sections {
		for j := range r.Sections[i].Checks {
			if all++; r.Sections[i].Checks[j].OK {
				ok++
			}
		}
	}
	return ok, all
}

// Counts says in words how many checks hold of each basis: predictions tell the most, fits the least.
func (r *Report) Counts() string {
	ok, all := map[Basis]int{}, map[Basis]int{}
	for i := range r.Sections {
		for _, c := range r.Sections[i].Checks {
			if all[c.Basis]++; c.OK {
				ok[c.Basis]++
			}
		}
	}
	return fmt.Sprintf("%d of %d predictions, %d of %d that follow from Kudu's rules, %d of %d fits", ok[Prediction], all[Prediction], ok[Rule], all[Rule], ok[Fit], all[Fit])
}

// within checks a number against an absolute bound; unit is appended to what is shown.
func within(what string, basis Basis, measured, simulated, bound float64, format, unit string) Check {
	off := math.Abs(simulated - measured)
	show := func(v float64) string { return fmt.Sprintf(format, v) + unit }
	return Check{What: what, Basis: basis, Measured: show(measured), Simulated: show(simulated), Bound: "within " + fmt.Sprintf("%v", bound) + unit, OK: off <= bound, Off: off}
}

// near checks a number against a bound in percent of the measured one.
func near(what string, basis Basis, measured, simulated, percent float64, format, unit string) Check {
	off := 100 * math.Abs(simulated-measured) / math.Abs(measured)
	show := func(v float64) string { return fmt.Sprintf(format, v) + unit }
	return Check{What: what, Basis: basis, Measured: show(measured), Simulated: show(simulated), Bound: fmt.Sprintf("within %v %%", percent), OK: off <= percent, Off: off}
}

// between checks a number against a range.
func between(what string, basis Basis, measured string, low, high, simulated float64, format, unit string) Check {
	off := max(0, low-simulated, simulated-high)
	show := func(v float64) string { return fmt.Sprintf(format, v) + unit }
	return Check{What: what, Basis: basis, Measured: measured, Simulated: show(simulated), Bound: show(low) + " to " + show(high), OK: off == 0, Off: off}
}

// share checks that as many of a number of cases as possible come out alike.
func share(what string, basis Basis, same, all, atLeast int) Check {
	return Check{What: what, Basis: basis, Measured: fmt.Sprintf("%d", all), Simulated: fmt.Sprintf("%d the same", same),
		Bound: fmt.Sprintf("at least %d", atLeast), OK: same >= atLeast, Off: float64(all - same)}
}
