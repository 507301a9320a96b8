package host

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// LoadError says that a plugin could not be started or configured; nothing has been simulated with it.
type LoadError struct {
	Path   string // as given
	Reason string // one line
	Output string // the last it printed, at most 20 lines; may be empty
	Err    error  // the cause; may be nil
}

func (e *LoadError) Error() string {
	return fmt.Sprintf("policy plugin %s %s%s", e.Path, e.Reason, quoted(e.Output, e.Reason))
}

func (e *LoadError) Unwrap() error { return e.Err }

// RunError says that a policy failed while it ranked for a run, which is lost: its plugin is gone and so is what it remembered.
type RunError struct {
	Path   string // as given
	Policy string
	Seq    uint64        // number of the decision in the run, from 1
	Now    time.Duration // simulated time of the decision
	Reason string        // one line
	Output string        // the last it printed, at most 20 lines; may be empty
	Err    error         // the cause; may be nil
}

func (e *RunError) Error() string {
	return fmt.Sprintf("policy %s (plugin %s) %s at decision %d, simulated time %v%s",
		e.Policy, e.Path, e.Reason, e.Seq, e.Now, quoted(e.Output, e.Reason))
}

func (e *RunError) Unwrap() error { return e.Err }

// quoted is the line of the output that says most, unless the reason has it already: the panic and where it came up, else the last line.
func quoted(output, reason string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	line, where := lines[len(lines)-1], ""
	if startsPanic(lines[0]) {
		line = lines[0]
		if at := panicked(lines); at != "" {
			where = "; in " + at
		}
	}
	if line == "" || strings.Contains(reason, line) {
		return where
	}
	return fmt.Sprintf("; it printed %q%s", shorten(line), where)
}

// frame is the second line of a call in a trace of Go's: file, line and an offset.
var frame = regexp.MustCompile(`^\t(.+:[0-9]+)(?: \+0x[0-9a-f]+)?$`)

// panicked finds in the trace of a panic the file and line of the author's code where it came up: the first call that is neither Go's own nor
// the SDK's; behind the call of panic, if the trace was made by who caught it.
func panicked(lines []string) string {
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") {
			lines = lines[i+1:]
			break
		}
	}
	for i := 0; i+1 < len(lines); i++ {
		at := frame.FindStringSubmatch(lines[i+1])
		call, _, _ := strings.Cut(lines[i], "(")
		if at == nil || strings.HasPrefix(call, "runtime.") || strings.HasPrefix(call, "runtime/") || strings.HasPrefix(call, "mmsim/plugins/sdk.") || strings.HasPrefix(lines[i], "\t") {
			continue
		}
		return shorten(at[1])
	}
	return ""
}

func startsPanic(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// shorten keeps the start of a line that would not fit on one.
func shorten(line string) string {
	const most = 200
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "..."
	}
	return line
}
