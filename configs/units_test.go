package configs

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseBytes(t *testing.T) {
	for _, c := range []struct {
		text string
		want Bytes
	}{
		{"0B", 0}, {"100B", 100}, {"1kB", 1000}, {"1KiB", 1024}, {"128MiB", 134217728}, {"32.5MiB", 34078720},
		{"60GB", 60_000_000_000}, {"60 GB", 60_000_000_000}, {"1_000kB", 1_000_000}, {"2TiB", 1 << 41}, {"1.5B", 2}, {"1.4B", 1},
		{"9223372036854775807B", math.MaxInt64},
	} {
		if got, err := ParseBytes(c.text); err != nil || got != c.want {
			t.Errorf("%q = %d, %v; want %d", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", "128", "MiB", "-1B", "1e3B", "1 mib", "1.B", ".5B", "1B ", "1  B", "9223372036854775808B", "NaNB"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q = %d, want an error", text, got)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
	}{
		{"0s", 0}, {"8.5us", 8500}, {"8.5µs", 8500}, {"14.6us", 14600}, {"0.27ms", 270_000}, {"250ms", 250 * time.Millisecond},
		{"2m", 2 * time.Minute}, {"168h", 168 * time.Hour}, {"7d", 168 * time.Hour}, {"1ns", 1},
	} {
		if got, err := ParseDuration(c.text); err != nil || time.Duration(got) != c.want {
			t.Errorf("%q = %d, %v; want %d", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", "250", "1h30m", "-1s", "5 min", "106752d"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q = %d, want an error", text, got)
		}
	}
}

func TestParseRate(t *testing.T) {
	for _, c := range []struct {
		text string
		want Rate
	}{{"0", 0}, {"5000", 5000}, {"5k ops/s", 5000}, {"5kops/s", 5000}, {"5.1k", 5100}, {"2.5M rows/s", 2.5e6}, {"1 scan/s", 1}, {"1000 rows/s", 1000}, {"0.5/s", 0.5}} {
		if got, err := ParseRate(c.text); err != nil || got != c.want {
			t.Errorf("%q = %v, %v; want %v", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", "ops/s", "-5", "5 ops", "5 ops/min", "5K", "NaN", "Inf"} {
		if got, err := ParseRate(text); err == nil {
			t.Errorf("%q = %v, want an error", text, got)
		}
	}
}

func TestUnitsAreWrittenShort(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Bytes(0).String(), "0B"}, {Bytes(60e9).String(), "60GB"}, {Bytes(512 << 20).String(), "512MiB"}, {Bytes(34078720).String(), "32.5MiB"},
		{Bytes(1 << 30).String(), "1GiB"}, {Bytes(math.MaxInt64).String(), "9223372036854775807B"}, {Bandwidth(500e6).String(), "500MB/s"},
		{Duration(0).String(), "0s"}, {Duration(250e6).String(), "250ms"}, {Duration(8500).String(), "8.5us"}, {Duration(168 * time.Hour).String(), "7d"},
		{Duration(2833).String(), "2833ns"}, {Duration(90 * time.Second).String(), "90s"}, {Rate(5000).String(), "5000"}, {Rate(0.25).String(), "0.25"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestUnitsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, math.MaxInt64).Draw(t, "n")
		if b, err := ParseBytes(Bytes(n).String()); err != nil || b != Bytes(n) {
			t.Fatalf("%s is read as %d, %v", Bytes(n), b, err)
		}
		if d, err := ParseDuration(Duration(n).String()); err != nil || d != Duration(n) {
			t.Fatalf("%s is read as %d, %v", Duration(n), d, err)
		}
		f := rapid.Float64Range(0, 1e15).Draw(t, "f")
		if r, err := ParseRate(Rate(f).String()); err != nil || r != Rate(f) {
			t.Fatalf("%s is read as %v, %v", Rate(f), r, err)
		}
		whole := math.Floor(f)
		if b, err := ParseBandwidth(Bandwidth(whole).String()); err != nil || b != Bandwidth(whole) {
			t.Fatalf("%s is read as %v, %v", Bandwidth(whole), b, err)
		}
	})
}
