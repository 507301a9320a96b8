package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

// bulletin says now and then how far a verb is that has no more to tell than that: on a terminal in a line that is written over, else in lines of their own.
// What ends soon says nothing.
type bulletin struct {
	out      io.Writer
	quiet    bool
	terminal bool
	now      func() time.Time
	next     time.Time // when there may be news again
	shown    bool
}

// newsEvery is how long news stays, and how long a verb may take without any.
const newsEvery = 2 * time.Second

func newBulletin(out io.Writer, quiet bool) *bulletin {
	n := &bulletin{out: out, quiet: quiet, now: time.Now}
	if file, ok := out.(*os.File); ok {
		n.terminal = isatty.IsTerminal(file.Fd())
	}
	n.next = n.now().Add(newsEvery)
	return n
}

// say shows what text gives if it is time for news.
func (n *bulletin) say(text func() string) {
	now := n.now()
	if n.quiet || now.Before(n.next) {
		return
	}
	n.next = now.Add(newsEvery)
	if !n.terminal {
		fmt.Fprintln(n.out, text())
		return
	}
	fmt.Fprint(n.out, "\r\x1b[K"+text())
	n.shown = true
}

// end takes the line from the terminal.
func (n *bulletin) end() {
	if n.shown {
		fmt.Fprint(n.out, "\r\x1b[K")
		n.shown = false
	}
}
