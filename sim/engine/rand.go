package engine

import "math/bits"

// goldenGamma is 2^64 divided by the golden ratio, made odd: SplitMix64's step.
const goldenGamma = 0x9E3779B97F4A7C15

// Rand is one stream of random numbers: SplitMix64 with a step of its own for every stream (Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014). Two streams with different steps never walk the
// same cycle, and the generator is small enough to be inlined where it is called. Make one with Stream.
type Rand struct {
	state uint64
	gamma uint64 // odd
}

// Stream gives the stream of one entity for one purpose in one replication. Equal arguments give equal streams;
// any other argument gives an unrelated one, so what one stream draws never shifts another.
func Stream(seed uint64, replication int, entity, purpose string) Rand {
	h := mix64(seed + goldenGamma)
	h = mix64(h ^ uint64(replication))
	h = mixString(h, entity)
	h = mixString(h, purpose)
	return Rand{state: mix64(h), gamma: mixGamma(h + goldenGamma)}
}

// Uint64 draws 64 uniform bits.
func (r *Rand) Uint64() uint64 {
	r.state += r.gamma
	return mix64(r.state)
}

// Float64 draws a uniform multiple of 2^-53 in [0, 1).
func (r *Rand) Float64() float64 {
	return float64(r.Uint64()>>11) * 0x1p-53
}

// Int64N draws a uniform integer in [0, n). n is at least 1.
func (r *Rand) Int64N(n int64) int64 {
	hi, lo := bits.Mul64(r.Uint64(), uint64(n))
	if lo < uint64(n) {
		return r.unbias(uint64(n), hi, lo)
	}
	return int64(hi)
}

// unbias redraws the products that would favour some results (Lemire, "Fast random integer generation in an
// interval", 2019). It runs with probability n / 2^64.
func (r *Rand) unbias(n, hi, lo uint64) int64 {
	for lo < -n%n {
		hi, lo = bits.Mul64(r.Uint64(), n)
	}
	return int64(hi)
}

// mix64 is SplitMix64's finaliser: a bijection that spreads every input bit over all output bits.
func mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// mixString folds s and its length into h, so that ("ab", "c") differs from ("a", "bc").
func mixString(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001B3
	}
	return mix64(h ^ uint64(len(s))<<56)
}

// mixGamma makes an odd step whose bits alternate often enough; a step such as 1 would give a weaker stream.
func mixGamma(z uint64) uint64 {
	z = mix64(z) | 1
	if bits.OnesCount64(z^z>>1) < 24 {
		z ^= 0xAAAAAAAAAAAAAAAA
	}
	return z
}
