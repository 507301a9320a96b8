package serverlog

import (
	"fmt"
	"strings"
	"time"
)

// zeroForms are the forms in which a time may be given; the last has no day, which is the log's first.
var zeroForms = []string{"2006-01-02 15:04:05.999999", "2006-01-02T15:04:05.999999", "20060102 15:04:05.999999", "2006/01/02 15:04:05.999999"}

// Time reads a time of the log, such as 2026-11-30 20:15:43.78 or 20:15:43, as ns since its start. It must lie between the log's first and
// last line.
func (l *Log) Time(text string) (int64, error) {
	const clock = "15:04:05.999999"
	for _, form := range append([]string{clock}, zeroForms...) {
		t, err := time.Parse(form, strings.TrimSpace(text))
		if err != nil {
			continue
		}
		if form == clock {
			day := l.Start.Truncate(24 * time.Hour)
			t = day.Add(t.Sub(t.Truncate(24 * time.Hour)))
			if t.Before(l.Start) { // after midnight
				t = t.Add(24 * time.Hour)
			}
		}
		if t.Before(l.Start) || t.After(l.Last) {
			return 0, fmt.Errorf("between the log's first and last line, %s and %s", l.Start.Format(stamp), l.Last.Format(stamp))
		}
		return t.Sub(l.Start).Nanoseconds(), nil
	}
	return 0, fmt.Errorf("a time such as 2026-11-30 20:15:43.78 or 20:15:43")
}
