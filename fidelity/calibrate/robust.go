package calibrate

import (
	"math"
	"slices"
)

// observations are times of the form known + sum of x * cost, each multiplied by a factor that is log-normal but for outliers.
type observations struct {
	times []float64   // above 0
	known []float64   // the part of each time that is not fitted
	x     [][]float64 // of each time, how much of each cost it holds; none negative
	draws bool        // a time is one draw of the factor, whose mean is 1; otherwise it is a mean of many, and the factor's median is 1
}

// estimate is what robust fitting finds.
type estimate struct {
	costs     []float64
	half      []float64 // half the 95 % interval of each
	residuals []float64 // natural logarithm of time / fitted typical time
	scale     float64   // sigma of the residuals, outliers apart
}

const (
	huberK      = 1.345  // where Huber's function turns from square to linear: 95 % efficient for normal residuals
	madFactor   = 1.4826 // from a normal law's median absolute deviation to its sigma
	leastFitted = 1e-9   // of a time: costs of 0 would give none, which has no logarithm
	madError    = 1.167  // sigma found that way has a relative standard error of madError / sqrt(n)
)

// fit minimises Huber's function of the logarithms of the ratios of times to fitted times, over costs that are not negative:
// Gauss-Newton steps, each an iteratively reweighted least squares (Huber 1981, chapter 7; Holland and Welsch 1977).
// The logarithm makes equal ratios count alike, as a multiplicative spread asks for.
func (o *observations) fit() *estimate {
	n, p := len(o.times), len(o.x[0])
	rows, target, weights := matrix(n, p), make([]float64, n), make([]float64, n)
	e := &estimate{residuals: make([]float64, n)}
	typical := slices.Clone(o.times) // fitted times; the first step takes the measured ones
	for i := range weights {
		weights[i] = 1
	}
	for range 200 {
		shift := o.shift(e.scale)
		for i, t := range typical {
			for j, x := range o.x[i] {
				rows[i][j] = x / t
			}
			target[i] = math.Log(o.times[i]/t) + shift + 1 - o.known[i]/t
		}
		costs := nonNegative(rows, target, weights)
		done := e.costs != nil && near(e.costs, costs)
		e.costs = costs
		for i := range typical {
			typical[i] = max(o.typical(i, costs), leastFitted*o.times[i])
			e.residuals[i] = math.Log(o.times[i]/typical[i]) + shift
		}
		e.scale = scaleOf(e.residuals, p)
		if done {
			break
		}
		for i, r := range e.residuals {
			weights[i] = huberWeight(r, e.scale)
		}
	}
	e.half = o.intervals(e, typical)
	return e
}

// typical is the time that costs give for observation i.
func (o *observations) typical(i int, costs []float64) float64 {
	return o.known[i] + dot(o.x[i], costs)
}

// shift is how far the logarithm of a log-normal factor's mean lies above the mean of its logarithm.
func (o *observations) shift(scale float64) float64 {
	if !o.draws {
		return 0
	}
	return scale * scale / 2
}

// intervals gives half the width of each cost's 95 % interval, by the asymptotic covariance of Huber's estimate with his correction for
// small samples (Huber 1981, section 7.6) and Student's t. That of a mean of draws also holds the error of the shift.
func (o *observations) intervals(e *estimate, typical []float64) []float64 {
	n, p := len(typical), len(e.costs)
	rows := matrix(n, p)
	squares, linear := 0.0, 0.0 // of Huber's psi, and the share of residuals where it is linear
	for i, r := range e.residuals {
		for j, x := range o.x[i] {
			rows[i][j] = x / typical[i]
		}
		psi := r * huberWeight(r, e.scale)
		squares += psi * psi
		if psi == r {
			linear++
		}
	}
	linear /= float64(n)
	correction := 1 + float64(p)/float64(n)*(1-linear)/linear
	variance := correction * correction * squares / float64(n-p) / (linear * linear)
	shiftError := 0.0
	if o.draws {
		shiftError = madError * e.scale * e.scale / math.Sqrt(float64(n))
	}
	half := make([]float64, p)
	for j, v := range inverseDiagonal(rows) {
		half[j] = studentT(n-p) * math.Hypot(math.Sqrt(variance*v), e.costs[j]*shiftError)
	}
	return half
}

func huberWeight(residual, scale float64) float64 {
	if a := math.Abs(residual); a > huberK*scale {
		return huberK * scale / a
	}
	return 1
}

// scaleOf gives the sigma of residuals about 0 after p parameters were fitted, from their median size.
func scaleOf(residuals []float64, p int) float64 {
	sizes := make([]float64, len(residuals))
	for i, r := range residuals {
		sizes[i] = math.Abs(r)
	}
	n := float64(len(sizes))
	// A floor where rounding ends: below it all residuals are as good as 0.
	return max(madFactor*median(sizes)*math.Sqrt(n/(n-float64(p))), 1e-9)
}

func near(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9*math.Abs(a[i]) {
			return false
		}
	}
	return true
}

// median gives 0 for no values.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// studentT is the 97.5 % quantile of Student's t with df degrees of freedom: exact for 1 and 2, else by the Cornish-Fisher
// expansion of Abramowitz and Stegun (1964), 26.7.5.
func studentT(df int) float64 {
	const z = 1.959963984540054
	switch df {
	case 1:
		return 12.706204736432095
	case 2:
		return 4.302652729911275
	}
	v := float64(df)
	z3, z5, z7, z9 := math.Pow(z, 3), math.Pow(z, 5), math.Pow(z, 7), math.Pow(z, 9)
	return z + (z3+z)/4/v + (5*z5+16*z3+3*z)/96/(v*v) + (3*z7+19*z5+17*z3-15*z)/384/(v*v*v) +
		(79*z9+776*z7+1482*z5-1920*z3-945*z)/92160/(v*v*v*v)
}
