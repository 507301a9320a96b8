package host

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc/status"

	"mmsim/files"
	"mmsim/plugins/wire"
	"mmsim/policies"
)

// Open starts a plugin and asks what it is. When ctx ends, the plugin is killed, then or later. The caller must Close it;
// after an error, which is a *LoadError, nothing is left to close.
func Open(ctx context.Context, c Command, limits Limits) (*Plugin, error) {
	if !supported {
		return nil, &LoadError{Path: c.Path, Reason: "would run in a process of its own, which mmsim does not support on this system: use built-in policies within mmsim"}
	}
	path, err := filepath.Abs(c.Path)
	if err == nil {
		err = inspect(path)
	}
	if err != nil {
		return nil, &LoadError{Path: c.Path, Reason: err.Error(), Err: err}
	}
	p := &Plugin{path: c.Path, limits: limits.orDefaults(), ctx: ctx, closed: make(chan struct{})}
	if err := p.prepare(path, c); err != nil {
		return nil, &LoadError{Path: c.Path, Reason: "cannot be started: " + err.Error(), Err: err}
	}
	if err := p.start(); err != nil {
		return nil, err
	}
	return p, nil
}

// SocketRoot is where the folders of plugins' sockets are made: the path of a socket has room for about 100 bytes, which TMPDIR may use up.
const SocketRoot = "/tmp"

// prepare makes everything ready for start.
func (p *Plugin) prepare(path string, c Command) (err error) {
	if p.sum, err = hash(path); err != nil {
		return err
	}
	if p.dir, err = files.TempFolder(SocketRoot); err != nil {
		return err
	}
	p.proc = newProcess(&exec.Cmd{Path: path, Args: append([]string{path}, c.Args...)}, &p.printed)
	p.client = plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  wire.Handshake,
		Plugins:          plugin.PluginSet{wire.Name: &wire.Plugin{}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
			p.proc.cmd.Env = append(c.environment(), cmd.Env...) // go-plugin's own variables
			return p.proc, nil
		},
		SkipHostEnv:      true,
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: p.dir.Path},
		StartTimeout:     2 * p.limits.Start, // start ends it before
		Stderr:           &p.printed,
		SyncStdout:       &p.printed,
		SyncStderr:       &p.printed,
		GRPCDialOptions:  wire.DialOptions(),
		Logger:           silent(),
	})
	return nil
}

// start runs the plugin up to its description, within the limit for it. After an error the plugin is closed.
func (p *Plugin) start() error {
	p.release = context.AfterFunc(p.ctx, p.proc.kill)
	limit := time.AfterFunc(p.limits.Start, p.proc.kill)
	err := p.connect()
	late := !limit.Stop()
	if err == nil && !late {
		return nil
	}
	return p.loadError(err, late)
}

func (p *Plugin) connect() error {
	protocol, err := p.client.Client()
	if err != nil {
		return err
	}
	raw, err := protocol.Dispense(wire.Name)
	if err != nil {
		return err
	}
	p.remote = raw.(wire.PolicyClient)
	if p.description, err = p.remote.Describe(context.Background(), &wire.DescribeRequest{}); err != nil {
		return fmt.Errorf("does not describe itself: it %s", plainly(status.Convert(err)))
	}
	p.spec = p.description.Spec()
	p.spec.New = func(v policies.Values) (policies.Policy, error) { return p.open(v) }
	if err := p.spec.Validate(); err != nil {
		return fmt.Errorf("has an invalid description: %w", err)
	}
	return nil
}

// loadError puts a failed start into words. go-plugin has one message for nearly all of them.
func (p *Plugin) loadError(err error, late bool) error {
	e := &LoadError{Path: p.path, Err: err}
	fate, died := p.proc.fate()
	line := p.firstLine()
	switch {
	case p.ctx.Err() != nil:
		e.Reason, e.Err = "was interrupted while it started", p.ctx.Err()
	case line != "" && !handshake.MatchString(line):
		e.Reason = fmt.Sprintf("printed %q on stdout before the handshake; it must print to stderr", shorten(line))
	case late:
		e.Reason = fmt.Sprintf("did not start within %v", p.limits.Start)
	case strings.Contains(err.Error(), "incompatible API version"):
		e.Reason = fmt.Sprintf("speaks protocol %s, this mmsim speaks %d; build it with the SDK of this mmsim",
			handshake.FindStringSubmatch(line)[1], wire.ProtocolVersion)
	case died && line == "":
		e.Reason = fate + " before the handshake; is it a policy plugin of mmsim?"
	case died:
		e.Reason = fate + " while it started"
	case errors.Is(err, syscall.ENOEXEC) || errors.Is(err, syscall.ENOENT):
		e.Reason = fmt.Sprintf("cannot be run: %v; is the interpreter of its #! line there?", err)
	default:
		e.Reason, _, _ = strings.Cut(err.Error(), "\n")
	}
	p.Close()
	e.Output = p.printed.report()
	return e
}

// handshake is how go-plugin's first line begins: its own protocol's version and ours.
var handshake = regexp.MustCompile(`^[0-9]+\|([0-9]+)\|`)

// firstLine is the first line the plugin printed on stdout, if it was started at all.
func (p *Plugin) firstLine() string {
	if p.proc.stdout == nil {
		return ""
	}
	return p.proc.stdout.first()
}
