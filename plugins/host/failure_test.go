package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mmsim/policies"
)

// limits are short, so that tests of what hangs are too.
var limits = Limits{Start: 5 * time.Second, Decision: 500 * time.Millisecond}

// open opens a plugin and checks at the end of the test that nothing of it is left.
func open(t testing.TB, c Command) *Plugin {
	t.Helper()
	p, err := Open(t.Context(), c, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(); checkGone(t, p) })
	return p
}

// checkGone checks that a closed plugin has left no process of its group and no file.
func checkGone(t testing.TB, p *Plugin) {
	t.Helper()
	if left := living(p.proc.cmd.Process.Pid); len(left) > 0 {
		t.Errorf("processes of the plugin are left: %v", left)
	}
	if _, err := os.Stat(p.dir.Path); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", p.dir.Path, err)
	}
}

// living gives the processes of a group that are not just waiting to be reaped. Without /proc there seem to be none.
func living(group int) []string {
	var left []string
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, _ := os.ReadFile(path)
		_, rest, _ := strings.Cut(string(stat), ") ") // state, parent, group, ...
		if f := strings.Fields(rest); len(f) > 2 && f[2] == strconv.Itoa(group) && f[0] != "Z" {
			left = append(left, string(stat))
		}
	}
	return left
}

// table is a decision of two candidates.
func table() *policies.Candidates {
	return &policies.Candidates{
		Kind:  []policies.Kind{policies.CompactRowSets, policies.FlushMRS},
		Table: []int32{0, 1}, Tablet: []int32{3, 64}, Perf: []float64{0.5, 2},
	}
}

func TestCannotLoad(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	script := filepath.Join(dir, "script")
	plain := filepath.Join(dir, "plain")
	other := filepath.Join(dir, "other")
	write(t, text, "just words\n", 0o755)
	write(t, script, "#!/no/such/interpreter\n", 0o755)
	write(t, plain, "#!/bin/sh\n", 0o644)
	write(t, other, elfHeader(0xF3), 0o755) // RISC-V
	bad := filepath.Join(built, "bad")
	for _, test := range []struct {
		name string
		Command
		want string // after "policy plugin PATH "
	}{
		{"missing", Command{Path: dir + "/none"}, "no such file"},
		{"directory", Command{Path: dir}, "is a directory, not a program"},
		{"not executable", Command{Path: plain}, "is not executable (mode 0644); run: chmod +x " + plain},
		{"text", Command{Path: text}, "is neither a program for"},
		{"interpreter", Command{Path: script}, "cannot be run: "},
		{"architecture", Command{Path: other}, "is built for linux/riscv64, this is"},
		{"other program", Command{Path: "/bin/true"}, "exited with status 0 before the handshake; is it a policy plugin of mmsim?"},
		{"exit", Command{Path: bad, Args: []string{"exit"}}, `exited with status 3 before the handshake; is it a policy plugin of mmsim?; it printed "cannot find my model"`},
		{"panic", Command{Path: bad, Args: []string{"panic-at-start"}}, `exited with status 2 before the handshake; is it a policy plugin of mmsim?; it printed "panic: no model"; in `},
		{"print", Command{Path: bad, Args: []string{"print"}}, `printed "loading..." on stdout before the handshake; it must print to stderr`},
		{"protocol", Command{Path: bad, Args: []string{"protocol"}}, "speaks protocol 9, this mmsim speaks 1; build it with the SDK of this mmsim"},
		{"columns", Command{Path: bad, Args: []string{"columns"}}, "exited with status 1 before the handshake"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Open(t.Context(), test.Command, limits)
			checkLoadError(t, err, test.Path, test.want)
		})
	}
}

func TestHangsAtStart(t *testing.T) {
	c := binary("bad")
	c.Args = []string{"hang"}
	_, err := Open(t.Context(), c, Limits{Start: 300 * time.Millisecond})
	checkLoadError(t, err, c.Path, `did not start within 300ms; it printed "printed by an init function"`)
}

func TestInterruptedAtStart(t *testing.T) {
	c := binary("bad")
	c.Args = []string{"hang"}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, c, limits)
	checkLoadError(t, err, c.Path, "was interrupted while it started")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v is not the context's error", err)
	}
}

