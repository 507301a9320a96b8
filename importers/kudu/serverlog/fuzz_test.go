package serverlog

import (
	"bytes"
	"strings"
	"testing"

	"mmsim/results/oplog"
)

// FuzzReadLog: whatever is read has ops or is refused, and what is written of it reads the same.
func FuzzReadLog(f *testing.F) {
	f.Add(logOf(chosen, done))
	f.Add("Log file created at: 2023/12/31 23:59:59\nRunning on machine: a\n" + strings.ReplaceAll(logOf(chosen, done), "20261130", "0101"))
	f.Add(logOf("00.000000 tablet_service.cc:1] Processing CreateTablet for tablet aa (DEFAULT_TABLE table=hot [id=11]), partition=HASH (k) PARTITION 3", chosen,
		"00.150000 Scheduling LogGCOp(aa): free 12 bytes of WAL", "00.160000 Prepare failed for LogGCOp(aa)", "00.170000 tablet.cc:1] Compaction resulted in no output rows", done))
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read("x", strings.NewReader(text))
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
		again, err := oplog.Read("again", bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		var twice bytes.Buffer
		if again.Write(&twice); !bytes.Equal(out.Bytes(), twice.Bytes()) {
			t.Fatalf("%s\nis read as\n%s", &out, &twice)
		}
	})
}
