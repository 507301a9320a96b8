package sdk

import (
	"os"
	"sync"

	"mmsim/plugins/wire"
)

// The process's own stdout and stderr, whatever os.Stdout and os.Stderr become later.
var (
	handshakeOut = os.Stdout
	printed      = os.Stderr
)

// The handshake is the first line on stdout, so whatever the author's program prints before Serve has to go elsewhere.
// This package is initialised before the author's, hence in time for package variables and init functions too.
func init() {
	if startedByHost() {
		os.Stdout = printed
	}
}

// startedByHost says whether mmsim started this process.
func startedByHost() bool {
	return os.Getenv(wire.Handshake.MagicCookieKey) == wire.Handshake.MagicCookieValue
}

// printDirectly undoes go-plugin's redirection of os.Stdout and os.Stderr into a gRPC stream, in which the last words
// of a dying process are lost. It is called in the first RPC, after go-plugin has set them.
var printDirectly = sync.OnceFunc(func() { os.Stdout, os.Stderr = printed, printed })