func TestRefusesParameters(t *testing.T) {
	for mode, want := range map[string]string{
		"refuse":       "refuses its parameters: seats: 5 is odd",
		"refuse-panic": "refuses its parameters: panic: no seats",
		"refuse-hang":  "gave no answer within 500ms when it was given its parameters",
	} {
		t.Run(mode, func(t *testing.T) {
			p := openBad(t, mode)
			_, err := p.Spec().New(policies.Values{"seats": int64(5)})
			checkLoadError(t, err, p.Path(), want)
		})
	}
}

// TestFailsInRun lets plugins misbehave in their third decision.
func TestFailsInRun(t *testing.T) {
	for mode, want := range map[string]string{
		"error":           "failed: table 7 is unknown",
		"panic":           "failed: panic: runtime error: index out of range [3] with length 0",
		"panic-elsewhere": "exited with status 2",
		"exit-late":       "exited with status 4",
		"long-lines":      "exited with status 6",
		"child":           "exited with status 5",
		"spin":            "gave no answer within 500ms",
		"block":           "gave no answer within 500ms",
		"stop":            "gave no answer within 500ms",
		"nan":             "gave a wrong answer: score of FlushMRSOp (table 1, tablet 64, row 1) is NaN; it must be a finite number",
		"infinite":        "gave a wrong answer: score of CompactRowSetsOp (table 0, tablet 3, row 0) is +Inf; it must be a finite number",
		"count":           "gave a wrong answer: 8 bytes of scores, not 16 for 2 candidates",
		"sequence":        "answered decision 2 instead",
	} {
		t.Run(mode, func(t *testing.T) {
			p := openBad(t, mode)
			e := failAtThird(t, p, func() {})
			if e.Reason != want {
				t.Errorf("reason %q, not %q", e.Reason, want)
			}
			if line := e.Error(); strings.Contains(line, "\n") || !strings.Contains(line, "at decision 3, simulated time 1.5s") {
				t.Errorf("message %q", line)
			}
			switch mode {
			case "panic-elsewhere":
				contains(t, e.Error(), `; it printed "panic: lost"; in `)
				contains(t, e.Error(), "testdata/bad/main.go:"+lineOf(t, `panic("lost")`))
			case "exit-late":
				contains(t, e.Error(), `; it printed "giving up"`)
			case "panic":
				contains(t, e.Output, "testdata/bad/main.go")
				contains(t, e.Error(), "testdata/bad/main.go:"+lineOf(t, "none[p.decisions] = 1"))
			}
		})
	}
}

// lineOf gives the number of the line of the bad plugin that holds a text.
func lineOf(t *testing.T, text string) string {
	t.Helper()
	source, err := os.ReadFile("testdata/bad/main.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(source), text)
	if !found {
		t.Fatalf("the bad plugin does not hold %q", text)
	}
	return strconv.Itoa(1 + strings.Count(before, "\n"))
}

func TestLog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "line", "policy.log")
	p := openBad(t, "long-lines")
	p.LogTo(log)
	failAtThird(t, p, func() {})
	p.Close()
	text, err := os.ReadFile(log)
	if err != nil || p.LogError() != nil {
		t.Fatal(err, p.LogError())
	}
	words := strings.ReplaceAll(string(text), "\x00", "") // stdout and stderr come in no certain order
	for _, want := range []string{"printed by an init function\n", "stray\n", "printed\n"} {
		contains(t, words, want)
	}
	if zeros := len(text) - len(words); zeros != 200<<10 {
		t.Errorf("%d bytes of the long line, want %d", zeros, 200<<10)
	}
}

func TestNoLogOfNothing(t *testing.T) {
	log := filepath.Join(t.TempDir(), "line", "policy.log")
	p := open(t, binary("raw"))
	p.LogTo(log)
	p.Close()
	if _, err := os.Stat(filepath.Dir(log)); !os.IsNotExist(err) || p.LogError() != nil {
		t.Error(err, p.LogError())
	}
}

