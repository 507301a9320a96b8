package workloads

import "math"

// Latest is YCSB's "latest" choice of keys: zipfian, with the newest key the most likely.
type Latest struct {
	gray Zipfian
	tail float64 // 1 - (2/n)^(1-theta), of the number of keys at the start: YCSB keeps it when the table grows
	last int64
}

// NewLatest starts with the given number of records, 3 or more.
func NewLatest(records int64) *Latest {
	l := &Latest{tail: 1 - math.Pow(2/float64(records-1), 1-Theta)}
	l.follow(records - 1)
	return l
}

// At is the key for the uniform u in [0, 1) when last is the newest key; it is at most last. A last below the
// number of records at the start is allowed as long as it is above 1.
func (l *Latest) At(u float64, last int64) int64 {
	if last != l.last {
		l.follow(last)
	}
	return last - l.gray.At(u)
}

// follow makes last the number of ranks.
func (l *Latest) follow(last int64) {
	l.last = last
	l.gray.n = last
	l.gray.zetan = zeta(last)
	l.gray.eta = l.tail / (1 - (1+second)/l.gray.zetan)
}
