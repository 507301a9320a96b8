package engine

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func oracle() *hdrhistogram.Histogram { return hdrhistogram.New(1, 3_600_000_000, 3) }

// Highest equivalent values of 3 significant digits, as YCSB printed them for real runs.
func TestQuantisation(t *testing.T) {
	tests := []struct{ us, want int64 }{{0, 0}, {4, 4}, {639, 639}, {2047, 2047}, {2048, 2049}, {2073, 2073}, {4096, 4099},
		{7727, 7727}, {1_234_567, 1_234_943}}
	for _, tt := range tests {
		var h Histogram
		h.Record(tt.us*1000 + 999)
		if got := h.Percentile(50); got != tt.want {
			t.Errorf("p50 of %d us = %d, want %d", tt.us, got, tt.want)
		}
		if h.SumNs != tt.us*1000+999 {
			t.Errorf("sum of %d us = %d ns", tt.us, h.SumNs)
		}
	}
}

func TestClamp(t *testing.T) {
	var h Histogram
	for _, ns := range []int64{maxRecorded * 1000, (maxRecorded + 1) * 1000, int64(1e18)} {
		h.Record(ns)
	}
	if h.Count != 3 || h.Clamped != 2 || h.Percentile(100) != maxRecorded {
		t.Errorf("count %d, clamped %d, max %d", h.Count, h.Clamped, h.Percentile(100))
	}
}

// latencies of all magnitudes up to one hour, in ns.
var latencies = rapid.SliceOf(rapid.Custom(func(t *rapid.T) int64 {
	scale := rapid.SampledFrom([]int64{3_000, 5_000_000, 100_000_000, 3_600_000_000_000}).Draw(t, "scale")
	return rapid.Int64Range(0, scale).Draw(t, "ns")
}))

type bucket struct{ Us, Count int64 }

func buckets(h *Histogram) (b []bucket) {
	h.Each(func(us, count int64) { b = append(b, bucket{us, count}) })
	return b
}

func TestAgainstHdrHistogram(t *testing.T) {
	h := new(Histogram)
	rapid.Check(t, func(t *rapid.T) {
		h.Reset()
		want := oracle()
		var sum int64
		for _, ns := range latencies.Draw(t, "latencies") {
			h.Record(ns)
			sum += ns
			if err := want.RecordValue(ns / 1000); err != nil {
				t.Fatal(err)
			}
		}
		if h.Count != want.TotalCount() || h.SumNs != sum {
			t.Fatalf("count %d, sum %d, want %d, %d", h.Count, h.SumNs, want.TotalCount(), sum)
		}
		for _, p := range []float64{0, 0.001, 25, 50, 95, 99, 99.9, 99.999, 100, rapid.Float64Range(0, 100).Draw(t, "p")} {
			if got, want := h.Percentile(p), want.ValueAtPercentile(p); got != want {
				t.Fatalf("p%v = %d, want %d", p, got, want)
			}
		}
		again := oracle()
		h.Each(func(us, count int64) {
			if err := again.RecordValues(us, count); err != nil {
				t.Fatal(err)
			}
		})
		if !again.Equals(want) {
			t.Fatal("Each gives other buckets")
		}
	})
}

func TestMergeAndReset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, both := new(Histogram), new(Histogram), new(Histogram)
		for _, ns := range latencies.Draw(t, "a") {
			a.Record(ns)
			both.Record(ns)
		}
		for _, ns := range latencies.Draw(t, "b") {
			b.Record(ns)
			both.Record(ns)
		}
		a.Merge(b)
		if d := cmp.Diff(buckets(both), buckets(a)); d != "" || a.Count != both.Count || a.SumNs != both.SumNs {
			t.Fatalf("merge (-want +got):\n%s", d)
		}
		a.Reset()
		if len(buckets(a)) > 0 || a.Count != 0 || a.SumNs != 0 || a.Clamped != 0 {
			t.Fatal("something is left after Reset")
		}
	})
}
