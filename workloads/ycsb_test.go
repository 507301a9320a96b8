package workloads

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestYCSB shows what is made of property files. Commands:
//
//	properties     the entries of a file
//	run, load      settings, notes and faults of a phase; preset=... takes a file that ships with mmsim
//
// Blanks at the ends of lines are written as ␣, and tabs as ⇥.
func TestYCSB(t *testing.T) {
	datadriven.Walk(t, "testdata/ycsb", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			data := []byte(strings.NewReplacer("␣", " ", "⇥", "\t").Replace(d.Input))
			if d.Cmd == "properties" {
				return entries(data)
			}
			var name string
			if d.MaybeScanArgs(t, "preset", &name); name != "" {
				var ok bool
				if _, data, ok = Preset(name); !ok {
					t.Fatalf("no preset %q", name)
				}
			}
			return asked(data, d.Cmd == "load")
		})
	})
}

func entries(data []byte) string {
	var b strings.Builder
	list, err := ParseProperties(data)
	for _, p := range list {
		fmt.Fprintf(&b, "%d: %q = %q\n", p.Line, p.Key, p.Value)
	}
	if err != nil {
		fmt.Fprintln(&b, err)
	}
	return b.String()
}

func asked(data []byte, load bool) string {
	var b strings.Builder
	y, err := ReadYCSB(data, load)
	if err != nil {
		return err.Error() + "\n"
	}
	for _, s := range y.Settings {
		fmt.Fprintf(&b, "%s%s: %s", [...]string{"", "client.", "session.", "table.", "record."}[s.Of], s.Key, s.Value)
		if s.Line > 0 {
			fmt.Fprintf(&b, "  # line %d", s.Line)
		}
		b.WriteByte('\n')
	}
	if y.Records > 0 {
		fmt.Fprintf(&b, "rows there: %d\n", y.Records)
	}
	for _, n := range y.Notes {
		fmt.Fprintf(&b, "note %d: %s\n", n.Line, n.Text)
	}
	return b.String()
}

func TestPresets(t *testing.T) {
	if got, want := Presets(), []string{"ycsb-a", "ycsb-b", "ycsb-c", "ycsb-d", "ycsb-e", "ycsb-f"}; !slices.Equal(got, want) {
		t.Errorf("presets %q, want %q", got, want)
	}
	if _, _, ok := Preset("ycsb-g"); ok {
		t.Error("there is a ycsb-g")
	}
}

// A mean by summing over all lengths.
func TestMeanLength(t *testing.T) {
	for _, tt := range []struct {
		min, max int64
		want     float64
	}{{1, 100, 18.867921}, {1, 1000, 132.774234}, {5, 5, 5}} { // spec of YCSB's scan lengths, by closed form
		if got := NewZipfian(tt.min, tt.max).mean(); !near(got, tt.want, 1e-6) {
			t.Errorf("mean of %d to %d is %v, want %v", tt.min, tt.max, got, tt.want)
		}
	}
}

// Whatever a file holds, it is read or refused: shares are shares, and every fault and setting has a line of the file.
func FuzzReadYCSB(f *testing.F) {
	for _, name := range Presets() {
		_, data, _ := Preset(name)
		f.Add(data, false)
	}
	f.Add([]byte("recordcount=5\ninsertstart=2\ninsertcount : 3\nfieldlengthdistribution zipfian\nfieldlength=9\ndotransactions=false"), true)
	f.Add([]byte("a\\\n  b\\u0041 = \\t\n!x\n#y\nreadproportion=1e300\nscanproportion=NaN"), false)
	f.Fuzz(func(t *testing.T, data []byte, load bool) {
		y, err := ReadYCSB(data, load)
		if err != nil {
			return
		}
		lines := strings.Count(string(data), "\n") + strings.Count(string(data), "\r") + 1
		sum := 0.0
		for _, s := range y.Settings {
			if s.Line < 0 || s.Line > lines {
				t.Errorf("%+v: the file has %d lines", s, lines)
			}
			switch s.Key {
			case "read", "update", "insert", "scan", "read_modify_write":
				x, err := strconv.ParseFloat(s.Value, 64)
				if err != nil || !(x > 0 && x <= 1) {
					t.Errorf("%+v", s)
				}
				sum += x
			}
		}
		if sum != 0 && !near(sum, 1, 1e-9) {
			t.Errorf("shares add up to %v", sum)
		}
	})
}
