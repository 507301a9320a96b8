package results

import (
	"iter"
	"math"
	"math/bits"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// NewHistogram makes a histogram for latencies in microseconds, as every Latency of a Run holds one:
// 1 us to 1 hour, 3 significant digits, the buckets that YCSB reports from.
// It takes memory for the buckets that hold something only, since a result may have thousands.
func NewHistogram() *hdrhistogram.PackedHistogram { return hdrhistogram.NewPacked(1, 3_600_000_000, 3) }

// Buckets gives the buckets that hold operations, by rising latency: the highest microsecond of each, and how many.
func (l *Latency) Buckets() iter.Seq2[int64, int64] {
	return func(yield func(us, count int64) bool) {
		for lowest, count := range l.Hist.ForEachBucket {
			width := int64(1) << max(bits.Len64(uint64(lowest))-11, 0) // 1 below 2048 us, twice that in each doubling
			if !yield(lowest+width-1, count) {
				return
			}
		}
	}
}

// Mean is the exact mean in microseconds; NaN without operations.
func (l *Latency) Mean() float64 {
	if l.Count == 0 {
		return math.NaN()
	}
	return float64(l.SumNs) / 1000 / float64(l.Count)
}

// Stat gives a figure of the distribution in microseconds: avg, min, max, or a percentile such as p95 or p99.9.
// It computes each as YCSB prints it, from whole microseconds: a percentile is the highest value of its bucket,
// and avg lies up to 1 us below Mean because YCSB truncates. NaN without operations, for a percentile that needs more of
// them than there are, or for an unknown name.
func (l *Latency) Stat(name string) float64 {
	if l.Hist == nil || l.Hist.TotalCount() == 0 {
		return math.NaN()
	}
	switch name {
	case "avg":
		return l.Hist.Mean()
	case "min":
		return float64(l.Hist.Min())
	case "max":
		return float64(l.Hist.Max())
	}
	percent, ok := PercentOf(name)
	if !ok || !Told(percent, l.Hist.TotalCount()) {
		return math.NaN()
	}
	return float64(l.Hist.ValueAtPercentile(percent))
}
