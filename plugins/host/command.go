// Package host runs policies in other processes and lets mmsim use them as if they were built in.
package host

import (
	"os"
	"strings"
	"time"
)

// Command says which program serves a policy.
type Command struct {
	Path string   // of the program; relative to the working directory
	Args []string // without the program's name
	Env  []string // "KEY=value", added to the few variables that a plugin gets
}

// Self is the command with which the running mmsim serves one of its built-in policies out of process.
func Self(policy string) (Command, error) {
	path, err := os.Executable()
	return Command{Path: path, Args: []string{"serve-policy", policy}}, err
}

// Limits bound what a plugin may take of real time. They only ever end a run; they change no result.
type Limits struct {
	Start    time.Duration // from start to description; 0 = 10 s
	Decision time.Duration // for the scores of one decision; 0 = 10 s
}

func (l Limits) orDefaults() Limits {
	const byDefault = 10 * time.Second
	if l.Start == 0 {
		l.Start = byDefault
	}
	if l.Decision == 0 {
		l.Decision = byDefault
	}
	return l
}

// environment is what the plugin gets to see: enough to run, nothing that would make its scores depend on whose shell
// started it. GOMAXPROCS=1 keeps the hand-offs inside its gRPC server on one thread, which halves the time of a call.
func (c Command) environment() []string {
	env := []string{"LANG=C.UTF-8", "TZ=UTC", "GOMAXPROCS=1"}
	for _, kv := range os.Environ() {
		key, _, _ := strings.Cut(kv, "=")
		if key == "PATH" || key == "HOME" || key == "TMPDIR" || strings.HasPrefix(key, "MMSIM_") {
			env = append(env, kv)
		}
	}
	return append(env, c.Env...)
}
