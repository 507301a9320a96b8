package plots

import "testing"

func TestCapital(t *testing.T) {
	for label, want := range map[string]string{"": "", "a": "A", "real": "Real", "über": "Über", "7 %": "7 %"} {
		if got := capital(label); got != want {
			t.Errorf("%q: %q", label, got)
		}
	}
}
