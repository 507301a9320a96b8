package kudu

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mmsim/configs"
	"mmsim/results"
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

func TestTwoThreads(t *testing.T) {
	l, err := LoadLog("testdata/two-threads.log")
	if err != nil {
		t.Fatal(err)
	}
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

// TestReasons holds every rule's words and what comes out of them.
func TestReasons(t *testing.T) {
	for _, tt := range []struct{ reason, want string }{
		{"perf score=14.117560", "perf-score score 14.11756"},
		{"free 8668058 bytes of WAL", "log-gc wal 8668058"},
		{"2507655 bytes on disk", "data-gc data 2507655"},
		{"50 bytes log retention, and flush 60 bytes memory", "log-retention wal 50 ram 60"},
		{"50 bytes log retention", "log-retention wal 50"},
		{"under memory pressure (61.25% used), 50 bytes log retention, and flush 60 bytes memory", "memory-pressure memory 61.25 wal 50 ram 60"},
		{"under memory pressure (61.25% used, can flush 60 bytes)", "memory-pressure memory 61.25 ram 60"},
		{"because of the weather", ""},
	} {
		l, err := ReadLog("x", strings.NewReader(logOf("00.000000 Scheduling FlushMRSOp(aa): "+tt.reason, done)))
		if err != nil {
			t.Fatal(err)
		}
		o := l.Ops[0]
		got := string(o.Rule)
		for _, f := range []struct {
			name  string
			value float64
		}{{"score", o.Score}, {"memory", o.MemoryPercent}, {"wal", float64(o.WAL)}, {"data", float64(o.Data)}, {"ram", float64(o.RAM)}} {
			if f.value >= 0 { // neither NaN nor unseen
				got += " " + f.name + " " + strconv.FormatFloat(f.value, 'f', -1, 64)
			}
		}
		if got != tt.want || o.Reason != tt.reason {
			t.Errorf("%s: %q kept as %q, want %q", tt.reason, got, o.Reason, tt.want)
		}
		if unknown := tt.want == ""; unknown != (len(l.Warnings) == 1) {
			t.Errorf("%s: warnings %v", tt.reason, l.Warnings)
		}
	}
}

func TestTableNames(t *testing.T) {
	create := func(id, what string) string {
		return "00.000000 tablet_service.cc:1] Processing CreateTablet for tablet " + id + " (" + what
	}
	op := func(id string) string { return "00.100000 Scheduling LogGCOp(" + id + "): free 1 bytes of WAL" }
	l, err := ReadLog("x", strings.NewReader(logOf(
		create("aa", "table=hot [id=11]), partition=HASH (k) PARTITION 3, RANGE (k) PARTITION UNBOUNDED"),
		create("bb", "table=by range [id=22]), partition=RANGE (k) PARTITION 5 <= VALUES < 9"),
		create("cc", "DEFAULT_TABLE table=impala::d.t [id=33]), partition=HASH (k) PARTITION 0"),
		create("dd", "table=two [id=44]), partition=HASH (a) PARTITION 0, HASH (b) PARTITION 1"),
		op("aa"), op("bb"), op("cc"), op("dd"), op("ee"))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range l.Ops {
		got = append(got, o.Tablet)
	}
	if diff := cmp.Diff([]string{"hot/3", "by range/bb", "impala::d.t/0", "two/dd", "ee"}, got); diff != "" {
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
			l, err := ReadLog("x", strings.NewReader(tt.text))
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
			_, err := ReadLog("x", strings.NewReader(text))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
			if tt.text != "" && tt.name == "backwards" && !errors.As(err, new(*configs.Problem)) {
				t.Errorf("%T is no problem of the input", err)
			}
		})
	}
	if _, err := LoadLog("testdata/none"); err == nil || err.Error() != "testdata/none: no such file or directory" {
		t.Errorf("error %v", err)
	}
}

// TestDaysWithoutYear: older servers write mmdd; the head of the log has the year, and it may turn.
func TestDaysWithoutYear(t *testing.T) {
	l, err := ReadLog("x", strings.NewReader("Log file created at: 2023/12/31 23:59:00\n"+
		"I1231 23:59:59.500000    7 maintenance_manager.cc:1] P s1: Scheduling LogGCOp(aa): free 1 bytes of WAL\n"+
		"I0101 00:00:00.500000    7 maintenance_manager.cc:1] P s1: LogGCOp(aa) complete. Timing: real 1.000s	user 0s	sys 0s Metrics: {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if l.Last.Format(stamp) != "2024-01-01 00:00:00.500000" || l.End != 1e9 || l.Ops[0].Ran != 1e9 {
		t.Errorf("until %v, end %d, ran %d", l.Last, l.End, l.Ops[0].Ran)
	}
}

// TestThreadsCrossNewYear: a day without a year is of the year nearest to the line before, whichever thread writes first.
func TestThreadsCrossNewYear(t *testing.T) {
	line := func(at, message string) string {
		return "I" + at + "    7 maintenance_manager.cc:1] P s1: " + message + "\n"
	}
	for _, tt := range []struct{ head, last string }{{"Log file created at: 2023/12/31 23:59:00\n", "2024-01-01 00:00:02"}, {"", "2001-01-01 00:00:02"}} {
		l, err := ReadLog("x", strings.NewReader(tt.head+
			line("1231 23:59:59.800000", "Scheduling LogGCOp(aa): free 1 bytes of WAL")+
			line("0101 00:00:00.100000", "Scheduling LogGCOp(bb): free 1 bytes of WAL")+
			line("1231 23:59:59.900000", "LogGCOp(aa) complete. Timing: real 0.100s	user 0s	sys 0s Metrics: {}")+
			line("0101 00:00:02.000000", "LogGCOp(bb) complete. Timing: real 1.900s	user 0s	sys 0s Metrics: {}")))
		if err != nil {
			t.Fatal(err)
		}
		if l.End != 22e8 || l.Ops[0].Ran != 1e8 || l.Ops[1].Chosen != 3e8 || l.Ops[1].Ran != 19e8 || l.Last.Format(time.DateTime) != tt.last {
			t.Errorf("%q: until %v, end %d, ops %+v", tt.head, l.Last, l.End, l.Ops)
		}
	}
	l, err := ReadLog("x", strings.NewReader("Log file created at: 2023/12/31 23:59:59\n"+
		line("0101 00:00:00.100000", "Scheduling LogGCOp(bb): free 1 bytes of WAL")))
	if err != nil || l.Start.Year() != 2024 {
		t.Errorf("the first line after the head is of %v, error %v", l.Start, err)
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
	whole, err := ReadLog("x", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	packed := zipped(string(text))
	l, err := ReadLog("x", bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fmt.Sprint(whole.Ops), fmt.Sprint(l.Ops)); diff != "" {
		t.Error(diff)
	}
	cut, err := ReadLog("x", bytes.NewReader(packed[:len(packed)-300]))
	if err != nil {
		t.Fatal(err)
	}
	if len(cut.Ops) == 0 || len(cut.Ops) >= len(whole.Ops) || !strings.Contains(fmt.Sprint(cut.Warnings), "the gzipped data ends early") {
		t.Errorf("%d ops of %d, warnings %v", len(cut.Ops), len(whole.Ops), cut.Warnings)
	}
	if _, err := ReadLog("x", bytes.NewReader(packed[:20])); err == nil || !strings.HasSuffix(err.Error(), "; its gzipped data ends early") {
		t.Errorf("error %v", err)
	}
	spoilt := bytes.Clone(packed)
	spoilt[len(spoilt)-8] ^= 1
	if _, err := ReadLog("x", bytes.NewReader(spoilt)); err == nil || err.Error() != "x: after line 33: its gzipped data is damaged" {
		t.Errorf("error %v", err)
	}
}

// TestCutAnywhere: a log that ends early gives what came before, with a warning, or an error, but nothing that isn't in the whole log.
func TestCutAnywhere(t *testing.T) {
	text, err := os.ReadFile("testdata/two-threads.log")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := ReadLog("x", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(text)-1).Draw(t, "n")
		l, err := ReadLog("x", bytes.NewReader(text[:n]))
		if err != nil {
			return
		}
		if len(l.Ops) == 0 || len(l.Ops) > len(whole.Ops) {
			t.Fatalf("%d ops", len(l.Ops))
		}
		for i := range l.Ops {
			a, b := l.Ops[i], whole.Ops[i]
			if a.Kind != b.Kind || a.Tablet != b.Tablet || a.Chosen != b.Chosen || a.Reason != b.Reason || a.Ran != b.Ran && a.Ran != results.Unseen {
				t.Fatalf("op %d is %+v, in the whole log %+v", i, a, b)
			}
		}
		if text[n-1] != '\n' && len(l.Warnings) == 0 {
			t.Fatal("no warning of the last line")
		}
	})
}

func TestTime(t *testing.T) {
	l, err := LoadLog("testdata/two-threads.log")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		want int64
	}{
		{"2026-11-30 21:12:59.634244", 1e9}, {"2026-11-30T21:12:59.634244", 1e9}, {"20261130 21:12:59.634244", 1e9}, {"21:12:59.634244", 1e9},
		{"21:13:00", 1365756000},
	} {
		if got, err := l.Time(tt.text); err != nil || got != tt.want {
			t.Errorf("%s: %d, %v, want %d", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{"21:12:00", "2026-11-29 21:13:00", "2026-11-30 22:00:00"} {
		if _, err := l.Time(text); err == nil || !strings.HasPrefix(err.Error(), "between the log's first and last line, 2026-11-30 21:12:58.634244 and ") {
			t.Errorf("%s: error %v", text, err)
		}
	}
	if _, err := l.Time("noon"); err == nil {
		t.Error("noon is no time")
	}
}

func TestReadTables(t *testing.T) {
	names, err := ReadTables("t", strings.NewReader("# ids\n\naa\thot/0\r\nbb\thot/1\n"))
	if diff := cmp.Diff(map[string]string{"aa": "hot/0", "bb": "hot/1"}, names); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, tt := range []struct{ text, want string }{
		{"", "t: no tablet in it"},
		{"aa hot/0", `t:1: want a tablet's id, a tab and table/bucket, not "aa hot/0"`},
		{"aa\thot", `t:1: want a tablet's id, a tab and table/bucket, not "aa\thot"`},
		{"aa\thot/0\naa\thot/1", "t:2: aa has a name already, in line 1"},
		{"aa\thot/0\nbb\thot/0", "t:2: hot/0 is the name of another tablet already, in line 1"},
	} {
		if _, err := ReadTables("t", strings.NewReader(tt.text)); err == nil || err.Error() != tt.want {
			t.Errorf("%q: error %v, want %s", tt.text, err, tt.want)
		}
	}
}

// FuzzReadLog: whatever is read has ops or is refused, and what is written of it reads the same.
func FuzzReadLog(f *testing.F) {
	f.Add(logOf(chosen, done))
	f.Add("Log file created at: 2023/12/31 23:59:59\nRunning on machine: a\n" + strings.ReplaceAll(logOf(chosen, done), "20261130", "0101"))
	f.Add(logOf("00.000000 tablet_service.cc:1] Processing CreateTablet for tablet aa (DEFAULT_TABLE table=hot [id=11]), partition=HASH (k) PARTITION 3", chosen,
		"00.150000 Scheduling LogGCOp(aa): free 12 bytes of WAL", "00.160000 Prepare failed for LogGCOp(aa)", "00.170000 tablet.cc:1] Compaction resulted in no output rows", done))
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ReadLog("x", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x:") {
				t.Fatal(err)
			}
			return
		}
		if len(l.Ops) == 0 {
			t.Fatal("neither ops nor an error")
		}
		var out bytes.Buffer
		if err := l.Write(&out); err != nil {
			t.Fatal(err)
		}
		again, err := results.ReadOpLog("again", bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		var twice bytes.Buffer
		if again.Write(&twice); !bytes.Equal(out.Bytes(), twice.Bytes()) {
			t.Fatalf("%s\nis read as\n%s", &out, &twice)
		}
	})
}
