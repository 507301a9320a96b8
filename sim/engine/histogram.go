package engine

import "math/bits"

// Buckets as HdrHistogram lays them out for 3 significant digits: values below 2048 have a bucket each; every
// further doubling of the value is split into 1024 buckets.
const (
	halfBits    = 10
	half        = 1 << halfBits
	doublings   = 21
	numPages    = doublings + 2
	maxRecorded = 2*half<<doublings - 1 // us: 71.6 minutes
)

// page is a run of neighbouring buckets: the first two hold the values below 2048, each other one the buckets of one doubling.
type page [half]int64

// Histogram counts latencies in whole microseconds with a relative error below 0.1 %, in the very buckets of
// HdrHistogram with 3 significant digits, which YCSB prints its percentiles from. The zero value is empty and ready.
// A page takes memory from the first latency that falls into it, so that thousands of clients can have histograms of their own.
type Histogram struct {
	Count   int64 // latencies recorded
	SumNs   int64 // their exact sum in ns
	Clamped int64 // of these, latencies above 71.6 minutes, counted as 71.6 minutes

	pages [numPages]*page
}

// Record counts one latency of ns nanoseconds (0 or more), truncated to microseconds as YCSB truncates.
func (h *Histogram) Record(ns int64) {
	us := uint64(ns) / 1000
	if us > maxRecorded {
		us = maxRecorded
		h.Clamped++
	}
	d := uint(bits.Len64(us|(2*half-1))) - (halfBits + 1)
	i := d<<halfBits + uint(us>>d)
	p := h.pages[i>>halfBits]
	if p == nil {
		p = h.page(i >> halfBits)
	}
	p[i&(half-1)]++
	h.Count++
	h.SumNs += ns
}

// page gives the n-th page, and makes it if need be.
func (h *Histogram) page(n uint) *page {
	if h.pages[n] == nil {
		h.pages[n] = new(page)
	}
	return h.pages[n]
}

// Tally adds many small latencies at once: counts[us] of us whole microseconds each, sumNs nanoseconds in all. There are
// at most 1024 counts; it sets them back to 0.
func (h *Histogram) Tally(counts []int32, sumNs int64) {
	p := h.page(0)
	for us, n := range counts {
		p[us] += int64(n)
		h.Count += int64(n)
		counts[us] = 0
	}
	h.SumNs += sumNs
}

// Percentile is the highest value, in us, of the bucket that holds the p-th percentile, p in [0, 100]; for p = 0 it is
// the lowest value of the first bucket. Rank and values are HdrHistogram's. An empty histogram gives 0.
func (h *Histogram) Percentile(p float64) int64 {
	rank := max(int64(float64(min(p, 100)/100*float64(h.Count))+0.5), 1)
	seen := int64(0)
	for n, page := range h.pages {
		if page == nil {
			continue
		}
		for k, count := range page {
			if seen += count; seen < rank {
				continue
			}
			if p <= 0 {
				return lowest(n, k)
			}
			return highest(n, k)
		}
	}
	return 0
}

// Each calls f for every bucket that holds counts, by rising value; us is the lowest value of the bucket.
func (h *Histogram) Each(f func(us, count int64)) {
	for n, page := range h.pages {
		if page == nil {
			continue
		}
		for k, count := range page {
			if count != 0 {
				f(lowest(n, k), count)
			}
		}
	}
}

// Merge adds what o has recorded.
func (h *Histogram) Merge(o *Histogram) {
	for n, page := range o.pages {
		if page == nil {
			continue
		}
		into := h.page(uint(n))
		for k, count := range page {
			into[k] += count
		}
	}
	h.Count += o.Count
	h.SumNs += o.SumNs
	h.Clamped += o.Clamped
}

// Reset empties the histogram and keeps its pages.
func (h *Histogram) Reset() {
	for _, page := range h.pages {
		if page != nil {
			clear(page[:])
		}
	}
	h.Count, h.SumNs, h.Clamped = 0, 0, 0
}

// lowest is the lowest value of the k-th bucket of page n, highest the highest. Pages 0 and 1 are of buckets one wide, page n of
// buckets 2^(n-1) wide.
func lowest(n, k int) int64 {
	if n == 0 {
		return int64(k)
	}
	return int64(half+k) << (n - 1)
}

func highest(n, k int) int64 { return lowest(n, k) + 1<<max(n-1, 0) - 1 }
