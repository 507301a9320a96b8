package serverlog

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mmsim/configs"
	"mmsim/results/oplog"
)

// logOf gives lines with a time each, all of them of one thread of a maintenance manager unless they name their file.
func logOf(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		at, message, _ := strings.Cut(l, " ")
		file, rest, ok := strings.Cut(message, "] ")
		if !ok {
			file, rest = "maintenance_manager.cc:1", "P s1: "+message
		}
		fmt.Fprintf(&b, "I20261130 10:00:%s    7 %s] %s\n", at, file, rest)
	}
	return b.String()
}

const (
	chosen = "00.000000 Scheduling FlushMRSOp(aa): perf score=1.500000"
	done   = `00.200000 FlushMRSOp(aa) complete. Timing: real 0.199s	user 0.1s	sys 0.0s Metrics: {"bytes_written":7}`
)

// load reads the log of testdata.
func load(t testing.TB) *Log {
	t.Helper()
	f, err := os.Open("testdata/two-threads.log")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l, err := Read("two-threads.log", f)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTwoThreads(t *testing.T) {
	l := load(t)
	want, err := os.ReadFile("testdata/two-threads.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := l.Write(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
	if l.Version != "kudu 1.18.1" || l.Start.Format(stamp) != "2026-11-30 21:12:58.634244" || l.Last.Format(stamp) != "2026-11-30 21:14:19.003046" {
		t.Errorf("version %q from %v to %v", l.Version, l.Start, l.Last)
	}
	warned := []Warning{{33, "CompactRowSetsOp(05385ca5ae3343959ae089c124329010) has not ended when the log ends"}}
	if diff := cmp.Diff(warned, l.Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestUsualTroubles(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		ops        int
		warnings   []Warning
	}{
		{"whole", logOf(chosen, done), 1, nil},
		{"carriage returns", strings.ReplaceAll(logOf(chosen, done), "\n", "\r\n"), 1, nil},
		{"unfinished", logOf("00.0 file.cc:1] hello", chosen, "09.000000 file.cc:1] more"), 1,
			[]Warning{{2, "FlushMRSOp(aa) has not ended when the log ends"}}},
		{"begun before the log", logOf(done), 1,
			[]Warning{{1, "FlushMRSOp(aa) ends but did not begin in this log: why it was chosen is not known"}}},
		{"last line cut off", logOf(chosen, done) + "I20261130 10:00:01.000000 7 maintenance_manager.cc:1] P s1: Scheduling LogGCOp(aa): free 12", 1,
			[]Warning{{3, "the last line is cut off and was left out"}}},
		{"line cut off within", logOf(chosen, "00.100000 Scheduling LogGCOp(a", done), 1,
			[]Warning{{2, `this line of the maintenance manager could not be read and was left out: "P s1: Scheduling LogGCOp(a"`}}},
		{"could not begin", logOf(chosen, "00.100000 Prepare failed for FlushMRSOp(aa).  Re-running scheduler.", "00.150000 Scheduling LogGCOp(aa): free 1 bytes of WAL",
			"00.160000 LogGCOp(aa) complete. Timing: real 0.01s	user 0s	sys 0s"), 1, []Warning{{2, "FlushMRSOp(aa) was chosen but could not begin: left out"}}},
		{"metrics cut off", logOf(chosen, `00.200000 FlushMRSOp(aa) complete. Timing: real 0.199s	user 0.1s	sys 0.0s Metrics: {"bytes`), 1,
			[]Warning{{2, "the metrics of FlushMRSOp(aa) could not be read: it ends early: is it cut off?"}}},
		{"threads a little out of step", logOf(chosen, done, "00.150000 Scheduling LogGCOp(aa): free 1 bytes of WAL", "00.160000 LogGCOp(aa) complete. Timing: real 0.01s	user 0s	sys 0s"), 2, nil},
		{"two logs of one server", "Running on machine: a\n" + logOf(chosen, done) + "Log file created at: 2026/11/30 10:00:01\nRunning on machine: a\n" +
			logOf("01.000000 Scheduling LogGCOp(aa): free 1 bytes of WAL", "01.200000 LogGCOp(aa) complete. Timing: real 0.1s	user 0s	sys 0s"), 2,
			[]Warning{{5, "another log begins here; it is taken for the same server's next"}}},
		{"a very long line", logOf(chosen, "00.100000 file.cc:1] "+strings.Repeat("x", 3<<20), done), 1, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := Read("x", strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if len(l.Ops) != tt.ops {
				t.Errorf("%d ops, want %d", len(l.Ops), tt.ops)
			}
			if diff := cmp.Diff(tt.warnings, l.Warnings); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadLogRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "x: the file is empty"},
		{"another file", "a,b\n1,2\n", "x: not a Kudu log: none of its 2 lines begins as its lines do, such as I20261130 20:15:28.261200"},
		{"a master's log", logOf("00.0 catalog_manager.cc:1] hello") + logOf("01.000000 catalog_manager.cc:1] hello"),
			"x: no maintenance op in its 2 lines: it takes the INFO log of a tablet server"},
		{"backwards", logOf("05.000000 Scheduling FlushMRSOp(aa): perf score=1", "03.500000 Scheduling LogGCOp(aa): free 1 bytes of WAL"),
			"x:2: the time goes back by 1.5s, from 2026-11-30 10:00:05.000000 to 2026-11-30 10:00:03.500000: are parts of the log in another order?"},
		{"another day order", logOf(chosen) + strings.ReplaceAll(logOf(done), "1130", "1129"),
			"x:2: the time goes back by 23h59m59.8s, from 2026-11-30 10:00:00.000000 to 2026-11-29 10:00:00.200000: are parts of the log in another order?"},
		{"no such day", "I20261131 10:00:00.000000 7 a.cc:1] x\n", "x:1: there is no such time: 20261131 10:00:00.000000"},
		{"logs of two servers", "Running on machine: a\n" + logOf(chosen, done) + "Running on machine: b\n", `x:4: machine: "b" is not still a: a file holds the log of one server`},
		{"not gzip after all", "\x1f\x8bnonsense and more", "x: its gzipped data is damaged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.ReplaceAll(tt.text, ":00.0 ", ":00.000000 ")
			_, err := Read("x", strings.NewReader(text))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
			if tt.text != "" && tt.name == "backwards" && !errors.As(err, new(*configs.Problem)) {
				t.Errorf("%T is no problem of the input", err)
			}
		})
	}
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	text, err := os.ReadFile("testdata/two-threads.log")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Read("x", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	packed := zipped(string(text))
	l, err := Read("x", bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fmt.Sprint(whole.Ops), fmt.Sprint(l.Ops)); diff != "" {
		t.Error(diff)
	}
	cut, err := Read("x", bytes.NewReader(packed[:len(packed)-300]))
	if err != nil {
		t.Fatal(err)
	}
	if len(cut.Ops) == 0 || len(cut.Ops) >= len(whole.Ops) || !strings.Contains(fmt.Sprint(cut.Warnings), "the gzipped data ends early") {
		t.Errorf("%d ops of %d, warnings %v", len(cut.Ops), len(whole.Ops), cut.Warnings)
	}
	if _, err := Read("x", bytes.NewReader(packed[:20])); err == nil || !strings.HasSuffix(err.Error(), "; its gzipped data ends early") {
		t.Errorf("error %v", err)
	}
	spoilt := bytes.Clone(packed)
	spoilt[len(spoilt)-8] ^= 1
	if _, err := Read("x", bytes.NewReader(spoilt)); err == nil || err.Error() != "x: after line 33: its gzipped data is damaged" {
		t.Errorf("error %v", err)
	}
}

// TestCutAnywhere: a log that ends early gives what came before, with a warning, or an error, but nothing that isn't in the whole log.
func TestCutAnywhere(t *testing.T) {
	text, err := os.ReadFile("testdata/two-threads.log")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Read("x", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(text)-1).Draw(t, "n")
		l, err := Read("x", bytes.NewReader(text[:n]))
		if err != nil {
			return
		}
		if len(l.Ops) == 0 || len(l.Ops) > len(whole.Ops) {
			t.Fatalf("%d ops", len(l.Ops))
		}
		for i := range l.Ops {
			a, b := l.Ops[i], whole.Ops[i]
			if a.Kind != b.Kind || a.Tablet != b.Tablet || a.Chosen != b.Chosen || a.Reason != b.Reason || a.Ran != b.Ran && a.Ran != oplog.Unseen {
				t.Fatalf("op %d is %+v, in the whole log %+v", i, a, b)
			}
		}
		if text[n-1] != '\n' && len(l.Warnings) == 0 {
			t.Fatal("no warning of the last line")
		}
	})
}
