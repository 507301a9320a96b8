package plots

import (
	"bytes"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/results"
)

// folder is where a test draws. Set MMSIM_PLOTS to a folder to look at the figures.
func folder(t testing.TB, name string) string {
	if dir := os.Getenv("MMSIM_PLOTS"); dir != "" {
		return filepath.Join(dir, name)
	}
	return t.TempDir()
}

// held is a source of runs that hold everything.
type held struct{}

func (held) Ops(r *results.Run, each func(results.Op)) error         { return give(r.Ops, each) }
func (held) Waits(r *results.Run, each func(results.Wait)) error     { return give(r.Waits, each) }
func (held) Samples(r *results.Run, each func(results.Sample)) error { return give(r.Samples, each) }
func (held) Servers(r *results.Run, each func(results.ServerSample)) error {
	return give(r.ServerSamples, each)
}

func give[T any](rows []T, each func(T)) error {
	for _, row := range rows {
		each(row)
	}
	return nil
}

// drawn draws every figure as SVG only, which takes a tenth of the time.
func drawn(t testing.TB, in Input) map[string]string {
	t.Helper()
	svgs := map[string]string{}
	all, err := figures(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		var b bytes.Buffer
		f, err := p.make()
		if err := errors.Join(err, f.svg(&b)); err != nil {
			t.Fatal(err)
		}
		svgs[p.name] = b.String()
	}
	return svgs
}

func mustDraw(t testing.TB, dir string, in Input) []string {
	t.Helper()
	files, err := Draw(t.Context(), dir, in)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestDrawFull(t *testing.T) {
	dir := folder(t, "full")
	files := mustDraw(t, dir, made(fullShape))
	var names []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(f)
		switch {
		case strings.HasSuffix(name, ".png"):
			if _, err := png.DecodeConfig(bytes.NewReader(b)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case len(b) > 1_500_000:
			t.Errorf("%s: %d bytes", name, len(b))
		default:
			names = append(names, strings.TrimSuffix(name, ".svg"))
		}
	}
	want := []string{"latency-percentiles-a", "latency-percentiles-b", "latency-percentiles-c",
		"before-after-a", "before-after-b", "before-after-c", "waiting", "waiting-gc",
		"timeline-raw", "timeline-workload-scaled-1", "timeline-workload-scaled-10", "timeline-priority-weighted"}
	if !slices.Equal(names, want) {
		t.Errorf("figures %v, want %v", names, want)
	}
}

var smallShape = shape{lines: []string{"raw", "workload-scaled-1"}, tables: []string{"table-A", "table-B"},
	seconds: [3]float64{300, 100, 0}, ops: 500, samples: 40}

func TestEqualBytes(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	a, b := mustDraw(t, first, made(smallShape)), mustDraw(t, second, made(smallShape))
	for i := range a {
		x, _ := os.ReadFile(a[i])
		y, _ := os.ReadFile(b[i])
		if len(x) == 0 || !bytes.Equal(x, y) || filepath.Base(a[i]) != filepath.Base(b[i]) {
			t.Errorf("%s differs", filepath.Base(a[i]))
		}
	}
}

// Runs that lack something still give every figure, which says what is missing.
func TestDrawSparse(t *testing.T) {
	for _, test := range []struct {
		name string
		in   func() Input
		says string // in some SVG
	}{
		{"one-policy", func() Input {
			s := smallShape
			s.lines = s.lines[:1]
			return made(s)
		}, "Policy raw"},
		{"nothing", func() Input {
			return Input{Title: "empty", Runs: []*results.Run{{Line: "raw"}}, Source: held{}, Worst: 6}
		}, "no maintenance op waited"},
		{"no-scans", func() Input {
			s := smallShape
			s.seconds = [3]float64{300, 0, 0}
			in := made(s)
			in.Runs[0].Ops, in.Runs[1].Ops = nil, nil
			return in
		}, "no maintenance op ran"},
		{"one-table-scans", func() Input {
			in := made(smallShape)
			for _, r := range in.Runs {
				r.Latencies = slices.DeleteFunc(r.Latencies, func(l results.Latency) bool { return l.Op == "SCAN" && l.Table == "table-A" })
			}
			return in
		}, "no scans on table-A in this phase"},
		{"count-zero", func() Input {
			in := made(smallShape)
			for i := range in.Runs[1].Latencies {
				l := &in.Runs[1].Latencies[i]
				l.Count, l.SumNs, l.Hist = 0, 0, nil
			}
			return in
		}, "none"},
		{"identical", func() Input {
			in := made(fullShape.with(300))
			for _, r := range in.Runs[1:] {
				line := r.Line
				*r = *in.Runs[0]
				r.Line = line
			}
			return in
		}, "0 %"},
		{"long-names", func() Input {
			s := smallShape
			s.lines = []string{"raw", "a policy whose author could not decide on any short name and so gave it all of its parameters: bound=10 threshold=50",
				"3", "4", "5", "6", "7", "8", "9", "a middling name", "another middling name", "yet another middling name"}
			s.tables = []string{"a table with a very long name that says what is in it", "B", "C"}
			in := made(s)
			in.Scale = 0.01
			in.Title = strings.Repeat("A title that goes on and on. ", 10)
			return in
		}, "…"},
		{"milliseconds", func() Input {
			s := smallShape
			s.seconds = [3]float64{0.004, 0.012, 0.001}
			s.ops = 20
			return made(s)
		}, "ms"},
		{"zero-latency", func() Input {
			in := made(smallShape)
			for _, r := range in.Runs {
				for i := range r.Latencies {
					l := &r.Latencies[i]
					l.Hist.Reset()
					_ = l.Hist.RecordValues(0, l.Count)
					l.SumNs = l.Count * 300
				}
			}
			return in
		}, "≤ 1 us"},
		{"far-marks", func() Input {
			in := made(smallShape)
			for i := range in.Measured.Rows {
				in.Measured.Rows[i].Before *= 100
			}
			return in
		}, "measured"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := test.in()
			if os.Getenv("MMSIM_PLOTS") != "" {
				mustDraw(t, folder(t, test.name), in)
			}
			found := false
			for name, svg := range drawn(t, in) {
				found = found || strings.Contains(svg, test.says)
				if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
					t.Errorf("%s: a number is not one", name)
				}
			}
			if !found {
				t.Errorf("no figure says %q", test.says)
			}
		})
	}
}

