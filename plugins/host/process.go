package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// patience is how long a plugin that seems to be dying may take over it.
const patience = time.Second

// process runs a plugin for go-plugin (it is a runner.Runner) in a process group of its own, so that it can be ended with
// all its children, and so that a Ctrl-C on the terminal reaches mmsim only.
type process struct {
	cmd    *exec.Cmd
	rest   io.Writer // for what it prints on stdout after the handshake
	stdout *head
	stderr *os.File

	exited  chan struct{} // closed when the process has ended
	drained chan struct{} // closed when what it printed has been read as well

	mu     sync.Mutex
	killed bool // by us
	reaped bool // its id may belong to another process by now
}

func newProcess(cmd *exec.Cmd, rest io.Writer) *process {
	return &process{cmd: cmd, rest: rest, exited: make(chan struct{}), drained: make(chan struct{})}
}

// Start implements runner.Runner.
func (p *process) Start(context.Context) error {
	outR, outW, err := os.Pipe()
	if err != nil {
		return err
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		outR.Close()
		outW.Close()
		return err
	}
	p.stdout, p.stderr = &head{ReadCloser: outR, rest: p.rest}, errR
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = nil, outW, errW // nil: /dev/null
	p.cmd.SysProcAttr = ownGroup()
	started := make(chan error)
	go p.run(started, outW, errW)
	if err := <-started; err != nil {
		outR.Close()
		errR.Close()
		return err
	}
	return nil
}

// run starts the process and waits for its end. Linux kills a child when the thread that started it ends, not the process,
// so this goroutine keeps its thread (golang/go issue 27505).
func (p *process) run(started chan<- error, outW, errW *os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.launch()
	outW.Close()
	errW.Close()
	started <- err
	if err != nil {
		return
	}
	p.cmd.Wait() // its error is in cmd.ProcessState too
	p.mu.Lock()
	killGroup(p.cmd.Process.Pid) // children left behind; while one lives the group's id stays taken
	p.reaped = true
	p.mu.Unlock()
	close(p.exited)
	// A child that left the group may hold the pipes open for ever.
	end := time.Now().Add(patience / 2)
	p.stdout.ReadCloser.(*os.File).SetReadDeadline(end)
	p.stderr.SetReadDeadline(end)
}

func (p *process) launch() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return errors.New("killed before it was started")
	}
	return p.cmd.Start()
}

// kill ends the process and its children, if it runs, and keeps it from being started, if it does not run yet.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped || p.killed {
		return
	}
	p.killed = true
	if p.cmd.Process != nil {
		killGroup(p.cmd.Process.Pid)
	}
}

// fate says how the process ended, if it did so by itself within a second.
func (p *process) fate() (string, bool) {
	if p.cmd.Process == nil || !within(p.exited, patience) {
		return "", false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	state := p.cmd.ProcessState
	switch {
	case p.killed:
		return "", false
	case state.Exited():
		return fmt.Sprintf("exited with status %d", state.ExitCode()), true
	}
	return "was killed by " + state.String(), true // "signal: segmentation fault"
}

// end kills the process and waits until what it printed is in.
func (p *process) end() {
	p.kill()
	within(p.drained, patience)
}

func within(done <-chan struct{}, limit time.Duration) bool {
	select {
	case <-done:
		return true
	case <-time.After(limit):
		return false
	}
}

// Wait implements runner.AttachedRunner. go-plugin calls it once it has read both pipes to their end.
func (p *process) Wait(context.Context) error {
	<-p.exited
	p.stdout.Close()
	p.stderr.Close()
	close(p.drained)
	return nil
}

// Kill implements runner.AttachedRunner.
func (p *process) Kill(context.Context) error {
	p.kill()
	return nil
}

// Diagnose implements runner.Runner. go-plugin calls it before it kills a plugin that made no handshake: the moment to
// see whether the plugin dies by itself.
func (p *process) Diagnose(context.Context) string {
	within(p.exited, patience)
	return ""
}

// Stdout implements runner.Runner.
func (p *process) Stdout() io.ReadCloser { return p.stdout }

// Stderr implements runner.Runner.
func (p *process) Stderr() io.ReadCloser { return p.stderr }

// Name implements runner.Runner.
func (p *process) Name() string { return p.cmd.Path }

// ID implements runner.AttachedRunner. It is empty for a process that could not be started.
func (p *process) ID() string {
	if p.cmd.Process == nil {
		return ""
	}
	return fmt.Sprint(p.cmd.Process.Pid)
}

// PluginToHost implements runner.AddrTranslator.
func (p *process) PluginToHost(network, addr string) (string, string, error) {
	return network, addr, nil
}

// HostToPlugin implements runner.AddrTranslator.
func (p *process) HostToPlugin(network, addr string) (string, string, error) {
	return network, addr, nil
}
