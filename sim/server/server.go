// Package server models tablet servers: how long reads and writes take on them, what they do to the replicas, and
// the memory and disk that they share with maintenance.
package server

import (
	"cmp"

	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// Server is one tablet server.
type Server struct {
	ID       int
	Memory   Memory
	Disk     Disk
	CPU      CPU
	Replicas []*tablet.Replica // in the order of their tablets' ids

	rpc     *engine.Station // threads that serve client RPCs
	apply   *engine.Pool    // threads that apply writes
	rand    engine.Rand     // service times and rejections
	written int64           // bytes written to disk so far: what pushes old pages out of the page cache

	unsynced float64 // bytes written before the start that the first op syncs

	Counts Counts
}

// Counts are what a server has seen.
type Counts struct {
	WriteRPCs, RejectedMemory, RejectedQueue, ColdReads, WALBytes int64
}

// Config is what a server is made of.
type Config struct {
	Memory        Memory
	Threads, Room int // RPC service threads and the length of their queue
	Cores         int // threads of the apply pool
	Bandwidth     float64
	Devices       int     // that share the bandwidth
	Stripes       int     // devices that hold one op's files
	Together      float64 // what all cores together do, in cores that work alone; 0 = Cores
	Unsynced      int64   // bytes written before the start that the first op must wait for
}

// New makes a server without replicas.
func New(id int, c *Config, rand engine.Rand) *Server {
	return &Server{ID: id, Memory: c.Memory, Disk: NewDisk(c), CPU: NewCPU(cmp.Or(c.Together, float64(c.Cores))), rpc: engine.NewStation(c.Threads, c.Room),
		apply: engine.NewPool(c.Cores), rand: rand, unsynced: float64(c.Unsynced)}
}

// applies gives when a thread has applied a batch that is sent now, comes later, waits reads for the disk and takes work ns. The server computes for it beside
// ns more.
func (s *Server) applies(now, comes, reads engine.Time, work, beside float64) (applied engine.Time) {
	slower := s.CPU.slowed(now, 0)
	takes := engine.Time(work*slower) + reads
	applied = s.apply.Arrive(comes, takes)
	s.CPU.occupy(now, applied-takes-comes, work+beside, slower)
	return applied
}

// Write accounts for bytes of files written.
func (s *Server) Write(bytes int64) { s.written += bytes }

// Written is the bytes of files written so far.
func (s *Server) Written() int64 { return s.written }

// logged accounts for bytes appended to a WAL.
func (s *Server) logged(bytes int64) {
	s.written += bytes
	s.Counts.WALBytes += bytes
	s.Disk.Take(bytes)
}
