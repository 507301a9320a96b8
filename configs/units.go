package configs

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// unit is a suffix and how many base units it stands for.
type unit struct {
	name string
	size int64
}

// Units from the largest to the smallest; where two texts of a value are equally long, the earlier unit is written.
var (
	byteUnits = []unit{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
		{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}
	timeUnits = []unit{{"d", int64(24 * time.Hour)}, {"h", int64(time.Hour)}, {"m", int64(time.Minute)},
		{"s", int64(time.Second)}, {"ms", int64(time.Millisecond)}, {"us", int64(time.Microsecond)}, {"ns", 1}}
	rateUnits = []string{"", "/s", "op/s", "ops/s", "scan/s", "scans/s", "row/s", "rows/s"}
)

// quantity is a number and what follows it. It has no exponent and an end, which keeps the exact arithmetic of parseUnits small.
var quantity = regexp.MustCompile(`^([0-9][0-9_]{0,400}(?:\.[0-9_]{1,400})?) ?([A-Za-zµ/ ]*)$`)

// parseUnits reads a number with one of units, exactly, rounded to the nearest base unit.
func parseUnits(text string, units []unit) (int64, error) {
	m := quantity.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is not a number with a unit", text)
	}
	for _, u := range units {
		if u.name != strings.Replace(m[2], "µ", "u", 1) {
			continue
		}
		r, ok := new(big.Rat).SetString(strings.ReplaceAll(m[1], "_", ""))
		if !ok {
			return 0, fmt.Errorf("%q is not a number", m[1])
		}
		r.Mul(r, new(big.Rat).SetInt64(u.size))
		r.Add(r, big.NewRat(1, 2)) // floor(x + 1/2) is the nearest whole number
		n := new(big.Int).Quo(r.Num(), r.Denom())
		if !n.IsInt64() {
			return 0, fmt.Errorf("%q is too large", text)
		}
		return n.Int64(), nil
	}
	return 0, fmt.Errorf("%q has no known unit", text)
}

// formatUnits writes n with the unit that gives the shortest exact text of at most three decimals.
func formatUnits(n int64, units []unit) string {
	best := strconv.FormatInt(n, 10) + units[len(units)-1].name
	for _, u := range units {
		if n > math.MaxInt64/1000 || (n*1000)%u.size != 0 || n < u.size {
			continue
		}
		milli := n * 1000 / u.size
		text := strconv.FormatInt(milli/1000, 10)
		if milli%1000 != 0 {
			text += strings.TrimRight(fmt.Sprintf(".%03d", milli%1000), "0")
		}
		if text += u.name; len(text) < len(best) {
			best = text
		}
	}
	return best
}

// ParseBytes reads a size such as 128MiB, 60GB or 100B. A number without unit is refused.
func ParseBytes(text string) (Bytes, error) {
	n, err := parseUnits(text, byteUnits)
	return Bytes(n), err
}

// String writes the size so that ParseBytes gives it back.
func (b Bytes) String() string { return formatUnits(int64(b), byteUnits) }

// MarshalYAML writes the size with its unit.
func (b Bytes) MarshalYAML() (any, error) { return b.String(), nil }

// ParseDuration reads a span of time such as 8.5us, 250ms, 2m, 168h or 7d. A number without unit is refused.
func ParseDuration(text string) (Duration, error) {
	n, err := parseUnits(text, timeUnits)
	return Duration(n), err
}

// String writes the span so that ParseDuration gives it back.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	return formatUnits(int64(d), timeUnits)
}

// MarshalYAML writes the span with its unit.
func (d Duration) MarshalYAML() (any, error) { return d.String(), nil }

// ParseRate reads events per second: 5000, 5k ops/s, 1 scan/s, 2.5M rows/s.
func ParseRate(text string) (Rate, error) {
	m := quantity.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is not a rate", text)
	}
	factor, rest := 1.0, m[2]
	switch {
	case strings.HasPrefix(rest, "k"):
		factor, rest = 1e3, strings.TrimPrefix(rest[1:], " ")
	case strings.HasPrefix(rest, "M"):
		factor, rest = 1e6, strings.TrimPrefix(rest[1:], " ")
	}
	for _, u := range rateUnits {
		if u == rest {
			f, err := parseFloat(m[1])
			return Rate(f * factor), err
		}
	}
	return 0, fmt.Errorf("%q has no known unit", text)
}

// String writes the rate so that ParseRate gives it back.
func (r Rate) String() string { return strconv.FormatFloat(float64(r), 'f', -1, 64) }

// MarshalYAML writes the rate as a plain number.
func (r Rate) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: r.String()}, nil
}

// ParseBandwidth reads bytes per second such as 500MB/s.
func ParseBandwidth(text string) (Bandwidth, error) {
	size, ok := strings.CutSuffix(text, "/s")
	if !ok {
		return 0, fmt.Errorf("%q does not end in /s", text)
	}
	b, err := ParseBytes(size)
	return Bandwidth(b), err
}

// String writes the bandwidth, rounded to whole bytes, so that ParseBandwidth gives it back.
func (b Bandwidth) String() string { return Bytes(math.Round(float64(b))).String() + "/s" }

// MarshalYAML writes the bandwidth with its unit.
func (b Bandwidth) MarshalYAML() (any, error) { return b.String(), nil }

// parseFloat reads a finite number; underscores between digits are allowed.
func parseFloat(text string) (float64, error) {
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = fmt.Errorf("%q is not finite", text)
	}
	return f, err
}
