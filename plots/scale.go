package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// nines places a share of all values (0 to 1) on the log-percentile scale: 0.9 at 1, 0.99 at 2, 0.999 at 3.
func nines(share float64) float64 { return math.Log10(1 / (1 - share)) }

// percentileTicks marks the percentiles that reports name, up to max nines.
func percentileTicks(unit string, max float64) []plot.Tick {
	ticks := []plot.Tick{{Value: 0, Label: "0" + unit}}
	for _, label := range []string{"50", "90", "99", "99.9", "99.99", "99.999"} {
		p, _ := strconv.ParseFloat(label, 64)
		if at := nines(p / 100); at <= max+1e-6 {
			ticks = append(ticks, plot.Tick{Value: at, Label: label + unit})
		}
	}
	return ticks
}

// unit is a name for a multiple of what an axis counts in.
type unit struct {
	name string
	size float64
}

var (
	microseconds = []unit{{"us", 1}, {"ms", 1e3}, {"s", 1e6}}
	byteUnits    = []unit{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}
	plain        = []unit{{"", 1}}
	counts       = []unit{{"", 1}, {"k", 1e3}, {"M", 1e6}}
)

// largest gives the largest unit of which v holds one, or the smallest.
func largest(units []unit, v float64) unit {
	u := units[0]
	for _, bigger := range units[1:] {
		if v >= bigger.size {
			u = bigger
		}
	}
	return u
}

func (u unit) format(v float64) string {
	s := strconv.FormatFloat(v/u.size, 'g', 6, 64)
	if u.name == "" || s == "0" {
		return s
	}
	return s + " " + u.name
}

// formatUs writes a latency in us with three significant digits and its unit; whole us stay whole.
func formatUs(us float64) string {
	u := largest(microseconds, us*1.0005) // 999.6 us is read as 1 ms
	v := us / u.size
	decimals := 0
	switch {
	case u.size == 1 && us == math.Trunc(us):
	case v < 9.995:
		decimals = 2
	case v < 99.95:
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64) + " " + u.name
}

// formatChange writes how far v is from base: "-42 %", "+7 %", "0 %", or "x 12" from tenfold up.
func formatChange(base, v float64) string {
	if base <= 0 {
		return ""
	}
	ratio := v / base
	if ratio >= 10 {
		return fmt.Sprintf("×%.3g", ratio)
	}
	change := math.Round((ratio - 1) * 100)
	switch {
	case change == 0:
		return "0 %"
	case change < 0:
		return fmt.Sprintf("−%.0f %%", -change)
	default:
		return fmt.Sprintf("+%.0f %%", change)
	}
}

// formatCount groups a count's digits by three.
func formatCount(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// linearTicks marks 0 to max in about n steps of 1, 2 or 5 times a power of ten of the fitting unit.
func linearTicks(max float64, n int, units []unit) []plot.Tick {
	u := largest(units, max)
	step := roundStep(max/u.size/float64(n)) * u.size
	var ticks []plot.Tick
	for i := 0; ; i++ {
		v := float64(i) * step
		if v > max*(1+1e-9) || i > 100 {
			return ticks
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: u.format(v)})
	}
}

// roundStep is the smallest of 1, 2, 5 times a power of ten that is not below step.
func roundStep(step float64) float64 {
	if !(step > 0) || math.IsInf(step, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= step*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// clockSteps are the steps in seconds at which a clock is read.
var clockSteps = []float64{1e-6, 1e-5, 1e-4, 1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1, 2, 5, 10, 15, 30,
	60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000}

// clockTicks marks 0 to max seconds in at most n round steps.
func clockTicks(max float64, n int) []plot.Tick {
	step := clockSteps[len(clockSteps)-1]
	for _, s := range clockSteps {
		if max/s <= float64(n) {
			step = s
			break
		}
	}
	u := largest(clockUnits, step)
	var ticks []plot.Tick
	for i := 0; float64(i)*step <= max*(1+1e-9) && i <= 1000; i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i) * step, Label: u.format(float64(i) * step)})
	}
	return ticks
}

var clockUnits = []unit{{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}

// latencyTicks marks the decades between two logarithms of us; a short range gets 2 and 5 of each decade too.
func latencyTicks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	for decade := math.Floor(min); decade <= max+1e-9 && decade < 18; decade++ {
		for m := 1; m <= 9; m++ {
			at := decade + math.Log10(float64(m))
			if at < min-1e-9 || at > max+1e-9 {
				continue
			}
			t := plot.Tick{Value: at}
			if m == 1 || (max-min < 1.7 && (m == 2 || m == 5)) {
				us := float64(m) * math.Pow(10, decade)
				t.Label = largest(microseconds, us*(1+1e-9)).format(us)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// waitMarks are the waits that people name, in seconds.
var waitMarks = []struct {
	label   string
	seconds float64
}{{"1 ms", 1e-3}, {"10 ms", 1e-2}, {"100 ms", 0.1}, {"1 s", 1}, {"10 s", 10}, {"1 min", 60}, {"10 min", 600},
	{"1 h", 3600}, {"10 h", 36000}, {"4 d", 345600}, {"40 d", 3456000}}

// waitTicks marks waits between two logarithms of seconds.
func waitTicks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	for _, m := range waitMarks {
		if at := math.Log10(m.seconds); at >= min-1e-9 && at <= max+1e-9 {
			ticks = append(ticks, plot.Tick{Value: at, Label: m.label})
		}
	}
	return ticks
}

// formatSpan writes a span of seconds as people say it: 250 ms, 90 s, 10 min, 1.5 h.
func formatSpan(seconds float64) string {
	return largest(clockUnits, seconds).format(seconds)
}
