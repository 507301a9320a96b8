package results_test

import (
	"math"
	"slices"
	"testing"

	"mmsim/results"
	"mmsim/results/resultstest"

	"github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"
)

func TestStat(t *testing.T) {
	l := resultstest.Latency("a", "t", "SCAN", 1, 2, 3, 4, 5000)
	for name, want := range map[string]float64{
		"avg": 1002.4, // (1 + 2 + 3 + 4 + 5002) / 5: 5000 lies in the bucket 5000..5003, whose middle is 5002
		"min": 1, "max": 5003, "p50": 3, "p80": 4, "p100": 5003, "p0": 1,
	} {
		if got := l.Stat(name); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, bad := range []string{"", "p", "p101", "p-1", "pNaN", "median", "95", "p81", "p95", "p99.9"} { // p81 needs 6 operations
		if got := l.Stat(bad); !math.IsNaN(got) {
			t.Errorf("%q: %v", bad, got)
		}
	}
	if got := l.Mean(); got != 1002.5 { // (10 + 5000 + 5 * 0.5) / 5
		t.Error(got)
	}
	empty := results.Latency{}
	if !math.IsNaN(empty.Mean()) || !math.IsNaN(empty.Stat("avg")) {
		t.Error("figures of nothing")
	}
}

// The percentiles that YCSB printed for the real experiment are values that our buckets can give.
func TestHistogramGivesWhatYCSBPrints(t *testing.T) {
	for _, us := range []int64{4, 639, 7727, 4671, 9871, 2073, 3665, 3059} {
		l := resultstest.Latency("a", "t", "SCAN", us)
		if got := l.Stat("max"); got != float64(us) {
			t.Errorf("%d comes back as %v", us, got)
		}
	}
}

// The histogram keeps what YCSB's own does: the same buckets, and so the same percentiles and means.
func TestHistogramIsYCSBs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := results.Latency{Hist: results.NewHistogram()}
		for range rapid.IntRange(1, 50).Draw(t, "values") {
			us := rapid.Int64Range(0, rapid.SampledFrom([]int64{10, 3000, 100_000, 3_600_000_000}).Draw(t, "up to")).Draw(t, "us")
			if err := l.Hist.RecordValues(us, rapid.Int64Range(1, 1000).Draw(t, "count")); err != nil {
				t.Fatal(err)
			}
		}
		want := resultstest.Dense(l.Hist)
		bars := slices.DeleteFunc(want.Distribution(), func(b hdrhistogram.Bar) bool { return b.Count == 0 })
		for us, count := range l.Buckets() {
			if bars[0].To != us || bars[0].Count != count {
				t.Fatalf("%d of %d us, want %v", count, us, bars[0])
			}
			bars = bars[1:]
		}
		if len(bars) > 0 {
			t.Fatalf("without %v", bars)
		}
		for _, p := range []float64{0, 50, 95, 99, 99.999, 100} {
			if got, want := l.Hist.ValueAtPercentile(p), want.ValueAtPercentile(p); got != want {
				t.Fatalf("p%v %d, want %d", p, got, want)
			}
		}
		if l.Hist.Mean() != want.Mean() || l.Hist.Min() != want.Min() || l.Hist.Max() != want.Max() {
			t.Fatal("another mean, minimum or maximum")
		}
	})
}

func TestWaitAge(t *testing.T) {
	run := resultstest.Run("raw")
	for i, want := range []int64{250_000_000 - 1, 1e9, run.End - 7e9} {
		if got := run.Waits[i].Age(run.End); got != want {
			t.Errorf("wait %d: %d, want %d", i, got, want)
		}
	}
}
