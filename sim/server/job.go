package server

import "mmsim/sim/engine"

// Job is one maintenance op's work on a server: it moves bytes and beside that computes. When both are done it syncs, and ends.
type Job struct {
	disk float64 // bytes still to read and write
	work float64 // ns of computing on a core of its own still to do
	sync float64 // bytes from before that are moved when both are done
}

// Begin starts a job. The first that moves bytes syncs what was written before the start, too.
func (s *Server) Begin(now engine.Time, bytes int64, work engine.Time) *Job {
	j := &Job{disk: float64(bytes), work: float64(work)}
	if bytes > 0 {
		j.sync, s.unsynced = s.unsynced, 0
	}
	s.Disk.begin(now, j)
	s.CPU.begin(now, j)
	return j
}

// Due is the earliest time at which a job can end if nothing else happens; at that time it has ended if Due says no later one.
func (s *Server) Due(now engine.Time, j *Job) engine.Time {
	computed, moved := s.CPU.computed(now, j), s.Disk.moved(now, j)
	if j.sync > 0 && max(computed, moved) <= now {
		j.disk, j.sync = j.sync, 0
		return s.Disk.moved(now, j)
	}
	return max(computed, moved)
}

// End ends a job.
func (s *Server) End(now engine.Time, j *Job) {
	s.Disk.end(now, j)
	s.CPU.end(now, j)
}