func TestLogIsBounded(t *testing.T) {
	for _, early := range []int{0, 1000, mostLogged, mostLogged + 5000} {
		p := &Plugin{path: "mine"}
		log := filepath.Join(t.TempDir(), "policy.log")
		p.printed.Write(make([]byte, early))
		p.LogTo(log)
		for range 300 {
			p.printed.Write(make([]byte, 7000))
		}
		p.printed.close()
		text, err := os.ReadFile(log)
		const notice = "\n[mmsim: the policy printed more than 1 MiB; the rest is left out]\n"
		if err != nil || p.LogError() != nil || len(text) != mostLogged+len(notice) || !strings.HasSuffix(string(text), notice) {
			t.Errorf("%d printed early: %v, %v, %d bytes", early, err, p.LogError(), len(text))
		}
	}
}

func TestLogThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "", 0o600)
	p := &Plugin{path: "mine"}
	p.LogTo(filepath.Join(dir, "file", "policy.log"))
	p.printed.Write([]byte("words"))
	p.printed.close()
	if err := p.LogError(); err == nil || !strings.HasPrefix(err.Error(), "write what policy plugin mine printed: ") {
		t.Error(err)
	}
}

func TestKilledInRun(t *testing.T) {
	p := openBad(t, "good")
	e := failAtThird(t, p, func() { syscall.Kill(p.proc.cmd.Process.Pid, syscall.SIGKILL) })
	if want := "was killed by signal: killed"; e.Reason != want {
		t.Errorf("reason %q, not %q", e.Reason, want)
	}
}

func TestClosedInRun(t *testing.T) {
	p := openBad(t, "good")
	e := failAtThird(t, p, p.Close)
	if !errors.Is(e, context.Canceled) || e.Reason != "was closed" {
		t.Errorf("%v", e)
	}
}

func TestInterruptedInRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := binary("bad")
	c.Args = []string{"block"}
	p, err := Open(ctx, c, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { p.Close(); checkGone(t, p) }()
	e := failAtThird(t, p, func() { time.AfterFunc(100*time.Millisecond, cancel) })
	if !errors.Is(e, context.Canceled) || e.Reason != "was interrupted" {
		t.Errorf("%v", e)
	}
}

func TestClosesStopped(t *testing.T) {
	p := openBad(t, "good")
	syscall.Kill(p.proc.cmd.Process.Pid, syscall.SIGSTOP) // asked politely it would never end
	p.Close()
	checkGone(t, p)
}

func openBad(t *testing.T, mode string) *Plugin {
	t.Helper()
	c := binary("bad")
	c.Args = []string{mode}
	p, err := Open(t.Context(), c, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(); checkGone(t, p) })
	return p
}

// failAtThird makes three decisions, of which the third must fail for good.
func failAtThird(t *testing.T, p *Plugin, before func()) *RunError {
	t.Helper()
	spec := p.Spec()
	values, err := spec.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	policy, err := spec.New(values)
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, 2)
	for i := range 2 {
		if err := policy.Score(int64(i), 0, table(), scores); err != nil {
			t.Fatal(err)
		}
	}
	before()
	err = policy.Score(1_500_000_000, 0, table(), scores)
	var e *RunError
	if !errors.As(err, &e) {
		t.Fatalf("%T %v is no *RunError", err, err)
	}
	if again := policy.Score(2_000_000_000, 0, table(), scores); again != err {
		t.Errorf("the next decision gives %v", again)
	}
	return e
}

func checkLoadError(t *testing.T, err error, path, want string) {
	t.Helper()
	var e *LoadError
	if !errors.As(err, &e) {
		t.Fatalf("%T %v is no *LoadError", err, err)
	}
	if !strings.HasPrefix(err.Error(), "policy plugin "+path+" "+want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got  %s\nwant policy plugin %s %s", err, path, want)
	}
}

func contains(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%q does not contain %q", text, part)
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// elfHeader is the header of a 64-bit little-endian ELF program without sections.
func elfHeader(machine byte) string {
	h := make([]byte, 64)
	copy(h, "\x7fELF\x02\x01\x01")
	h[16], h[18], h[20], h[52], h[54], h[58] = 2, machine, 1, 64, 56, 64
	return string(h)
}
