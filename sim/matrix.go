package sim

import (
	"context"
	"sync"

	"mmsim/configs"
	"mmsim/results"
)

// Matrix runs every policy line, at most jobs at a time, and hands each run to done as it ends, one after the other. The first error stops the rest.
// Runs share nothing, so their number at a time changes no result.
func Matrix(ctx context.Context, e *configs.Experiment, lines []Line, jobs int, o Options, done func(*results.Run) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, max(jobs, 1))
	var wait sync.WaitGroup
	var lock sync.Mutex
	for i := range lines {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			run, err := Run(ctx, e, lines[i], o)
			if err == nil {
				lock.Lock()
				err = done(run)
				lock.Unlock()
			}
			if err != nil {
				cancel(err)
			}
			<-slots
		}()
	}
	wait.Wait()
	return context.Cause(ctx)
}
