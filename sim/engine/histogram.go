package engine

import "math/bits"

// Buckets as HdrHistogram lays them out for 3 significant digits: values below 2048 have a bucket each; every
// further doubling of the value is split into 1024 buckets.
const (
	halfBits    = 10
	half        = 1 << halfBits
	doublings   = 21
	numBuckets  = (doublings + 2) * half
	maxRecorded = 2*half<<doublings - 1 // us: 71.6 minutes
)

// Histogram counts latencies in whole microseconds with a relative error below 0.1 %, in the very buckets of
// HdrHistogram with 3 significant digits, which YCSB prints its percentiles from. The zero value is empty and ready.
type Histogram struct {
	Count   int64 // latencies recorded
	SumNs   int64 // their exact sum in ns
	Clamped int64 // of these, latencies above 71.6 minutes, counted as 71.6 minutes

	touched uint32 // bit d: a bucket of doubling d may hold a count
	counts  [numBuckets]int64
}

// Record counts one latency of ns nanoseconds (0 or more), truncated to microseconds as YCSB truncates.
func (h *Histogram) Record(ns int64) {
	us := uint64(ns) / 1000
	if us > maxRecorded {
		us = maxRecorded
		h.Clamped++
	}
	d := uint(bits.Len64(us|(2*half-1))) - (halfBits + 1)
	h.counts[d<<halfBits+uint(us>>d)]++
	h.touched |= 1 << d
	h.Count++
	h.SumNs += ns
}

// Tally adds many small latencies at once: counts[us] of us whole microseconds each, sumNs nanoseconds in all. There are
// at most 2048 counts; it sets them back to 0.
func (h *Histogram) Tally(counts []int32, sumNs int64) {
	for us, n := range counts {
		h.counts[us] += int64(n)
		h.Count += int64(n)
		counts[us] = 0
	}
	h.touched |= 1
	h.SumNs += sumNs
}

// Percentile is the highest value, in us, of the bucket that holds the p-th percentile, p in [0, 100]; for p = 0 it is
// the lowest value of the first bucket. Rank and values are HdrHistogram's. An empty histogram gives 0.
func (h *Histogram) Percentile(p float64) int64 {
	rank := max(int64(float64(min(p, 100)/100*float64(h.Count))+0.5), 1)
	seen := int64(0)
	for d := uint(0); d <= doublings; d++ {
		lo, hi := h.span(d)
		for i := lo; i < hi; i++ {
			if seen += h.counts[i]; seen < rank {
				continue
			}
			if p <= 0 {
				return lowest(i, d)
			}
			return lowest(i+1, d) - 1
		}
	}
	return 0
}

// Each calls f for every bucket that holds counts, by rising value; us is the lowest value of the bucket.
func (h *Histogram) Each(f func(us, count int64)) {
	for d := uint(0); d <= doublings; d++ {
		lo, hi := h.span(d)
		for i := lo; i < hi; i++ {
			if n := h.counts[i]; n != 0 {
				f(lowest(i, d), n)
			}
		}
	}
}

// Merge adds what o has recorded.
func (h *Histogram) Merge(o *Histogram) {
	for d := uint(0); d <= doublings; d++ {
		lo, hi := o.span(d)
		for i := lo; i < hi; i++ {
			h.counts[i] += o.counts[i]
		}
	}
	h.touched |= o.touched
	h.Count += o.Count
	h.SumNs += o.SumNs
	h.Clamped += o.Clamped
}

// Reset empties the histogram. It clears only the doublings that were used.
func (h *Histogram) Reset() {
	for d := uint(0); d <= doublings; d++ {
		lo, hi := h.span(d)
		clear(h.counts[lo:hi])
	}
	h.touched, h.Count, h.SumNs, h.Clamped = 0, 0, 0, 0
}

// span is the range of buckets of doubling d, empty if none was touched. Doubling 0 has the 2048 buckets one wide;
// doubling d the 1024 of width 2^d.
func (h *Histogram) span(d uint) (lo, hi uint) {
	switch {
	case h.touched>>d&1 == 0:
		return 0, 0
	case d == 0:
		return 0, 2 * half
	default:
		return (d + 1) << halfBits, (d + 2) << halfBits
	}
}

// lowest is the lowest value of bucket i, which belongs to doubling d.
func lowest(i, d uint) int64 { return int64(i-d<<halfBits) << d }
