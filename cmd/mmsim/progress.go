package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/mattn/go-isatty"

	"mmsim/configs"
	"mmsim/sim"
)

// How often a terminal is redrawn and how often a running policy gets a plain line elsewhere, in wall time.
const (
	redrawEvery = 100 * time.Millisecond
	printEvery  = 10 * time.Second
)

// progress shows how far each running policy is, and when all of them will have ended: on a terminal in a block of lines that is redrawn, else in
// plain lines.
type progress struct {
	lock     sync.Mutex
	out      io.Writer
	terminal bool
	now      func() time.Time
	width    int // of the longest name
	eta      *estimator
	started  time.Time
	order    []string
	running  map[string]*pace
	drawn    int // lines of the block on the terminal
	last     time.Time
}

func newProgress(out *os.File, e *configs.Experiment, jobs int) *progress {
	p := &progress{out: out, terminal: isatty.IsTerminal(out.Fd()), now: time.Now, running: map[string]*pace{}, eta: newEstimator(e, len(e.Policies), jobs)}
	for i := range e.Policies {
		p.width = max(p.width, len(e.Policies[i].Name))
	}
	return p
}

// update takes news of one run; several runs may call it at once.
func (p *progress) update(news sim.Progress) {
	p.lock.Lock()
	defer p.lock.Unlock()
	now := p.now()
	if p.started.IsZero() {
		p.started = now
	}
	p.eta.update(news, now.Sub(p.started).Seconds())
	run := p.running[news.Line]
	if run == nil {
		run = &pace{started: now, at: now}
		p.running[news.Line] = run
		p.order = append(p.order, news.Line)
	}
	changed := run.Phase != news.Phase
	run.advance(news, now)
	switch {
	case news.Finished:
		p.finish(run, now)
	case p.terminal && (changed || now.Sub(p.last) >= redrawEvery):
		p.last = now
		p.redraw(nil)
	case !p.terminal && (changed || now.Sub(run.printed) >= printEvery):
		run.printed = now
		line := run.text(p.width)
		if when := p.when(now); when != "" {
			line += "  " + when
		}
		fmt.Fprintln(p.out, line)
	}
}

// firstETA is the time from which on speeds have been seen for long enough to foretell something.
const firstETA = time.Second

// when says when all policies will have been simulated.
func (p *progress) when(now time.Time) string {
	past := now.Sub(p.started)
	if past < firstETA {
		return ""
	}
	left := clock(time.Duration(p.eta.eta(past.Seconds()) * float64(time.Second)))
	if p.eta.lines == 1 {
		return "ETA " + left
	}
	return fmt.Sprintf("ETA of all %d policies %s", p.eta.lines, left)
}

// finish prints a last line for a run and drops it.
func (p *progress) finish(run *pace, now time.Time) {
	delete(p.running, run.Line)
	line := fmt.Sprintf("%-*s  done     simulated %s, %s operations in %s", p.width, run.Line,
		clock(time.Duration(run.Now)), thousands(run.Done), clock(now.Sub(run.started)))
	if p.terminal {
		p.redraw([]string{line})
		return
	}
	fmt.Fprintln(p.out, line)
}

// redraw replaces the block by lines that stay and, below them, one for each running policy. Wrapping is off meanwhile, since a
// wrapped line would take up more rows than are erased.
func (p *progress) redraw(stay []string) {
	var b bytes.Buffer
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", p.drawn)
	}
	b.WriteString("\r\x1b[J\x1b[?7l")
	for _, line := range stay {
		fmt.Fprintln(&b, line)
	}
	p.drawn = 0
	for _, name := range p.order {
		if run := p.running[name]; run != nil {
			fmt.Fprintln(&b, run.text(p.width))
			p.drawn++
		}
	}
	if when := p.when(p.now()); when != "" && p.drawn > 0 {
		fmt.Fprintln(&b, when)
		p.drawn++
	}
	b.WriteString("\x1b[?7h")
	p.out.Write(b.Bytes())
}

// end leaves what is on the terminal and stops showing anything.
func (p *progress) end() {
	p.lock.Lock()
	defer p.lock.Unlock()
	clear(p.running)
	p.drawn = 0
}

// pace is how far one run is and how fast it goes.
type pace struct {
	sim.Progress
	started, printed time.Time
	at               time.Time // of the last look at the rate
	done             int64     // at that time
	rate             float64   // operations a second, averaged over the last seconds of the phase
}

// smoothing is the time over which the rate forgets, and the least time between two looks at it.
const (
	smoothing = 5 * time.Second
	lookEvery = 200 * time.Millisecond
)

func (r *pace) advance(news sim.Progress, now time.Time) {
	if news.Phase != r.Phase { // whose operations cost something else
		r.at, r.done, r.rate = now, news.Done, 0
	}
	r.Progress = news
	past := now.Sub(r.at)
	if past < lookEvery {
		return
	}
	current := float64(news.Done-r.done) / past.Seconds()
	weight := 1 - math.Exp(-past.Seconds()/smoothing.Seconds())
	if r.rate == 0 {
		weight = 1
	}
	r.rate += weight * (current - r.rate)
	r.at, r.done = now, news.Done
}

func (r *pace) text(width int) string {
	percent := 100.0
	if r.Total > 0 {
		percent = 100 * float64(r.Done) / float64(r.Total)
	}
	s := fmt.Sprintf("%-*s  phase %s  simulated %s  %s of %s operations (%.0f%%)", width, r.Line, r.Phase,
		clock(time.Duration(r.Now)), thousands(r.Done), thousands(r.Total), percent)
	if r.rate > 0 {
		s += fmt.Sprintf("  %s/s", thousands(int64(r.rate)))
	}
	return s
}

// clock writes a time in whole seconds; short ones get a decimal.
func clock(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// thousands writes a number in groups of three digits.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
