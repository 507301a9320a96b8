package server

import (
	"math"

	"mmsim/sim/engine"
)

// Costs are the machine's costs of client work in ns, compiled for sampling.
type Costs struct {
	RoundTrip, Replicate engine.Time

	ScanFixed, ScanIterate, ScanSeek, ScanRedo float64
	ScanFactor                                 *engine.Dist // multiplies the whole
	ColdRead                                   *engine.Dist

	Dispatch             engine.Time
	WriteFixed, WriteRow float64
	ApplyFixed, ApplyRow float64
	Bloom, BloomBatch    float64
	ColdChecks           bool // presence checks read from disk what is not in cache
	WriteFactor          *engine.Dist

	ClientsShare          bool                  // clients compute on the servers' cores
	ClientScan, ClientRow float64               // what they compute for a scan and for a row written
	Cold                  func(float64) float64 // how many times as much, after so many
}

// bloom is the cost of one bloom lookup in a batch of n rows. Neighbours in a sorted batch share filter blocks, so it falls
// with n: measured at 100 and at 1000 rows, and taken as linear in the logarithm between.
func (c *Costs) bloom(n int) float64 {
	switch {
	case n <= 100:
		return c.Bloom
	case n >= 1000:
		return c.BloomBatch
	}
	return c.Bloom + float64((c.BloomBatch-c.Bloom)*(math.Log10(float64(n))-2))
}
