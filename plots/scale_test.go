package plots

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"pgregory.net/rapid"
)

func labels(ticks []plot.Tick) string {
	var all []string
	for _, t := range ticks {
		if t.Label != "" {
			all = append(all, t.Label)
		}
	}
	return strings.Join(all, " | ")
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		name, want string
		ticks      []plot.Tick
	}{
		{"percentiles", "0 | 50 | 90 | 99 | 99.9 | 99.99 | 99.999", percentileTicks("", 5)},
		{"percentiles of a hundred", "0 % | 50 % | 90 % | 99 %", percentileTicks(" %", 2)},
		{"latency", "1 us | 10 us | 100 us | 1 ms | 10 ms | 100 ms | 1 s | 10 s", latencyTicks(0, 7)},
		{"narrow latency", "200 us | 500 us | 1 ms | 2 ms", latencyTicks(2.3, 3.4)},
		{"wait", "1 ms | 10 ms | 100 ms | 1 s | 10 s | 1 min | 10 min | 1 h", waitTicks(-3, 3.6)},
		{"clock, hours", "0 | 15 min | 30 min | 45 min | 60 min | 75 min | 90 min | 105 min", clockTicks(6400, 8)},
		{"clock, ms", "0 | 5 ms | 10 ms | 15 ms", clockTicks(0.016, 8)},
		{"clock, us", "0 | 10 us | 20 us | 30 us", clockTicks(3e-5, 5)},
		{"bytes", "0 | 1 GiB | 2 GiB | 3 GiB", linearTicks(3.4*(1<<30), 4, byteUnits)},
		{"few bytes", "0 | 200 B | 400 B", linearTicks(500, 4, byteUnits)},
		{"height", "0 | 5 | 10", linearTicks(13, 4, plain)},
		{"us", "0 | 0.5 ms | 1 ms", linearTicks(1300, 3, microseconds)},
	} {
		if got := labels(test.ticks); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestNines(t *testing.T) {
	for p, want := range map[float64]float64{0: 0, 0.9: 1, 0.99: 2, 0.999: 3, 0.5: math.Log10(2)} {
		if got := nines(p); math.Abs(got-want) > 1e-9 {
			t.Errorf("nines(%g) = %g, want %g", p, got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{formatUs(0), "0 us"},
		{formatUs(0.5), "0.50 us"},
		{formatUs(4), "4 us"},
		{formatUs(4.61783), "4.62 us"},
		{formatUs(62.48352), "62.5 us"},
		{formatUs(834.47), "834 us"},
		{formatUs(999.7), "1.00 ms"},
		{formatUs(1979.14), "1.98 ms"},
		{formatUs(12345), "12.3 ms"},
		{formatUs(3.2e6), "3.20 s"},
		{formatChange(834.47, 481.41), "−42 %"},
		{formatChange(10, 10.7), "+7 %"},
		{formatChange(10, 10.01), "0 %"},
		{formatChange(10, 123), "×12.3"},
		{formatChange(0, 5), ""},
		{formatCount(0), "0"},
		{formatCount(999), "999"},
		{formatCount(1000), "1,000"},
		{formatCount(100000000), "100,000,000"},
		{formatSpan(600), "10 min"},
		{formatSpan(0.25), "250 ms"},
		{list(nil), "operations"},
		{list([]string{"SCAN"}), "scans"},
		{list([]string{"SCAN", "INSERT", "UPDATE"}), "scans, inserts and updates"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func TestNamer(t *testing.T) {
	n := namer{}
	for _, test := range []struct{ name, want string }{
		{"timeline-raw", "timeline-raw"},
		{"timeline-RAW", "timeline-raw-2"},
		{"timeline-./plugins/my policy", "timeline-.-plugins-my-policy"},
		{"../../etc", "..-..-etc"},
	} {
		if got := n.file(test.name); got != test.want {
			t.Errorf("%q: %q, want %q", test.name, got, test.want)
		}
	}
}

// Ticks never leave their axis, rise, and are few enough to read.
func TestTicksStayInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := math.Pow(10, rapid.Float64Range(-6, 15).Draw(t, "limit"))
		low := rapid.Float64Range(-3, 6).Draw(t, "low")
		high := low + rapid.Float64Range(0.1, 9).Draw(t, "span")
		for _, axis := range []struct {
			ticks    []plot.Tick
			low, top float64
		}{
			{linearTicks(limit, 4, byteUnits), 0, limit},
			{linearTicks(limit, 4, microseconds), 0, limit},
			{latencyTicks(low, high), low, high},
			{waitTicks(low, high), low, high},
		} {
			last := math.Inf(-1)
			for _, tick := range axis.ticks {
				if tick.Value < axis.low-1e-6 || tick.Value > axis.top*(1+1e-6)+1e-6 || tick.Value <= last {
					t.Fatalf("tick %g after %g on %g to %g", tick.Value, last, axis.low, axis.top)
				}
				last = tick.Value
			}
			if len(axis.ticks) > 120 {
				t.Fatalf("%d ticks", len(axis.ticks))
			}
		}
	})
}

// Thinning keeps a line's ends and extremes and bounds its length.
func TestEnvelope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-100, 100), 1, 2000).Draw(t, "values")
		n := rapid.IntRange(1, 50).Draw(t, "n")
		line := make(plotter.XYs, len(values))
		for i, v := range values {
			line[i] = plotter.XY{X: float64(i), Y: v}
		}
		thin := envelope(line, axis{max: float64(len(values))}, n)
		if len(thin) > 4*n+4 && len(thin) > 2*n {
			t.Fatalf("%d points of %d left for %d parts", len(thin), len(line), n)
		}
		if thin[0] != line[0] || thin[len(thin)-1] != line[len(line)-1] {
			t.Fatal("an end was lost")
		}
		_, _, low, high := plotter.XYRange(line)
		_, _, thinLow, thinHigh := plotter.XYRange(thin)
		if low != thinLow || high != thinHigh {
			t.Fatalf("range %g to %g became %g to %g", low, high, thinLow, thinHigh)
		}
	})
}
