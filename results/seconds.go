package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mmsim/reading"
)

// AppendSeconds writes ns exactly, as seconds with up to nine decimals.
func AppendSeconds(b []byte, ns int64) []byte {
	if ns < 0 {
		b, ns = append(b, '-'), -ns
	}
	b = strconv.AppendInt(b, ns/1e9, 10)
	if ns %= 1e9; ns == 0 {
		return b
	}
	point := len(b)
	b = strconv.AppendInt(b, 1e9+ns, 10) // a 1, then nine decimals
	b[point] = '.'
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}

// ParseSeconds reads what AppendSeconds writes, and seconds of others.
func ParseSeconds(s string) (int64, error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if whole == "" {
		return 0, fmt.Errorf("%q is not a number of seconds", s)
	}
	if len(fraction) > 9 {
		return 0, fmt.Errorf("%q has more than nine decimals", s)
	}
	ns, ok := reading.Whole(whole+fraction+strings.Repeat("0", 9-len(fraction)), 0, math.MaxInt64)
	if !ok {
		return 0, fmt.Errorf("%q is not a number of seconds", s)
	}
	if negative {
		ns = -ns
	}
	return ns, nil
}
