// Package server models tablet servers: how long reads and writes take on them, what they do to the replicas, and
// the memory and disk that they share with maintenance.
package server

import (
	"mmsim/sim/engine"
	"mmsim/sim/tablet"
)

// Server is one tablet server.
type Server struct {
	ID       int
	Memory   Memory
	Disk     Disk
	Replicas []*tablet.Replica // in the order of their tablets' ids

	rpc     *engine.Station // threads that serve client RPCs
	apply   *engine.Pool    // threads that apply writes
	rand    engine.Rand     // service times and rejections
	written int64           // bytes written to disk so far: what pushes old pages out of the page cache

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
	OpCores       float64 // cores that maintenance ops share; 0 = one each
	Unsynced      int64   // bytes written before the start that the first op must wait for
}

// New makes a server without replicas.
func New(id int, c *Config, rand engine.Rand) *Server {
	return &Server{ID: id, Memory: c.Memory, Disk: NewDisk(c), rpc: engine.NewStation(c.Threads, c.Room),
		apply: engine.NewPool(c.Cores), rand: rand}
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
