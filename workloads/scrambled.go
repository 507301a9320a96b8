package workloads

// Ranks of a scrambled zipfian, whatever its number of keys, and their zeta: YCSB's constants.
const (
	scrambledRanks = 10_000_000_001
	scrambledZeta  = 26.46902820178302
)

// ScrambledZipfian is YCSB's "zipfian" choice of keys: a zipfian rank out of 10^10, hashed onto the keys. The most
// popular key gets 3.78 % of the requests however many keys there are, and popular keys lie anywhere.
type ScrambledZipfian struct {
	min   int64
	n     uint64
	ranks Zipfian
}

// NewScrambled draws from the n keys (1 or more) from min on.
func NewScrambled(min, n int64) *ScrambledZipfian {
	return &ScrambledZipfian{min: min, n: uint64(n), ranks: newGray(0, scrambledRanks, scrambledZeta)}
}

// At is the key for the uniform u in [0, 1).
func (s *ScrambledZipfian) At(u float64) int64 {
	return s.min + int64(uint64(Hash(s.ranks.At(u)))%s.n)
}
