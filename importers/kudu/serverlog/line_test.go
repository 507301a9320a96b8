package serverlog

import (
	"strings"
	"testing"
	"time"
)

// TestDaysWithoutYear: older servers write mmdd; the head of the log has the year, and it may turn.
func TestDaysWithoutYear(t *testing.T) {
	l, err := Read("x", strings.NewReader("Log file created at: 2023/12/31 23:59:00\n"+
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
		l, err := Read("x", strings.NewReader(tt.head+
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
	l, err := Read("x", strings.NewReader("Log file created at: 2023/12/31 23:59:59\n"+
		line("0101 00:00:00.100000", "Scheduling LogGCOp(bb): free 1 bytes of WAL")))
	if err != nil || l.Start.Year() != 2024 {
		t.Errorf("the first line after the head is of %v, error %v", l.Start, err)
	}
}
