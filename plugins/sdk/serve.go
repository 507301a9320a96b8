// Package sdk makes a policy a program that mmsim can run:
//
//	func main() { sdk.Serve(spec) }
//
// What a policy prints to stdout or stderr goes to mmsim, which keeps it beside the policy's results and quotes it when the policy fails.
package sdk

import (
	"fmt"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"

	"mmsim/plugins/wire"
	"mmsim/policies"
)

// Serve runs the program. Started by mmsim it serves the policy until mmsim is done with it or gone. Started by hand with
// the argument "describe" it prints the policy's specification as JSON, with "--version" name and version; otherwise
// it explains itself and exits with status 2. It does not return.
func Serve(spec policies.Spec) {
	if err := spec.Validate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if !startedByHost() {
		os.Exit(byHand(&spec, os.Args[1:], handshakeOut, os.Stderr))
	}
	go exitWithParent()
	os.Stdout = handshakeOut // go-plugin prints the handshake to it
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: wire.Handshake,
		Plugins:         plugin.PluginSet{wire.Name: &wire.Plugin{Serves: newServer(&spec)}},
		GRPCServer:      wire.NewServer,
		Logger:          hclog.New(&hclog.LoggerOptions{Level: hclog.Error, Output: printed}),
	})
	os.Exit(0)
}
