package sim

import (
	"testing"

	"mmsim/sim/client"
	"mmsim/workloads"
)

// A latency beyond what a histogram log can hold is kept as the longest it can, and counted.
func TestLongestLatencyIsCounted(t *testing.T) {
	var l client.Load
	l.Latency[workloads.Insert].Record(5e3)
	l.Latency[workloads.Insert].Record(70 * 60e9)
	r := &recorder{}
	r.latencies("a", "t", []*client.Load{&l})
	if h := r.hists[0]; h.Count != 2 || h.Hist.TotalCount() != 2 || h.Hist.Min() != 5 {
		t.Errorf("count %d, in the histogram %d, smallest %d us; want 2, 2, 5", h.Count, h.Hist.TotalCount(), h.Hist.Min())
	}
}
