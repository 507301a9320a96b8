package pages

import (
	"context"
	"fmt"
	"time"

	"mmsim/configs"
)

// Watch finds out over how long the counters of servers counted: since each started, or over a while that they are watched for.
func Watch(ctx context.Context, servers []*Server, sample time.Duration, n *Notes) error {
	begin := time.Now()
	if sample > 0 {
		n.doing(Step{Doing: "watching for " + configs.Duration(sample).String()})
		select {
		case <-time.After(sample):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, s := range servers {
		up, known := s.metrics.server.value("uptime") // microseconds
		s.Between = time.Duration(up) * time.Microsecond
		if sample > 0 {
			later, err := s.readMetrics(ctx)
			if err != nil {
				return err
			}
			s.later, s.Between = later, time.Since(begin)
			if up2, ok := later.server.value("uptime"); ok && known {
				s.Between = time.Duration(up2-up) * time.Microsecond
			}
			if s.Between <= 0 {
				return fmt.Errorf("%s: the server was started anew while it was watched", s.Source)
			}
		}
		if s.Between <= 0 {
			n.Warn("%s: the metrics have no uptime: no rates could be worked out", s.Source)
		}
	}
	return nil
}
