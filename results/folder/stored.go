package folder

import (
	"errors"
	"fmt"
	"path/filepath"

	"mmsim/results"
)

// A Stored is a result on the disk, of which the ops, waits and series of runs have not been read: they may be many.
type Stored struct {
	*results.Result
	dir string
}

// Open reads a result folder but for the ops, waits and series of its runs. It refuses one that is incomplete with an IncompleteError
// and one of another schema with a SchemaError.
func Open(dir string) (*Stored, error) {
	if incomplete := incompleteAt(dir); incomplete != "" {
		return nil, &IncompleteError{incomplete}
	}
	// The schema comes first: another one may not decode into today's types.
	head, err := headOf(dir)
	if err != nil {
		return nil, fmt.Errorf("reading a result: %w", err)
	}
	if head.Schema != Schema {
		return nil, &SchemaError{dir, head.Schema}
	}
	r, err := open(dir, filepath.Join(dir, results.ResultFile))
	if err != nil {
		return nil, fmt.Errorf("reading a result: %w", err)
	}
	return &Stored{r, dir}, nil
}

// Ops calls each with the ops of a run, by the time they were chosen.
func (s *Stored) Ops(run *results.Run, each func(results.Op)) error {
	return ofReading(readOps(filepath.Join(s.dir, run.Line, opsFile), run, each))
}

// Waits calls each with the waits of a run, by the time they began.
func (s *Stored) Waits(run *results.Run, each func(results.Wait)) error {
	return ofReading(readWaits(filepath.Join(s.dir, run.Line, waitsFile), run, each))
}

// Samples calls each with the samples of a run, by time, then table.
func (s *Stored) Samples(run *results.Run, each func(results.Sample)) error {
	return ofReading(readSeries(filepath.Join(s.dir, run.Line, seriesFile), run, each))
}

// Servers calls each with the samples of a run's servers, by time, then server.
func (s *Stored) Servers(run *results.Run, each func(results.ServerSample)) error {
	return ofReading(readServers(filepath.Join(s.dir, run.Line, serversFile), run, each))
}

// Stuck calls each with the compactions of a run that could not run at its end.
func (s *Stored) Stuck(run *results.Run, each func(results.Stuck)) error {
	return ofReading(readStuck(filepath.Join(s.dir, run.Line, stuckFile), run, each))
}

func ofReading(err error) error {
	if err != nil {
		return fmt.Errorf("reading a result: %w", err)
	}
	return nil
}

// Read reads all of a result folder.
func Read(dir string) (*results.Result, error) {
	s, err := Open(dir)
	if err != nil {
		return nil, err
	}
	for _, run := range s.Runs {
		err := errors.Join(
			s.Ops(run, func(o results.Op) { run.Ops = append(run.Ops, o) }),
			s.Samples(run, func(x results.Sample) { run.Samples = append(run.Samples, x) }),
			s.Servers(run, func(x results.ServerSample) { run.ServerSamples = append(run.ServerSamples, x) }),
			s.Waits(run, func(w results.Wait) { run.Waits = append(run.Waits, w) }),
			s.Stuck(run, func(x results.Stuck) { run.Stuck = append(run.Stuck, x) }),
			ofReading(check(run)))
		if err != nil {
			return nil, err
		}
	}
	return s.Result, nil
}
