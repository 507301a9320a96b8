package results

import (
	"math"
	"strconv"
	"strings"
)

// Needed is how many samples a percentile needs to be told: so many that one of them lies beyond it, which is 2 for the median, 20 for
// p95, 100 for p99 and 1,000 for p99.9. With fewer it is the largest of them, or next to it, and moves by chance.
func Needed(percent float64) int64 {
	if percent >= 100 {
		return 1
	}
	return int64(math.Ceil(100 / (100 - percent) * (1 - 1e-9))) // the subtraction is not exact
}

// Told says whether n samples are enough for a percentile.
func Told(percent float64, n int64) bool { return n >= Needed(percent) }

// PercentOf reads the name of a percentile: 99.9 for p99.9.
func PercentOf(stat string) (percent float64, ok bool) {
	digits, ok := strings.CutPrefix(stat, "p")
	percent, err := strconv.ParseFloat(digits, 64)
	return percent, ok && err == nil && percent >= 0 && percent <= 100
}
