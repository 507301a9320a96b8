package serverlog

import (
	"fmt"
	"regexp"
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
	if len(fields) != 4 || !logDay.MatchString(fields[0]) || len(fields[1]) != len("hh:mm:ss.uuuuuu") {
		return l, false
	}
	file, _, ok := strings.Cut(fields[3], ":")
	return logLine{day: fields[0], clock: fields[1], thread: fields[2], file: file, message: message}, ok
}

var logDay = regexp.MustCompile(`^(?:\d{4}|\d{8})$`)

// logClock turns the times of lines into one time that runs on.
type logClock struct {
	near   time.Time // of the line before, or of the head; zero = not known
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
	if c.near = t; t.After(c.latest) {
		c.latest = t
	}
	return t, nil
}

const stamp = "2006-01-02 15:04:05.000000"

// parse reads a line's day and time. A day without a year is of the year in which it is nearest to the line before: threads write out of order at the turn of
// a year too.
func (c *logClock) parse(l logLine) (best time.Time, err error) {
	var years []string
	switch near := c.near.Year(); {
	case len(l.day) == len("yyyymmdd"):
		years = []string{""}
	case c.near.IsZero():
		years = []string{"2000"} // no head tells it
	default:
		for year := near - 1; year <= near+1; year++ {
			years = append(years, fmt.Sprintf("%04d", year))
		}
	}
	found := false
	for _, year := range years {
		t, err := time.Parse("20060102 15:04:05.000000", year+l.day+" "+l.clock)
		if err == nil && (!found || t.Sub(c.near).Abs() < best.Sub(c.near).Abs()) {
			best, found = t, true
		}
	}
	if !found {
		return best, fmt.Errorf("there is no such time: %s %s", l.day, l.clock)
	}
	return best, nil
}
