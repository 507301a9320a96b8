// Package workloads says what clients ask for: which operation, on which key, how many rows. It follows YCSB's
// CoreWorkload. It knows neither time nor randomness: every choice is a function of a uniform in [0, 1) that the
// caller draws.
package workloads

import (
	"math"
	"math/bits"
)

// Hash is YCSB's hash of a key number: 64-bit FNV-1a over its bytes, the least significant first, made positive. It
// scatters inserts (insert order "hashed") and popular keys ("zipfian").
func Hash(k int64) int64 {
	const offset, prime = 0xCBF29CE484222325, 0x100000001B3
	h, v := uint64(offset), uint64(k)
	for range 8 {
		h = (h ^ v&0xFF) * prime
		v >>= 8
	}
	s := int64(h)
	if s < 0 {
		s = -s
	}
	return s & math.MaxInt64 // -2^63 has no positive; it becomes 0
}

// Bucket is the hash bucket, 0 to tablets-1, of a key number. It is uniform and looks random, as Kudu's is, but it is
// not Kudu's own hash of the key's bytes: which keys share a tablet differs from a real table.
func Bucket(k int64, tablets int) int {
	hi, _ := bits.Mul64(mix64(uint64(k)), uint64(tablets))
	return int(hi)
}

// mix64 is the finaliser of SplitMix64 behind one step, so that 0 does not map to 0.
func mix64(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
