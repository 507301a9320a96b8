package calibrate

import (
	"math"
	"slices"
)

const minSpreads = 6 // with fewer values the whole range is no 95 % interval of the median

// medianOf gives the median of values with the interval between order statistics that holds it in 95 % of samples
// (binomial law, by its normal approximation).
func medianOf(name string, values []float64, base float64) Parameter {
	n := len(values)
	p := Parameter{Name: name, Unit: "sigma", Base: base}
	if n < minSpreads {
		return p
	}
	sorted := slices.Sorted(slices.Values(values))
	half := 1.96 * math.Sqrt(float64(n)) / 2
	low, high := int(math.Floor(float64(n)/2-half)), int(math.Ceil(float64(n)/2+half))
	p.Value, p.Low, p.High = median(values), sorted[max(0, low)], sorted[min(n-1, high)]
	return p
}

// spreadOf gives the standard deviation of the residuals of a fit, outliers apart, with the interval of a normal law's.
func spreadOf(name string, f *Fit, base float64) Parameter {
	limit := outlierAt * scaleOf(f.residuals, len(f.Parameters))
	squares, n := 0.0, -len(f.Parameters)
	for _, r := range f.residuals {
		if math.Abs(r) <= limit {
			squares, n = squares+r*r, n+1
		}
	}
	if n <= 0 {
		return Parameter{Name: name, Unit: "sigma", Base: base}
	}
	sigma := math.Sqrt(squares / float64(n))
	half := 1.96 * sigma / math.Sqrt(2*float64(n))
	return Parameter{Name: name, Unit: "sigma", Value: sigma, Low: max(0, sigma-half), High: sigma + half, Base: base}
}
