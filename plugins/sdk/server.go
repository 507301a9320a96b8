package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"mmsim/plugins/wire"
	"mmsim/policies"
)

// server is the policy service of one process.
type server struct {
	wire.UnimplementedPolicyServer
	spec *policies.Spec

	mu      sync.Mutex
	last    uint32                     // instance made last
	waiting map[uint32]policies.Policy // instances whose session has not begun
}

func newServer(spec *policies.Spec) *server {
	return &server{spec: spec, waiting: map[uint32]policies.Policy{}}
}

// Describe implements the policy service.
func (s *server) Describe(context.Context, *wire.DescribeRequest) (*wire.Description, error) {
	printDirectly()
	return wire.Describe(s.spec), nil
}

// Configure implements the policy service.
func (s *server) Configure(_ context.Context, c *wire.Configuration) (*wire.Configured, error) {
	printDirectly()
	values, err := s.spec.Resolve(c.Params())
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	var p policies.Policy
	err = guard(func() (err error) { p, err = s.spec.New(values); return })
	if err == nil && p == nil {
		err = errors.New("New gave no policy")
	}
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return &wire.Configured{Instance: s.keep(p)}, nil
}

func (s *server) keep(p policies.Policy) uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.waiting[s.last] = p
	return s.last
}

func (s *server) take(instance uint32) (policies.Policy, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.waiting[instance]
	if !ok {
		return nil, status.Errorf(codes.FailedPrecondition, "no instance %d waits for a session", instance)
	}
	delete(s.waiting, instance)
	return p, nil
}

// Session implements the policy service. The stream is also the lifeline: if it breaks, mmsim is gone and so is its run.
func (s *server) Session(stream grpc.BidiStreamingServer[wire.Decide, wire.Scores]) error {
	stop := context.AfterFunc(stream.Context(), func() { os.Exit(0) })
	defer stop()
	var in wire.Decide
	var run *session
	for {
		if err := stream.RecvMsg(&in); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if run == nil {
			p, err := s.take(in.Instance)
			if err != nil {
				return err
			}
			run = &session{policy: p, columns: s.spec.Columns}
		}
		if err := stream.Send(run.decide(&in)); err != nil {
			return err
		}
	}
}

// session is one run of one instance. Its buffers are used again for each decision.
type session struct {
	policy     policies.Policy
	columns    policies.Column
	candidates policies.Candidates
	scores     []float64
	out        wire.Scores
}

func (r *session) decide(in *wire.Decide) *wire.Scores {
	r.out.Seq, r.out.Error, r.out.Scores = in.Seq, "", r.out.Scores[:0]
	if err := r.score(in); err != nil {
		r.out.Error = err.Error()
		return &r.out
	}
	r.out.Scores = wire.PackScores(r.out.Scores, r.scores)
	return &r.out
}

func (r *session) score(in *wire.Decide) error {
	if err := in.Unpack(&r.candidates, r.columns); err != nil {
		return err
	}
	n := r.candidates.Len()
	r.scores = append(r.scores[:0], make([]float64, n)...)
	return guard(func() error {
		return r.policy.Score(in.NowNs, int(in.Server), &r.candidates, r.scores)
	})
}

// guard turns a panic of the author's code into an error and prints its trace.
func guard(call func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
			fmt.Fprintf(printed, "%v\n\n%s", err, debug.Stack())
		}
	}()
	return call()
}
