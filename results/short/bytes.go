package short

import "strconv"

// Bytes writes a number of bytes to three digits for people: 12.3GiB.
func Bytes(n int64) string {
	if n == 0 {
		return "0B"
	}
	v, unit := float64(n), "B"
	for _, larger := range []string{"KiB", "MiB", "GiB", "TiB", "PiB"} {
		if v < 999.5 {
			break
		}
		v, unit = v/1024, larger
	}
	if v < 1 {
		return strconv.FormatFloat(v, 'f', 2, 64) + unit
	}
	return significant(v) + unit
}
