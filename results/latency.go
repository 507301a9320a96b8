package results

import (
	"math"
	"strconv"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// NewHistogram makes a histogram for latencies in microseconds, as every Latency of a Run holds one:
// 1 us to 1 hour, 3 significant digits, the buckets that YCSB reports from.
func NewHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, 3_600_000_000, 3) }

// Mean is the exact mean in microseconds; NaN without operations.
func (l *Latency) Mean() float64 {
	if l.Count == 0 {
		return math.NaN()
	}
	return float64(l.SumNs) / 1000 / float64(l.Count)
}

// Stat gives a figure of the distribution in microseconds: avg, min, max, or a percentile such as p95 or p99.9.
// It computes each as YCSB prints it, from whole microseconds: a percentile is the highest value of its bucket,
// and avg lies up to 1 us below Mean because YCSB truncates. NaN without operations or for an unknown name.
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
	digits, isPercentile := strings.CutPrefix(name, "p")
	percent, err := strconv.ParseFloat(digits, 64)
	if !isPercentile || err != nil || !(percent >= 0 && percent <= 100) {
		return math.NaN()
	}
	return float64(l.Hist.ValueAtPercentile(percent))
}

// Point is one point of a percentile curve.
type Point struct {
	Percentile float64 // 50 to 99.999
	Value      int64   // us
}

// pointsPerDecade is how many points LogPercentiles gives between one more nine and the next.
const pointsPerDecade = 20

// LogPercentiles gives the curve from the median to 99.999 %, evenly spaced on the axis -log10(1 - p/100).
// It ends where fewer than one operation would lie beyond a point, for the curve would only repeat the maximum there.
func LogPercentiles(hist *hdrhistogram.Histogram) []Point {
	if hist == nil || hist.TotalCount() == 0 {
		return nil
	}
	percentiles := []float64{50}
	for i := 1; i <= 5*pointsPerDecade; i++ {
		above := math.Pow(10, -float64(i)/pointsPerDecade)
		if above < 0.5 && above*float64(hist.TotalCount()) >= 1 {
			percentiles = append(percentiles, 100-float64(100*above))
		}
	}
	points := make([]Point, len(percentiles))
	for i, value := range hist.ValueAtPercentilesSlice(percentiles) {
		points[i] = Point{percentiles[i], value}
	}
	return points
}
