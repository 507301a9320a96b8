package main

import (
	"bytes"
	"context"
	"errors"
	"runtime/pprof"
)

// profiled does some work and writes a CPU profile of it, if one is asked for.
func profiled(ctx context.Context, to *outFile, work func() error) error {
	if to.path == "" {
		return work()
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return err
	}
	err := work()
	pprof.StopCPUProfile()
	return errors.Join(err, to.write(ctx, content(profile.Bytes())))
}
