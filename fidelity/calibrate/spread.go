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

// pooledSpread gives the sigma of the residuals of fits together, each about its own fit, outliers apart.
func pooledSpread(name string, fits []*Fit, base float64) Parameter {
	var all []float64
	parameters := 0
	for _, f := range fits {
		all = append(all, f.residuals...)
		parameters += len(f.Parameters)
	}
	sigma := scaleOf(all, parameters)
	half := 1.96 * madError * sigma / math.Sqrt(float64(len(all)))
	return Parameter{Name: name, Unit: "sigma", Value: sigma, Low: max(0, sigma-half), High: sigma + half, Base: base}
}
