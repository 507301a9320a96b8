package kudu

import (
	"fmt"
	"strings"
	"time"
)

// logLine is one line as glog writes it: level, day, time, thread, place] message.
type logLine struct {
	day     string // yyyymmdd, or mmdd before Kudu 1.16 or so
	clock   string // hh:mm:ss.uuuuuu
	thread  string
	file    string // of the source
	message string
}

// parseLogLine takes a line apart if it has that form.
func parseLogLine(text string) (l logLine, ok bool) {
	if len(text) < 5 || !strings.ContainsRune("IWEF", rune(text[0])) {
		return l, false
	}
	head, message, ok := strings.Cut(text[1:], "] ")
	if !ok {
		return l, false
	}
	fields := strings.Fields(head)
	if len(fields) != 4 || len(fields[0]) != 8 && len(fields[0]) != 4 || len(fields[1]) != len("hh:mm:ss.uuuuuu") {
		return l, false
	}
	file, _, ok := strings.Cut(fields[3], ":")
	return logLine{day: fields[0], clock: fields[1], thread: fields[2], file: file, message: message}, ok
}

// logClock turns the times of lines into one time that runs on.
type logClock struct {
	year   int // for days without a year: the log's own, as its head or the turn of the year tell
	month  time.Month
	latest time.Time
}

// outOfStep is how far a line may be behind the one before: threads do not write in the order of their times.
const outOfStep = time.Second

// at gives the time of a line.
func (c *logClock) at(l logLine) (time.Time, error) {
	t, err := c.parse(l)
	if err != nil {
		return t, err
	}
	if back := c.latest.Sub(t); back > outOfStep {
		return t, fmt.Errorf("the time goes back by %v, from %s to %s: are parts of the log in another order?", back.Round(time.Millisecond),
			c.latest.Format(stamp), t.Format(stamp))
	}
	if t.After(c.latest) {
		c.latest = t
	}
	return t, nil
}

const stamp = "2006-01-02 15:04:05.000000"

func (c *logClock) parse(l logLine) (time.Time, error) {
	if len(l.day) == 8 {
		return time.Parse("20060102 15:04:05.000000", l.day+" "+l.clock)
	}
	if c.year == 0 {
		c.year = 2000
	}
	t, err := time.Parse("2006 0102 15:04:05.000000", fmt.Sprintf("%04d %s %s", c.year, l.day, l.clock))
	if err == nil && c.month == time.December && t.Month() == time.January {
		c.year++
		t = t.AddDate(1, 0, 0)
	}
	c.month = t.Month()
	return t, err
}
