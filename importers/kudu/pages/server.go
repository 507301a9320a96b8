package pages

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Server is what one tablet server's pages say.
type Server struct {
	Source       Source
	UUID         string
	Version      string // empty = not shown
	Major, Minor int
	Flags        map[string]string // by name
	MemoryLimit  string            // as an experiment writes it; empty = not shown
	Between      time.Duration     // over which its counters counted: since it started, or while it was watched; 0 = not known
	Tablets      []*Tablet

	metrics *metrics
	later   *metrics // the same after a while; nil = read once
	deltas  map[string]int64
	manager *managerPage // nil = not known
}

// Value gives one of the server's own metrics.
func (s *Server) Value(name string) (v float64, known bool) { return s.metrics.server.value(name) }

// Watched says whether the server was watched for a while.
func (s *Server) Watched() bool { return s.later != nil }

// ReadServer reads all pages of a tablet server.
func ReadServer(ctx context.Context, source Source, n *Notes) (*Server, error) {
	s := &Server{Source: source}
	n.doing(Step{Server: source.String(), Doing: "metrics and tables"})
	var err error
	if s.metrics, err = s.readMetrics(ctx); err != nil {
		return nil, err
	}
	s.UUID = s.metrics.server.Attributes["uuid"]
	page, err := source.Page(ctx, "tablets", "")
	if err != nil {
		return nil, err
	}
	list, err := readTablets(page)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	s.Major, s.Minor, s.Version, _ = readVersion(page)
	if err := s.readOptional(ctx, n); err != nil {
		return nil, err
	}
	if err := s.readManager(ctx, n); err != nil {
		return nil, err
	}
	for i, t := range list {
		n.doing(Step{source.String(), "tablet " + t.ID + " of table " + t.Table, i, len(list)})
		if err := s.readTablet(ctx, t, n); err != nil {
			return nil, err
		}
	}
	s.warnOfUnlisted(list, n)
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: the server holds no tablets", source)
	}
	if len(s.Tablets) == 0 {
		return nil, fmt.Errorf("%s: none of the server's %d tablets could be read: %s", source, len(list), strings.Join(n.Warnings, "; "))
	}
	return s, nil
}

func (s *Server) readMetrics(ctx context.Context) (*metrics, error) {
	page, err := s.Source.Page(ctx, "metrics", "")
	if err != nil {
		return nil, err
	}
	m, err := readMetrics(page)
	if err != nil {
		return nil, fmt.Errorf("%s: metrics: %w", s.Source, err)
	}
	return m, nil
}

// optional reads a page that an import can do without.
func (s *Server) optional(ctx context.Context, path, without string, n *Notes) ([]byte, error) {
	page, err := s.Source.Page(ctx, path, "")
	var unfit *unfitPage
	switch {
	case errors.Is(err, errNoPage):
		n.Warn("%s: no page %s: %s", s.Source, path, without)
		return nil, nil
	case errors.As(err, &unfit):
		n.Warn("%v: %s", err, without)
		return nil, nil
	}
	return page, err
}

// readOptional reads flags and memory.
func (s *Server) readOptional(ctx context.Context, n *Notes) error {
	page, err := s.optional(ctx, "varz", "flags are those of Kudu's defaults", n)
	if err != nil {
		return err
	}
	s.Flags = readFlags(page)
	if len(page) > 0 && len(s.Flags) == 0 {
		n.Warn("%s: no flags on the page varz: they are those of Kudu's defaults", s.Source)
	}
	const without = "the memory limit, if it is Kudu's own choice, and DeltaMemStores are unknown"
	page, err = s.optional(ctx, "mem-trackers", without, n)
	if err != nil {
		return err
	}
	if len(page) > 0 && !isMemory(page) {
		n.Warn("%s: mem-trackers: it is not the page of that name: %s", s.Source, without)
	}
	s.MemoryLimit = memoryLimit(page)
	s.deltas = deltaMemory(page)
	return nil
}

// warnOfUnlisted names the tablets that only the server's metrics have: the page tablets is of another time or is not whole.
func (s *Server) warnOfUnlisted(list []Listed, n *Notes) {
	for _, id := range slices.Sorted(maps.Keys(s.metrics.tablets)) {
		if !slices.ContainsFunc(list, func(t Listed) bool { return t.ID == id }) {
			n.Warn("tablet %s is left out: the server's metrics have it, but its page tablets doesn't", id)
		}
	}
}
