package main

import (
	"bytes"
	"testing"
	"time"

	"mmsim/sim"
)

// stepped is a progress whose clock moves by hand.
func stepped(terminal bool) (p *progress, printed *bytes.Buffer, wait func(time.Duration)) {
	now := time.Unix(0, 0)
	printed = &bytes.Buffer{}
	p = &progress{out: printed, terminal: terminal, width: 3, now: func() time.Time { return now }, running: map[string]*pace{}, eta: &estimator{lines: 1, jobs: 1,
		byLine: map[string]*lineTime{}, phases: []phaseWork{{name: "a", ops: 1000, clients: 1}, {name: "b", ops: 3000, clients: 6}}}}
	return p, printed, func(d time.Duration) { now = now.Add(d) }
}

func news(line, phase string, simulated time.Duration, done int64) sim.Progress {
	return sim.Progress{Line: line, Phase: phase, Now: int64(simulated), Done: done, Total: 4000}
}

// TestPlainProgress expects a line at each change of the phase and every 10 s.
func TestPlainProgress(t *testing.T) {
	p, printed, wait := stepped(false)
	p.update(news("raw", "a", time.Second, 0))
	wait(4 * time.Second)
	p.update(news("raw", "a", 2*time.Second, 400))
	wait(6 * time.Second)
	p.update(news("raw", "a", time.Minute, 1000))
	wait(time.Second)
	p.update(news("raw", "b", time.Hour, 1100))
	last := news("raw", "", 2*time.Hour, 4000)
	last.Finished = true
	p.update(last)
	// 400 operations in 4 s are 100/s, as are the next 600 in 6 s. They are all of phase a, which are 1 s by the table, and took 10 s: so b's 6 s are
	// 60 s, and 66 s when a has taken 11 s.
	want := `raw  phase a  simulated 1s  0 of 4,000 operations (0%)
raw  phase a  simulated 1m0s  1,000 of 4,000 operations (25%)  100/s  ETA 1m0s
raw  phase b  simulated 1h0m0s  1,100 of 4,000 operations (28%)  ETA 1m6s
raw  done     simulated 2h0m0s, 4,000 operations in 11s
`
	if got := printed.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestTerminalProgress expects a block of one line for each running policy that is drawn again in its place at most every 100 ms.
func TestTerminalProgress(t *testing.T) {
	p, printed, wait := stepped(true)
	expect := func(want string) {
		t.Helper()
		if got := printed.String(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		printed.Reset()
	}
	const begin, end = "\r\x1b[J\x1b[?7l", "\x1b[?7h"
	p.update(news("raw", "a", 0, 0))
	expect(begin + "raw  phase a  simulated 0s  0 of 4,000 operations (0%)\n" + end)
	p.update(news("x", "a", 0, 0))
	expect("\x1b[1A" + begin + "raw  phase a  simulated 0s  0 of 4,000 operations (0%)\nx    phase a  simulated 0s  0 of 4,000 operations (0%)\n" + end)
	wait(50 * time.Millisecond)
	p.update(news("raw", "a", time.Second, 10))
	expect("")
	last := news("raw", "", time.Minute, 4000)
	last.Finished = true
	p.update(last)
	expect("\x1b[2A" + begin + "raw  done     simulated 1m0s, 4,000 operations in 100ms\nx    phase a  simulated 0s  0 of 4,000 operations (0%)\n" + end)
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 1166550000: "1,166,550,000"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
