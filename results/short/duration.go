// Package short writes durations and bytes to about three digits, for people.
package short

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration writes ns to about three digits for people: 1h2m, 12m5s, 3.25s, 250ms, 85us.
func Duration(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d < 0:
		return "-" + Duration(-ns)
	case d < time.Microsecond:
		return strconv.FormatInt(ns, 10) + "ns"
	case d < time.Millisecond:
		return significant(d.Seconds()*1e6) + "us"
	case d < time.Second:
		return significant(d.Seconds()*1e3) + "ms"
	case d < time.Minute:
		return significant(d.Seconds()) + "s"
	case d < time.Hour:
		return twoUnits(int64(d/time.Second), 60, "m", "s")
	case d < 24*time.Hour:
		return twoUnits(int64(d/time.Minute), 60, "h", "m")
	default:
		return twoUnits(int64(d/time.Hour), 24, "d", "h")
	}
}

// significant writes v, from 1 to below 1000, to three digits without trailing zeros.
func significant(v float64) string {
	decimals := 0
	if v < 10 {
		decimals = 2
	} else if v < 100 {
		decimals = 1
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if decimals > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func twoUnits(n, base int64, big, small string) string {
	if n%base == 0 {
		return fmt.Sprintf("%d%s", n/base, big)
	}
	return fmt.Sprintf("%d%s%d%s", n/base, big, n%base, small)
}
