package kudu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mmsim/configs"
)

// serverState is what one tablet server's pages say.
type serverState struct {
	source       Source
	uuid         string
	version      string // empty = not shown
	major, minor int
	flags        flags
	metrics      *metrics
	later        *metrics      // the same after a while; nil = read once
	between      time.Duration // from the one to the other; from the server's start if read once
	memoryLimit  string        // as an experiment writes it; empty = not shown
	deltas       map[string]int64
	manager      *managerPage // nil = not known
	tablets      []*tabletState
}

// tabletState is one replica.
type tabletState struct {
	listed
	tableID string
	page    *tabletPage // nil = not read
	layout  *layoutPage
	metrics *entity
	server  *serverState
}

// name names the tablet in messages.
func (t *tabletState) name() string { return fmt.Sprintf("tablet %s of table %s", t.id, t.table) }

// value gives one of the tablet's metrics, 0 if it is not there.
func (t *tabletState) value(name string) float64 {
	v, _ := t.metrics.value(name)
	return v
}

// delta is by how much a counter grew while the server was watched, or since it started.
func (t *tabletState) delta(name string) float64 {
	if t.server.later == nil {
		return t.value(name)
	}
	later, ok := t.server.later.tablets[t.id]
	if !ok {
		return 0
	}
	v, _ := later.value(name)
	return max(v-t.value(name), 0)
}

// notes are what a reader should know of an import: what went wrong, and what pages don't tell.
type notes struct {
	warnings []string
	untold   []string
	progress func(Step)
}

// doing tells what is done next.
func (n *notes) doing(s Step) {
	if n.progress != nil {
		n.progress(s)
	}
}

func (n *notes) warn(format string, args ...any) {
	if text := printable(fmt.Sprintf(format, args...)); !slices.Contains(n.warnings, text) {
		n.warnings = append(n.warnings, text)
	}
}

func (n *notes) missing(format string, args ...any) {
	if text := printable(fmt.Sprintf(format, args...)); !slices.Contains(n.untold, text) {
		n.untold = append(n.untold, text)
	}
}

// readServer reads all pages of a tablet server.
func readServer(ctx context.Context, source Source, n *notes) (*serverState, error) {
	s := &serverState{source: source}
	n.doing(Step{Server: source.String(), Doing: "metrics and tables"})
	var err error
	if s.metrics, err = s.readMetrics(ctx); err != nil {
		return nil, err
	}
	s.uuid = s.metrics.server.Attributes["uuid"]
	page, err := source.Page(ctx, "tablets", "")
	if err != nil {
		return nil, err
	}
	list, err := readTablets(page)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	s.major, s.minor, s.version, _ = readVersion(page)
	if err := s.readOptional(ctx, n); err != nil {
		return nil, err
	}
	if err := s.readManager(ctx, n); err != nil {
		return nil, err
	}
	for i, t := range list {
		n.doing(Step{source.String(), "tablet " + t.id + " of table " + t.table, i, len(list)})
		if err := s.readTablet(ctx, t, n); err != nil {
			return nil, err
		}
	}
	s.warnOfUnlisted(list, n)
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: the server holds no tablets", source)
	}
	if len(s.tablets) == 0 {
		return nil, fmt.Errorf("%s: none of the server's %d tablets could be read: %s", source, len(list), strings.Join(n.warnings, "; "))
	}
	return s, nil
}

func (s *serverState) readMetrics(ctx context.Context) (*metrics, error) {
	page, err := s.source.Page(ctx, "metrics", "")
	if err != nil {
		return nil, err
	}
	m, err := readMetrics(page)
	if err != nil {
		return nil, fmt.Errorf("%s: metrics: %w", s.source, err)
	}
	return m, nil
}

// optional reads a page that an import can do without.
func (s *serverState) optional(ctx context.Context, path, without string, n *notes) ([]byte, error) {
	page, err := s.source.Page(ctx, path, "")
	var unfit *unfitPage
	switch {
	case errors.Is(err, errNoPage):
		n.warn("%s: no page %s: %s", s.source, path, without)
		return nil, nil
	case errors.As(err, &unfit):
		n.warn("%v: %s", err, without)
		return nil, nil
	}
	return page, err
}

// readOptional reads flags and memory.
func (s *serverState) readOptional(ctx context.Context, n *notes) error {
	page, err := s.optional(ctx, "varz", "flags are those of Kudu's defaults", n)
	if err != nil {
		return err
	}
	s.flags = readFlags(page)
	if len(page) > 0 && len(s.flags) == 0 {
		n.warn("%s: no flags on the page varz: they are those of Kudu's defaults", s.source)
	}
	const without = "the memory limit, if it is Kudu's own choice, and DeltaMemStores are unknown"
	page, err = s.optional(ctx, "mem-trackers", without, n)
	if err != nil {
		return err
	}
	if len(page) > 0 && !isMemory(page) {
		n.warn("%s: mem-trackers: it is not the page of that name: %s", s.source, without)
	}
	s.memoryLimit = memoryLimit(page)
	s.deltas = deltaMemory(page)
	return nil
}

