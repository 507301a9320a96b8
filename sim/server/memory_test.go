package server

import (
	"math"
	"testing"

	"mmsim/sim/engine"
)

// limit1000 is a server of 1000 bytes, of which a hundred are taken whatever it stores.
func limit1000() Memory {
	return Memory{Limit: 1000, RAM: 1250, BlockCache: 70, Base: 30, PressurePercent: 60, SoftPercent: 80}
}

func TestMemoryInUse(t *testing.T) {
	m := limit1000()
	m.Add(500)
	m.Add(-200)
	if m.Used() != 400 || m.UsedPercent() != 40 || m.PeakPercent() != 60 {
		t.Errorf("used %d (%v %%), peak %v %%; want 400, 40, 60", m.Used(), m.UsedPercent(), m.PeakPercent())
	}
}

func TestPressureAt60Percent(t *testing.T) {
	for stores, want := range map[int64]bool{0: false, 499: false, 500: true, 900: true, 1500: true} {
		m := limit1000()
		if m.Add(stores); m.UnderPressure() != want {
			t.Errorf("with %d bytes used: under pressure %v, want %v", m.Used(), !want, want)
		}
	}
}

// Writes are rejected never below 80 %, always at 100 %, and linearly more often between.
func TestRejections(t *testing.T) {
	rand := engine.Stream(1, 0, "server", "rejections")
	for _, c := range []struct {
		used int64
		want float64
	}{{100, 0}, {799, 0}, {800, 0}, {850, .25}, {900, .5}, {950, .75}, {1000, 1}, {1200, 1}} {
		m := limit1000()
		m.Add(c.used - m.Used())
		const writes = 20_000
		rejected := 0
		for range writes {
			if m.rejects(&rand) {
				rejected++
			}
		}
		tolerance := .015 // four standard deviations of the mean of 20,000 draws
		if c.want == 0 || c.want == 1 {
			tolerance = 0
		}
		if got := float64(rejected) / writes; math.Abs(got-c.want) > tolerance {
			t.Errorf("at %d bytes of 1000, %v of the writes are rejected, want %v", c.used, got, c.want)
		}
	}
}

func TestPageCacheIsWhatIsLeft(t *testing.T) {
	m := limit1000()
	for _, c := range []struct{ stores, want int64 }{{0, 1220}, {900, 320}, {1150, 70}, {2000, 70}} { // 1250 - used, and the block cache
		m.stores = c.stores
		if got := m.PageCache(); got != c.want {
			t.Errorf("with %d bytes in stores the page cache has %d, want %d", c.stores, got, c.want)
		}
	}
}
