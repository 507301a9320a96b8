package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"mmsim/plugins/wire"
	"mmsim/policies"
)

// session is one instance in a plugin's process; it is a policies.Policy. Its buffers are used again for each decision.
type session struct {
	plugin   *Plugin
	stream   grpc.BidiStreamingClient[wire.Decide, wire.Scores]
	cancel   context.CancelFunc
	watchdog *time.Timer // kills the plugin when a decision takes too long
	late     bool        // it has
	out      wire.Decide
	in       wire.Scores
	err      error // of the decision that failed; the session is over
}

// open makes an instance and begins its session.
func (p *Plugin) open(v policies.Values) (*session, error) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &session{plugin: p, cancel: cancel}
	s.watchdog = time.AfterFunc(p.limits.Decision, s.timeOut)
	configured, err := p.remote.Configure(ctx, wire.Configure(p.spec.Params, v))
	if err == nil {
		s.out.Instance = configured.Instance
		s.stream, err = p.remote.Session(ctx)
	}
	if err := s.inTime(err); err != nil {
		cancel()
		return nil, s.configureError(err)
	}
	return s, nil
}

// inTime stops the watchdog and gives the error of what it watched, which is never nil if that took too long.
func (s *session) inTime(err error) error {
	s.late = !s.watchdog.Stop()
	if s.late && err == nil {
		return context.DeadlineExceeded
	}
	return err
}

func (s *session) configureError(err error) error {
	p, why := s.plugin, status.Convert(err)
	if why.Code() == codes.InvalidArgument {
		return &LoadError{Path: p.path, Reason: "refuses its parameters: " + why.Message(), Err: err}
	}
	reason, cause := s.broken(why)
	p.proc.end()
	return &LoadError{Path: p.path, Reason: reason + " when it was given its parameters", Output: p.printed.report(), Err: cause}
}

func (s *session) timeOut() {
	s.plugin.proc.kill()
	s.cancel()
}

// Score implements policies.Policy.
func (s *session) Score(now int64, server int, c *policies.Candidates, scores []float64) error {
	if s.err != nil {
		return s.err
	}
	s.out.Seq++
	s.out.NowNs, s.out.Server = now, uint32(server)
	s.out.Pack(c, s.plugin.spec.Columns)
	if err := s.ask(); err != nil {
		return s.fail(s.broken(status.Convert(err)))
	}
	s.out.Instance = 0 // the first message has named it
	if reason, err := s.check(c, scores); reason != "" {
		return s.fail(reason, err)
	}
	return nil
}

// ask sends the decision and receives an answer.
func (s *session) ask() error {
	s.watchdog.Reset(s.plugin.limits.Decision)
	err := s.stream.Send(&s.out)
	if err == nil || err == io.EOF { // EOF: the reason is what the stream gives next
		err = s.stream.RecvMsg(&s.in)
	}
	return s.inTime(err)
}

// check reads the scores out of the answer. The reason says in words what is wrong with it.
func (s *session) check(c *policies.Candidates, scores []float64) (reason string, err error) {
	if s.in.Seq != s.out.Seq {
		return fmt.Sprintf("answered decision %d instead", s.in.Seq), nil
	}
	if s.in.Error != "" {
		return "failed: " + s.in.Error, errors.New(s.in.Error)
	}
	if err := wire.UnpackScores(scores, s.in.Scores); err != nil {
		return "gave a wrong answer: " + err.Error(), err
	}
	if err := c.Validate(scores); err != nil {
		return "gave a wrong answer: " + err.Error(), err
	}
	return "", nil
}

// broken says why the stream ended.
func (s *session) broken(why *status.Status) (reason string, err error) {
	p := s.plugin
	select {
	case <-p.closed:
		return "was closed", context.Canceled
	default:
	}
	if s.late {
		return fmt.Sprintf("gave no answer within %v", p.limits.Decision), context.DeadlineExceeded
	}
	if err := p.ctx.Err(); err != nil {
		return "was interrupted", err
	}
	if fate, died := p.proc.fate(); died {
		return fate, why.Err()
	}
	return plainly(why), why.Err()
}

// plainly says what a failed call means, without gRPC's words for it.
func plainly(why *status.Status) string {
	switch why.Code() {
	case codes.Unimplemented:
		return "does not know what it is asked for; build it with the SDK of this mmsim"
	case codes.ResourceExhausted:
		return "sends a message that is too large"
	case codes.Unavailable, codes.Canceled, codes.Internal:
		return "broke off the connection"
	}
	return "broke off: " + why.Message()
}

// fail ends the plugin: it is never started again, since what it remembered is lost.
func (s *session) fail(reason string, err error) error {
	p := s.plugin
	p.proc.end()
	s.cancel()
	s.err = &RunError{
		Path: p.path, Policy: p.spec.Name, Seq: s.out.Seq, Now: time.Duration(s.out.NowNs),
		Reason: reason, Output: p.printed.report(), Err: err,
	}
	return s.err
}

// Close ends the session; the plugin forgets the instance and lives on for others.
func (s *session) Close() error {
	if s.err != nil {
		return nil
	}
	s.err = errors.New("the session is closed")
	s.watchdog.Reset(s.plugin.limits.Decision)
	defer s.watchdog.Stop()
	defer s.cancel()
	if err := s.stream.CloseSend(); err != nil {
		return err
	}
	if err := s.stream.RecvMsg(&s.in); err != io.EOF {
		return fmt.Errorf("policy plugin %s did not end its session: %w", s.plugin.path, err)
	}
	return nil
}
