// Package wire is what mmsim and a policy in another process say to each other: the handshake, the gRPC service and how
// candidates are laid out as bytes.
package wire

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative policy.proto

import (
	"context"
	"errors"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// ProtocolVersion rises when a field of policy.proto is removed or changes its meaning.
const ProtocolVersion = 1

// Name is the name under which go-plugin dispenses the policy service.
const Name = "policy"

// Handshake tells mmsim's plugins from those of other programs. The cookie guards against starting one by hand; it is no secret.
var Handshake = plugin.HandshakeConfig{
	ProtocolVersion:  ProtocolVersion,
	MagicCookieKey:   "MMSIM_POLICY_PLUGIN",
	MagicCookieValue: "rank-maintenance-ops",
}

// Plugin connects the policy service to go-plugin. Serves is needed by a plugin only.
type Plugin struct {
	plugin.NetRPCUnsupportedPlugin
	Serves PolicyServer
}

// GRPCServer registers the service in the plugin's process.
func (p *Plugin) GRPCServer(_ *plugin.GRPCBroker, s *grpc.Server) error {
	if p.Serves == nil {
		return errors.New("no policy to serve")
	}
	RegisterPolicyServer(s, p.Serves)
	return nil
}

// GRPCClient gives mmsim a PolicyClient.
func (p *Plugin) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return NewPolicyClient(conn), nil
}
