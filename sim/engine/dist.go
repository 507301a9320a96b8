package engine

import "math"

// A Dist has a line for each of this many equal steps of probability. The outermost tailBins on each side have none:
// there the inverse distribution function bends too much for straight lines and is computed.
const (
	distBins = 1024
	tailBins = distBins / 512
)

// Dist is a distribution compiled for fast sampling by inversion: one uniform gives one value. Between the 1/512 and
// the 511/512 quantile the inverse is interpolated linearly, which keeps the mean within 0.1 % (of a log-normal up
// to sigma 1.5); the tails are exact, so that even the 99.999th percentile of 10^9 samples is right.
type Dist struct {
	lines  [distBins]line
	law    law
	median float64 // of a log-normal
	sigma  float64 // of a log-normal's logarithm
	mean   float64
}

// line is value = base + slope * u. In a tail it is NaN.
type line struct{ base, slope float64 }

type law uint8

const (
	constant law = iota
	logNormal
	exponential
)

// Constant always gives v.
func Constant(v float64) *Dist {
	return compile(&Dist{law: constant, mean: v})
}

// LogNormal has the given median (above 0) and sigma (0 or more), the standard deviation of the natural logarithm.
// Its mean is median * exp(sigma^2/2).
func LogNormal(median, sigma float64) *Dist {
	if sigma == 0 {
		return Constant(median)
	}
	mean := median * math.Exp(sigma*sigma/2)
	return compile(&Dist{law: logNormal, median: median, sigma: sigma, mean: mean})
}

// Factor is the log-normal distribution with mean 1: it spreads a cost without changing its mean.
func Factor(sigma float64) *Dist {
	return LogNormal(math.Exp(-sigma*sigma/2), sigma)
}

// Exponential has the given mean, 0 or more.
func Exponential(mean float64) *Dist {
	return compile(&Dist{law: exponential, mean: mean})
}

func compile(d *Dist) *Dist {
	for i := range d.lines {
		if i < tailBins || i >= distBins-tailBins {
			d.lines[i].base = math.NaN()
			continue
		}
		left, right := float64(i)/distBins, float64(i+1)/distBins
		q := d.inverse(left)
		slope := (d.inverse(right) - q) * distBins
		d.lines[i] = line{q - float64(slope*left), slope}
	}
	return d
}

// Mean is the mean of the distribution as defined; sampling reproduces it within 0.1 %.
func (d *Dist) Mean() float64 { return d.mean }

// At is the u-quantile, u in [0, 1).
func (d *Dist) At(u float64) float64 {
	v := d.Quick(u)
	if v != v {
		return d.inverse(u)
	}
	return v
}

// Sample draws one value.
func (d *Dist) Sample(r *Rand) float64 {
	u := r.Float64()
	v := d.Quick(u)
	if v != v {
		return d.inverse(u)
	}
	return v
}

// Quick is At where a line gives it, and NaN in a tail: small enough to be inlined into the hottest loops, which turn to At for a NaN.
func (d *Dist) Quick(u float64) float64 {
	l := &d.lines[int(u*distBins)&(distBins-1)]
	return l.base + float64(l.slope*u)
}

// inverse is the exact inverse distribution function. It treats u = 0 as half the smallest uniform above it, so that
// no law gives an impossible value.
func (d *Dist) inverse(u float64) float64 {
	u = max(u, 0x1p-54)
	switch d.law {
	case logNormal:
		return d.median * math.Exp(-d.sigma*math.Sqrt2*math.Erfcinv(2*u))
	case exponential:
		return -d.mean * math.Log1p(-u)
	default:
		return d.mean
	}
}
