package pages

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mmsim/configs"
	"mmsim/importers/kudu/layout"
)

// Tablet is one replica.
type Tablet struct {
	Listed
	Server      *Server
	TableID     string
	Page        *TabletPage // nil = not read
	Layout      *layout.Page
	Metrics     map[string]float64
	DeltaMemory int64 // bytes of its DeltaMemStores
}

// name names the tablet in messages.
func (t *Tablet) name() string { return fmt.Sprintf("tablet %s of table %s", t.ID, t.Table) }

// Value gives one of the tablet's metrics, 0 if it is not there.
func (t *Tablet) Value(name string) float64 { return t.Metrics[name] }

// Delta is by how much a counter grew while the server was watched, or since it started.
func (t *Tablet) Delta(name string) float64 {
	if t.Server.later == nil {
		return t.Value(name)
	}
	later, ok := t.Server.later.tablets[t.ID]
	if !ok {
		return 0
	}
	v, _ := later.value(name)
	return max(v-t.Value(name), 0)
}

// Leads says whether the replica is the leader.
func (t *Tablet) Leads() bool { return t.Page != nil && t.Page.Leads }

// readTablet reads a tablet's pages. What can't be read is left out by name.
func (s *Server) readTablet(ctx context.Context, l Listed, n *Notes) error {
	t := &Tablet{Listed: l, Server: s, DeltaMemory: s.deltas[l.ID]}
	if t.State != "RUNNING" {
		n.Warn("%s is left out: it is %s", t.name(), t.State)
		return nil
	}
	counted := s.metrics.tablets[l.ID]
	if counted == nil {
		n.Warn("%s is left out: the server's metrics don't have it", t.name())
		return nil
	}
	t.Metrics, t.TableID = counted.values, counted.Attributes["table_id"]
	if err := ctx.Err(); err != nil {
		return err
	}
	var unfit *unfitPage
	switch err := t.readLayout(ctx); {
	case errors.Is(err, errNoPage) || errors.As(err, &unfit):
		n.Warn("%s is left out: %v", t.name(), err)
		return nil
	case err != nil:
		return err
	}
	page, err := s.Source.Page(ctx, "tablet", t.ID)
	if err == nil {
		if t.Page, err = readTablet(page, t.ID); err != nil {
			err = &unfitPage{err}
		}
	}
	switch {
	case errors.Is(err, errNoPage):
		n.Warn("%s: no page of its own: its columns are unknown", t.name())
	case errors.As(err, &unfit):
		n.Warn("%s is left out: %v", t.name(), err)
		return nil
	case err != nil:
		return err
	}
	if t.Layout.Away > 0 {
		n.Warn("%s: %d rowsets that a compaction holds are left out, as its pages don't show them", t.name(), t.Layout.Away)
	}
	t.warnOfMetrics(n)
	s.Tablets = append(s.Tablets, t)
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
func (t *Tablet) warnOfMetrics(n *Notes) {
	for _, m := range metricsRead {
		if _, ok := t.Metrics[m.name]; !ok {
			n.Warn("%s: the metrics have no %s: %s", t.name(), m.name, m.without)
		}
	}
}

// A compaction that holds rowsets of a running server is waited for, but not for long.
const (
	layoutReads = 5
	layoutPause = time.Second
)

// readLayout reads the tablet's layout page.
func (t *Tablet) readLayout(ctx context.Context) error {
	_, live := t.Server.Source.(*web)
	for reads := 1; ; reads++ {
		page, err := t.Server.Source.Page(ctx, "tablet-rowsetlayout-svg", t.ID)
		if err != nil {
			return err
		}
		if t.Layout, err = layout.ReadPage(page, t.ID, t.Server.Flags); err == nil {
			err = t.plausible()
		}
		if err != nil {
			return &unfitPage{err}
		}
		if t.Layout.Away == 0 || !live || reads == layoutReads {
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
func (t *Tablet) plausible() error {
	size := t.Value("on_disk_data_size")
	for _, b := range t.Layout.Bars {
		if size > 0 && float64(b.MB<<20) > 10*size+1<<30 {
			return fmt.Errorf("rowset %d has %d MB where the tablet has %v on disk", b.ID, b.MB, configs.Bytes(size))
		}
	}
	return nil
}
