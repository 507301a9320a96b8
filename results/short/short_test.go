package short

import "testing"

func TestShortBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0B", 5: "5B", 999: "999B", 1000: "0.98KiB", 1024: "1KiB", 12_700: "12.4KiB", 10 << 20: "10MiB", 5<<30 + 1<<29: "5.5GiB", 1 << 62: "4096PiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestShortDuration(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0ns", 999: "999ns", 85_000: "85us", 1_250_000: "1.25ms", 250e6: "250ms", 999_600_000: "1000ms", 3_250e6: "3.25s", 10e9: "10s",
		725e9: "12m5s", 600e9: "10m", 3720e9: "1h2m", 3600e9: "1h", 90000e9: "1d1h", -600e9: "-10m",
	} {
		if got := Duration(ns); got != want {
			t.Errorf("%d: %q, want %q", ns, got, want)
		}
	}
}