func TestDrawRefuses(t *testing.T) {
	tables := []results.Table{{Name: "t"}}
	for _, test := range []struct {
		name, want string
		runs       []*results.Run
	}{
		{"no runs", "no runs", nil},
		{"nil", "run 0 of 1 is nil", []*results.Run{nil}},
		{"sample", "table 1 of 1", []*results.Run{{Line: "raw", Tables: tables, Samples: []results.Sample{{Table: 1}}}}},
		{"op", "a FlushMRSOp is of table -1 of 1", []*results.Run{{Line: "raw", Tables: tables, Ops: []results.Op{{Kind: "FlushMRSOp", Table: -1}}}}},
		{"wait", "table 7 of 1", []*results.Run{{Line: "raw", Tables: tables, Waits: []results.Wait{{Table: 7}}}}},
	} {
		if _, err := Draw(t.Context(), t.TempDir(), Input{Runs: test.runs, Source: held{}, Worst: 6}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := Draw(t.Context(), "/dev/null/plots", Input{Runs: []*results.Run{{Line: "raw"}}, Source: held{}, Worst: 6, Starvation: configs.Duration(1)}); err == nil {
		t.Error("a folder that cannot be made is no error")
	}
}

func BenchmarkDraw(b *testing.B) {
	in := made(fullShape)
	dir := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		mustDraw(b, dir, in)
	}
}

// A timeline shows the server's memory with the marks it goes by, or in bytes where its limit is not known.
func TestTimelineServerMemory(t *testing.T) {
	for _, test := range []struct {
		memory       MemoryLines
		says, silent string
	}{{MemoryLines{60 << 30, 60, 80}, "memory pressure", "50 GiB"}, {MemoryLines{}, "50 GiB", "memory pressure"}} {
		in := made(smallShape)
		in.Memory = test.memory
		in.Runs = in.Runs[:1]
		var svg bytes.Buffer
		l := timelineLimits(in.Runs, in.Memory)
		if err := timeline(in, in.Runs[0], lineStyles(in.Runs)[0], l, nil).svg(&svg); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{test.says, "server memory", "REDO files", "WAL held", "with memory and ops of server 0"} {
			if !strings.Contains(svg.String(), ">"+text) {
				t.Errorf("%+v: %q is missing", test.memory, text)
			}
		}
		if strings.Contains(svg.String(), test.silent) {
			t.Errorf("%+v: %q is there", test.memory, test.silent)
		}
	}
}
