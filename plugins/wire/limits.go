package wire

import (
	"math"

	"google.golang.org/grpc"
)

// window is how many bytes gRPC sends before it waits for word from the other side: more than a large decision has. A fixed
// window also spares gRPC's own measurements of the connection.
const window = 4 << 20

// DialOptions are those of mmsim's side. Nothing is ever tried again: a policy must see each decision once.
func DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithDisableRetry(), grpc.WithDisableServiceConfig(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)),
		grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window),
	}
}

// NewServer makes the plugin's gRPC server. It lifts gRPC's limit of 4 MiB a message.
func NewServer(opts []grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(opts,
		grpc.MaxRecvMsgSize(math.MaxInt32), grpc.MaxSendMsgSize(math.MaxInt32),
		grpc.InitialWindowSize(window), grpc.InitialConnWindowSize(window))...)
}
