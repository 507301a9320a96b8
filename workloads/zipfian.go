package workloads

import "math"

// Theta is the skew of every zipfian distribution here, YCSB's constant.
const Theta = 0.99

// Zipfian draws integers by the method of Gray et al., "Quickly generating billion-record synthetic databases"
// (SIGMOD 1994), as YCSB does. It approximates Zipf's law: exact for the first two ranks, up to 20 % high for the
// third.
type Zipfian struct {
	min, n     int64
	zetan, eta float64
}

// second is the weight of rank 2 relative to rank 1.
var second = math.Pow(0.5, Theta)

// NewZipfian draws from [min, max], where min is the most likely. max is at least min.
func NewZipfian(min, max int64) *Zipfian {
	n := max - min + 1
	z := newGray(min, n, zeta(n))
	return &z
}

func newGray(min, n int64, zetan float64) Zipfian {
	eta := (1 - math.Pow(2/float64(n), 1-Theta)) / (1 - (1+second)/zetan)
	return Zipfian{min: min, n: n, zetan: zetan, eta: eta}
}

// At is the integer for the uniform u in [0, 1); it never falls as u rises.
func (z *Zipfian) At(u float64) int64 {
	uz := u * z.zetan
	if uz < 1 {
		return z.min
	}
	if uz < 1+second {
		return z.min + 1
	}
	k := int64(float64(z.n) * pow100(float64(z.eta*u)-z.eta+1))
	return z.min + min(k, z.n-1)
}

// below is P(At < min+m), for m from 0 to n.
func (z *Zipfian) below(m int64) float64 {
	switch {
	case m >= z.n:
		return 1
	case m == 0:
		return 0
	case m == 1:
		return 1 / z.zetan
	default:
		return 1 - (1-math.Pow(float64(m)/float64(z.n), 1-Theta))/z.eta
	}
}

// pow100 is x^100: Gray's exponent 1/(1-theta) without the cost of math.Pow.
func pow100(x float64) float64 {
	x4 := x * x * x * x
	x8 := x4 * x4
	x32 := x8 * x8 * x8 * x8
	return x32 * x32 * x32 * x4
}

// zetaTerms is how many terms of zeta are summed one by one.
const zetaTerms = 1000

// zetas holds zeta of every n up to zetaTerms.
var zetas = func() (sums [zetaTerms + 1]float64) {
	for i := 1; i <= zetaTerms; i++ {
		sums[i] = sums[i-1] + math.Pow(float64(i), -Theta)
	}
	return sums
}()

// zeta is the sum of i^-theta for i from 1 to n; beyond the first terms by the Euler-Maclaurin formula, whose
// next term would be below 1e-14.
func zeta(n int64) float64 {
	if n <= zetaTerms {
		return zetas[n]
	}
	return zetas[zetaTerms] + (zetaGrowth(float64(n)) - zetaGrowth(zetaTerms))
}

// zetaGrowth is x^(1-theta)/(1-theta) + x^-theta/2 - theta*x^(-theta-1)/12: its increase is that of zeta.
func zetaGrowth(x float64) float64 {
	return math.Pow(x, 1-Theta) * (1/(1-Theta) + 1/(2*x) - Theta/(12*x*x))
}
