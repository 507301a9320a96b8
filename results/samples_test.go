package results

import "testing"

// One sample of so many lies beyond the percentile.
func TestNeeded(t *testing.T) {
	for percent, want := range map[float64]int64{0: 1, 50: 2, 80: 5, 90: 10, 95: 20, 99: 100, 99.5: 200, 99.9: 1000, 99.99: 10_000, 99.999: 100_000,
		99.9999: 1_000_000, 100: 1} {
		if got := Needed(percent); got != want {
			t.Errorf("p%v needs %d, want %d", percent, got, want)
		}
		if Told(percent, want-1) || !Told(percent, want) {
			t.Errorf("p%v is not told from %d samples on", percent, want)
		}
	}
}
