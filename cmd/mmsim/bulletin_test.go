package main

import (
	"bytes"
	"testing"
	"time"
)

// What ends soon says nothing; what takes longer says now and then how far it is, on a terminal in one line.
func TestBulletin(t *testing.T) {
	for _, test := range []struct {
		name            string
		quiet, terminal bool
		want            string
	}{
		{"lines", false, false, "at 2\nat 4\n"},
		{"terminal", false, true, "\r\x1b[Kat 2\r\x1b[Kat 4\r\x1b[K"},
		{"quiet", true, false, ""},
	} {
		var out bytes.Buffer
		n := newBulletin(&out, test.quiet)
		now := n.next.Add(-newsEvery)
		n.terminal, n.now = test.terminal, func() time.Time { return now }
		for second := range 6 {
			n.say(func() string { return "at " + string(rune('0'+second)) })
			now = now.Add(time.Second)
		}
		n.end()
		if out.String() != test.want {
			t.Errorf("%s: %q, want %q", test.name, out.String(), test.want)
		}
	}
}
