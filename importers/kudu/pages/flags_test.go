package pages

import (
	"maps"
	"testing"
)

func TestReadFlags(t *testing.T) {
	got := readFlags([]byte("<h2>Non-default</h2><pre>--a=b\n</pre><h2>All</h2><pre>--flush_threshold_mb=64\n--no_value\n--empty=\n--two==\nno flag\n</pre>"))
	if want := map[string]string{"a": "b", "flush_threshold_mb": "64", "no_value": "", "empty": "", "two": "="}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestReadVersion(t *testing.T) {
	for _, tt := range []struct {
		text         string
		major, minor int
	}{{"1.12.0", 1, 12}, {"1.19.0-SNAPSHOT", 1, 19}, {"2.0.0", 2, 0}} {
		major, minor, version, ok := readVersion([]byte("<pre>kudu " + tt.text + " (rev 3a9f8c319)\nserver uuid 50b58251</pre>"))
		if !ok || version != tt.text || major != tt.major || minor != tt.minor {
			t.Errorf("%s: read as %q, %d and %d", tt.text, version, major, minor)
		}
	}
	if _, _, version, ok := readVersion([]byte("<pre>server uuid 50b58251</pre>")); ok {
		t.Errorf("read as %q", version)
	}
}
