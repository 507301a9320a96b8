package host

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"

	"mmsim/files"
	"mmsim/plugins/wire"
	"mmsim/policies"
)

// Plugin is a policy that runs in another process. Its methods may be called from several goroutines.
type Plugin struct {
	path   string // as given
	sum    string
	limits Limits

	proc    *process
	client  *plugin.Client
	dir     *files.Temp // of its socket
	printed output

	ctx         context.Context // of Open
	remote      wire.PolicyClient
	description *wire.Description
	spec        policies.Spec

	closing sync.Once
	closed  chan struct{} // closed when Close begins
	release func() bool   // stops waiting for ctx
}

// Spec is what the plugin said about itself. Its New makes an instance in the plugin's process and gives a policy that asks
// it; the error is a *LoadError if the plugin refuses the parameters. The policy is an io.Closer: closing it forgets
// the instance, which Close of the plugin does too. Its Score gives a *RunError, after which the plugin is dead.
func (p *Plugin) Spec() policies.Spec { return p.spec }

// Path is the plugin's file as it was given to Open.
func (p *Plugin) Path() string { return p.path }

// SHA256 is the hash in hex of the plugin's file as it was when it was started.
func (p *Plugin) SHA256() string { return p.sum }

// Build says how the plugin was compiled. Another architecture, or another level of it, than mmsim's own (wire.ThisBuild)
// may round scores differently.
func (p *Plugin) Build() *wire.Build { return p.description.GetBuild() }

// Close ends the plugin and all its children, by force after 2 s, and waits until they are gone. Later calls do nothing.
func (p *Plugin) Close() {
	p.closing.Do(func() {
		close(p.closed)
		if p.release != nil {
			p.release()
		}
		p.shutDown()
		p.printed.close()
		p.dir.Remove()
	})
}

// shutDown asks the plugin to end. go-plugin does so without a deadline, which a stopped process would outlast for ever.
func (p *Plugin) shutDown() {
	const grace = 2 * time.Second
	force := time.AfterFunc(grace, p.proc.kill)
	defer force.Stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.client.Kill()
	}()
	within(done, 2*grace)
}

// silent drops go-plugin's own log; what matters of it is in the errors.
func silent() hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Level: hclog.Off, Output: io.Discard})
}
