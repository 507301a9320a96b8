package markup

import "mmsim/reading"

// Size reads a size as Kudu's pages write it: 265B, 16.3K, 18.83G.
func Size(text string) (int64, bool) {
	units := map[byte]float64{'B': 1, 'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30, 'T': 1 << 40}
	if text == "" {
		return 0, false
	}
	unit, ok := units[text[len(text)-1]]
	if !ok {
		return 0, false
	}
	n, ok := reading.Number(text[:len(text)-1], 0, 1e18/unit)
	if !ok {
		return 0, false
	}
	return int64(n*unit + 0.5), true
}
