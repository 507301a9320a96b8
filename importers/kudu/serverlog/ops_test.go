package serverlog

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
		l, err := Read("x", strings.NewReader(logOf("00.000000 Scheduling FlushMRSOp(aa): "+tt.reason, done)))
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
	l, err := Read("x", strings.NewReader(logOf(
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
