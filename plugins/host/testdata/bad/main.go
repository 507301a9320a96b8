// Command bad is a policy plugin that misbehaves in the way its first argument says, from its third decision on if the way
// concerns decisions.
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"mmsim/plugins/sdk"
	"mmsim/plugins/wire"
	"mmsim/policies"
)

var mode = os.Args[1]

func init() { fmt.Println("printed by an init function") }

func main() {
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "cannot find my model")
		os.Exit(3)
	case "panic-at-start":
		panic("no model")
	case "print":
		syscall.Write(1, []byte("loading...\n"))
	case "hang":
		time.Sleep(time.Hour)
	case "protocol":
		handshake := wire.Handshake
		handshake.ProtocolVersion = 9
		serve(handshake)
	case "count", "sequence":
		serve(wire.Handshake)
	case "columns":
		sdk.Serve(policies.Spec{Name: "bad", Columns: 1 << 20})
	}
	sdk.Serve(policies.Spec{
		Name: "bad", Version: "0.1.0", Columns: policies.ColPerf,
		Params: []policies.Param{{Name: "seats", Type: policies.Int, Default: int64(2), Min: 0, Max: 9}},
		New:    newBad,
	})
}

func newBad(v policies.Values) (policies.Policy, error) {
	switch mode {
	case "refuse":
		return nil, fmt.Errorf("seats: %d is odd", v.Int("seats"))
	case "refuse-panic":
		panic("no seats")
	case "refuse-hang":
		select {}
	}
	return &bad{}, nil
}

type bad struct{ decisions int }

func (p *bad) Score(_ int64, _ int, c *policies.Candidates, scores []float64) error {
	copy(scores, c.Perf)
	if p.decisions++; p.decisions < 3 {
		return nil
	}
	switch mode {
	case "error":
		return errors.New("table 7 is unknown")
	case "panic":
		var none []int
		none[p.decisions] = 1
	case "panic-elsewhere":
		go func() { panic("lost") }()
		select {}
	case "exit-late":
		fmt.Println("giving up")
		os.Exit(4)
	case "long-lines":
		syscall.Write(1, append(make([]byte, 200<<10), '\n'))
		syscall.Write(1, []byte("stray\n"))
		fmt.Fprintln(os.Stderr, "printed")
		os.Exit(6)
	case "spin":
		for {
			runtime.Gosched()
		}
	case "block":
		select {}
	case "stop":
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		time.Sleep(100 * time.Millisecond) // until it has stopped
	case "child":
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.Start()
		os.Exit(5)
	case "nan":
		scores[1] = math.NaN()
	case "infinite":
		scores[0] = math.Inf(1)
	}
	return nil
}

// serve speaks to mmsim without the SDK, which would not let it do so wrongly.
func serve(handshake plugin.HandshakeConfig) {
	os.Stdout = os.NewFile(1, "stdout") // which the SDK has moved
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: handshake,
		Plugins:         plugin.PluginSet{wire.Name: &wire.Plugin{Serves: liar{}}},
		GRPCServer:      plugin.DefaultGRPCServer,
	})
	os.Exit(0)
}

type liar struct{ wire.UnimplementedPolicyServer }

func (liar) Describe(_ context.Context, _ *wire.DescribeRequest) (*wire.Description, error) {
	return &wire.Description{Name: "liar"}, nil
}

func (liar) Configure(_ context.Context, _ *wire.Configuration) (*wire.Configured, error) {
	return &wire.Configured{Instance: 1}, nil
}

func (liar) Session(stream grpc.BidiStreamingServer[wire.Decide, wire.Scores]) error {
	for {
		in, err := stream.Recv()
		if err != nil {
			return err
		}
		out := &wire.Scores{Seq: in.Seq, Scores: make([]byte, 8*in.Rows)}
		if mode == "count" && in.Seq == 3 {
			out.Scores = out.Scores[8:]
		}
		if mode == "sequence" && in.Seq == 3 {
			out.Seq = 2
		}
		stream.Send(out)
	}
}
