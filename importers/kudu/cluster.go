package kudu

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mmsim/importers/kudu/pages"
)

// cluster is all servers read, as one.
type cluster struct {
	servers     []*pages.Server
	replication int
	tables      []*tableState
}

// tableState is a table with its tablets in order.
type tableState struct {
	name, original string
	tablets        []*pages.Tablet
	ycsb           bool // its keys are YCSB's
	extra          pages.ExtraConfig
	shape          shape
}

// gather joins servers. Of a tablet's replicas the leader's stands for all, else the first read.
func gather(servers []*pages.Server, n *pages.Notes) (*cluster, error) {
	c := &cluster{servers: servers}
	seen, uuids := map[string]int{}, map[string]pages.Source{}
	chosen := map[string]*pages.Tablet{}
	for _, s := range servers {
		if first, twice := uuids[s.UUID]; twice && s.UUID != "" {
			return nil, fmt.Errorf("%s and %s are the same tablet server", first, s.Source)
		}
		uuids[s.UUID] = s.Source
		for _, t := range s.Tablets {
			seen[t.ID]++
			if old := chosen[t.ID]; old == nil || t.Leads() && !old.Leads() {
				chosen[t.ID] = t
			}
		}
	}
	c.replicate(chosen, seen, n)
	byTable := map[string]*tableState{}
	for _, id := range slices.Sorted(maps.Keys(chosen)) {
		t := chosen[id]
		table := byTable[t.Table]
		if table == nil {
			table = &tableState{original: t.Table}
			byTable[t.Table] = table
			c.tables = append(c.tables, table)
		}
		table.tablets = append(table.tablets, t)
	}
	slices.SortFunc(c.tables, func(a, b *tableState) int { return cmp.Compare(a.original, b.original) })
	c.name()
	for _, t := range c.tables {
		slices.SortFunc(t.tablets, inOrder)
		t.ycsb = t.hasYCSBKeys()
	}
	return c, nil
}

// replicate finds how many replicas of every tablet were read.
func (c *cluster) replicate(chosen map[string]*pages.Tablet, seen map[string]int, n *pages.Notes) {
	least, voters := len(c.servers), 0
	for id, t := range chosen {
		least, voters = min(least, seen[id]), max(voters, t.Voters)
	}
	c.replication = max(1, least-(1-least%2))
	if voters > c.replication {
		n.Missing("Tablets have up to %d replicas, of which the servers read hold %d of each: the experiment has replication %d. Replicas elsewhere and their traffic are left out.",
			voters, least, c.replication)
	}
}

// hasYCSBKeys says whether all keys that the table's pages show are YCSB's.
func (t *tableState) hasYCSBKeys() bool {
	shown := false
	for _, tablet := range t.tablets {
		if tablet.Layout.Keys {
			shown = true
			if !tablet.Layout.YCSBKeys() {
				return false
			}
		}
		if tablet.Layout.Hidden {
			return false
		}
	}
	return shown
}

var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9_.]+`)

// name gives tables names that an experiment can have.
func (c *cluster) name() {
	const longest = 90
	used := map[string]bool{}
	for _, t := range c.tables {
		base := strings.Trim(unsafeInName.ReplaceAllString(t.original, "-"), "-.")
		if base = base[:min(len(base), longest)]; base == "" {
			base = "table"
		}
		t.name = base
		for i := 2; used[strings.ToLower(t.name)]; i++ {
			t.name = fmt.Sprintf("%s-%d", base, i)
		}
		used[strings.ToLower(t.name)] = true
	}
}

// readExtras reads what tables set for themselves from their tablets' pages or, as Kudu shows it only there so far, from the master's.
func (c *cluster) readExtras(ctx context.Context, master pages.Source, n *pages.Notes) error {
	unknown := 0
	for _, t := range c.tables {
		if page := t.tablets[0].Page; page != nil {
			t.extra = page.Extra
		}
		if !t.extra.Known && master != nil && t.tablets[0].TableID != "" {
			extra, err := pages.ReadExtra(ctx, master, t.original, t.tablets[0].TableID, n)
			if err != nil {
				return err
			}
			t.extra = extra
		}
		if !t.extra.Known {
			unknown++
		}
	}
	if unknown > 0 {
		n.Missing("Maintenance priority and disable_compaction of %d tables: the master shows them, not the tablet server. They are taken to be 0 and off.", unknown)
	}
	return nil
}

// inOrder compares where partitions stand among their table's: the hash buckets of all levels, then ranges as they are written.
func inOrder(a, b *pages.Tablet) int {
	return cmp.Or(slices.Compare(a.Buckets(), b.Buckets()), cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.ID, b.ID))
}