// readTablet reads a tablet's pages. What can't be read is left out by name.
func (s *serverState) readTablet(ctx context.Context, l listed, n *notes) error {
	t := &tabletState{listed: l, server: s, metrics: s.metrics.tablets[l.id]}
	if t.state != "RUNNING" {
		n.warn("%s is left out: it is %s", t.name(), t.state)
		return nil
	}
	if t.metrics == nil {
		n.warn("%s is left out: the server's metrics don't have it", t.name())
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var unfit *unfitPage
	switch err := t.readLayout(ctx); {
	case errors.Is(err, errNoPage) || errors.As(err, &unfit):
		n.warn("%s is left out: %v", t.name(), err)
		return nil
	case err != nil:
		return err
	}
	t.tableID = t.metrics.Attributes["table_id"]
	page, err := s.source.Page(ctx, "tablet", t.id)
	if err == nil {
		if t.page, err = readTablet(page, t.id); err != nil {
			err = &unfitPage{err}
		}
	}
	switch {
	case errors.Is(err, errNoPage):
		n.warn("%s: no page of its own: its columns are unknown", t.name())
	case errors.As(err, &unfit):
		n.warn("%s is left out: %v", t.name(), err)
		return nil
	case err != nil:
		return err
	}
	if t.layout.away > 0 {
		n.warn("%s: %d rowsets that a compaction holds are left out, as its pages don't show them", t.name(), t.layout.away)
	}
	t.warnOfMetrics(n)
	s.tablets = append(s.tablets, t)
	return nil
}

// metricsRead are the metrics of a tablet that an import goes by, and what becomes of it without them.
var metricsRead = []struct{ name, without string }{
	{"live_row_count", "rows are worked out from sizes"},
	{"memrowset_size", "its MemRowSet is taken to be empty"},
	{"on_disk_data_size", "how large rows are is not known"},
	{"rows_inserted", "inserts are not counted"},
	{"rows_updated", "updates are not counted"},
	{"rows_upserted", "upserts are not counted"},
	{"scans_started", "scans are not counted"},
	{"scanner_rows_returned", "how long scans are is not known"},
}

// warnOfMetrics names those that the tablet's metrics lack.
func (t *tabletState) warnOfMetrics(n *notes) {
	for _, m := range metricsRead {
		if _, ok := t.metrics.value(m.name); !ok {
			n.warn("%s: the metrics have no %s: %s", t.name(), m.name, m.without)
		}
	}
}

// warnOfUnlisted names the tablets that only the server's metrics have: the page tablets is of another time or is not whole.
func (s *serverState) warnOfUnlisted(list []listed, n *notes) {
	for _, id := range slices.Sorted(maps.Keys(s.metrics.tablets)) {
		if !slices.ContainsFunc(list, func(t listed) bool { return t.id == id }) {
			n.warn("tablet %s is left out: the server's metrics have it, but its page tablets doesn't", id)
		}
	}
}

// A compaction that holds rowsets of a running server is waited for, but not for long.
const (
	layoutReads = 5
	layoutPause = time.Second
)

// readLayout reads the tablet's layout page.
func (t *tabletState) readLayout(ctx context.Context) error {
	_, live := t.server.source.(*web)
	for reads := 1; ; reads++ {
		page, err := t.server.source.Page(ctx, "tablet-rowsetlayout-svg", t.id)
		if err != nil {
			return err
		}
		if t.layout, err = readLayoutPage(page, t.id); err == nil {
			err = t.plausible()
		}
		if err != nil {
			return &unfitPage{err}
		}
		t.layout.flags = t.server.flags
		if t.layout.away == 0 || !live || reads == layoutReads {
			return nil
		}
		select {
		case <-time.After(layoutPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// plausible refuses rowsets that are far larger than all that the tablet has on disk.
func (t *tabletState) plausible() error {
	size := t.value("on_disk_data_size")
	for _, b := range t.layout.bars {
		if size > 0 && float64(b.mb)*mebibyte > 10*size+1<<30 {
			return fmt.Errorf("rowset %d has %d MB where the tablet has %v on disk", b.id, b.mb, configs.Bytes(size))
		}
	}
	return nil
}

// watch finds out over how long the counters of servers counted: since each started, or over a while that they are watched for.
func watch(ctx context.Context, servers []*serverState, sample time.Duration, n *notes) error {
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
		s.between = time.Duration(up) * time.Microsecond
		if sample > 0 {
			later, err := s.readMetrics(ctx)
			if err != nil {
				return err
			}
			s.later, s.between = later, time.Since(begin)
			if up2, ok := later.server.value("uptime"); ok && known {
				s.between = time.Duration(up2-up) * time.Microsecond
			}
			if s.between <= 0 {
				return fmt.Errorf("%s: the server was started anew while it was watched", s.source)
			}
		}
		if s.between <= 0 {
			n.warn("%s: the metrics have no uptime: no rates could be worked out", s.source)
		}
	}
	return nil
}

// order is where a partition stands among its table's: the hash buckets of all levels, then ranges as they are written.
func (t *tabletState) order(other *tabletState) int {
	return cmp.Or(slices.Compare(t.buckets(), other.buckets()), cmp.Compare(t.partition, other.partition), cmp.Compare(t.id, other.id))
}

var bucketNumber = regexp.MustCompile(`HASH \([^)]*\) PARTITION (\d+)`)

// buckets are the tablet's hash buckets, one for each level of hashing.
func (t *tabletState) buckets() (numbers []int) {
	for _, m := range bucketNumber.FindAllStringSubmatch(t.partition, -1) {
		n, _ := strconv.Atoi(m[1])
		numbers = append(numbers, n)
	}
	return numbers
}
