package serverlog

import (
	"strings"
	"testing"
)

func TestTime(t *testing.T) {
	l := load(t)
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
