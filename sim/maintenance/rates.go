package maintenance

import "mmsim/sim/engine"

// window keeps a replica's rates of scans and rows written as Kudu does (tablet.cc, collection of workload statistics): nothing in the first
// minute after the base time; then over a growing window; and past the reset interval the base moves to now, which
// freezes the rates for another minute.
type window struct {
	base                engine.Time
	scans0, rows0       int64
	ScansPerS, RowsPerS float64
}

// update brings the rates up to date. Kudu compares whole milliseconds.
func (w *window) update(now, minInterval, reset engine.Time, scans, rows int64) {
	elapsed := now - w.base
	if wholeMs(elapsed) > wholeMs(minInterval) {
		seconds := float64(elapsed) / 1e9
		w.ScansPerS = float64(scans-w.scans0) / seconds
		w.RowsPerS = float64(rows-w.rows0) / seconds
	}
	if wholeMs(elapsed) > wholeMs(reset) {
		w.base, w.scans0, w.rows0 = now, scans, rows
	}
}

// Counters are a replica's counts of scans started and rows written at one look.
type Counters struct {
	At          engine.Time // since the replica was opened
	Scans, Rows int64
}

// RatesOf gives the rates that Kudu holds after looks at a replica in the order of time.
func (c *Config) RatesOf(looks []Counters) (scansPerS, rowsPerS float64) {
	var w window
	for _, l := range looks {
		w.update(l.At, c.RateMin, c.RateReset, l.Scans, l.Rows)
	}
	return w.ScansPerS, w.RowsPerS
}

// wholeMs cuts a time to milliseconds; intervals scaled below one are compared as they are.
func wholeMs(t engine.Time) engine.Time {
	if t < 1e6 {
		return t
	}
	return t / 1e6 * 1e6
}
