package kudu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mmsim/axis"
)

// cluster is all servers read, as one.
type cluster struct {
	servers     []*serverState
	replication int
	tables      []*tableState
}

// tableState is a table with its tablets in order.
type tableState struct {
	name, original string
	tablets        []*tabletState
	ycsb           bool // its keys are YCSB's
	extra          extraConfig
	shape          shape
}

// gather joins servers. Of a tablet's replicas the leader's stands for all, else the first read.
func gather(servers []*serverState, n *notes) (*cluster, error) {
	c := &cluster{servers: servers}
	seen, uuids := map[string]int{}, map[string]Source{}
	chosen := map[string]*tabletState{}
	for _, s := range servers {
		if first, twice := uuids[s.uuid]; twice && s.uuid != "" {
			return nil, fmt.Errorf("%s and %s are the same tablet server", first, s.source)
		}
		uuids[s.uuid] = s.source
		for _, t := range s.tablets {
			seen[t.id]++
			if old := chosen[t.id]; old == nil || t.leads() && !old.leads() {
				chosen[t.id] = t
			}
		}
	}
	c.replicate(chosen, seen, n)
	byTable := map[string]*tableState{}
	for _, id := range slices.Sorted(maps.Keys(chosen)) {
		t := chosen[id]
		table := byTable[t.table]
		if table == nil {
			table = &tableState{original: t.table}
			byTable[t.table] = table
			c.tables = append(c.tables, table)
		}
		table.tablets = append(table.tablets, t)
	}
	slices.SortFunc(c.tables, func(a, b *tableState) int { return cmp.Compare(a.original, b.original) })
	c.name()
	for _, t := range c.tables {
		slices.SortFunc(t.tablets, (*tabletState).order)
		t.ycsb = t.hasYCSBKeys()
	}
	return c, nil
}

func (t *tabletState) leads() bool { return t.page != nil && t.page.leads }

// replicate finds how many replicas of every tablet were read.
func (c *cluster) replicate(chosen map[string]*tabletState, seen map[string]int, n *notes) {
	least, voters := len(c.servers), 0
	for id, t := range chosen {
		least, voters = min(least, seen[id]), max(voters, t.voters)
	}
	c.replication = max(1, least-(1-least%2))
	if voters > c.replication {
		n.missing("Tablets have up to %d replicas, of which the servers read hold %d of each: the experiment has replication %d. Replicas elsewhere and their traffic are left out.",
			voters, least, c.replication)
	}
}

// hasYCSBKeys says whether all keys that the table's pages show are YCSB's.
func (t *tableState) hasYCSBKeys() bool {
	shown := false
	for _, tablet := range t.tablets {
		if tablet.layout.keys {
			shown = true
			if !tablet.layout.ycsbKeys() {
				return false
			}
		}
		if tablet.layout.hidden {
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
func (c *cluster) readExtras(ctx context.Context, master Source, n *notes) error {
	unknown := 0
	for _, t := range c.tables {
		if page := t.tablets[0].page; page != nil {
			t.extra = page.extra
		}
		if !t.extra.known && master != nil && t.tablets[0].tableID != "" {
			page, err := master.Page(ctx, "table", t.tablets[0].tableID)
			var unfit *unfitPage
			switch {
			case err == nil:
				t.extra = readExtra(readDocument(page).text)
			case errors.As(err, &unfit):
				n.warn("table %s: %v", t.original, err)
			case !errors.Is(err, errNoPage):
				return err
			}
		}
		if !t.extra.known {
			unknown++
		}
	}
	if unknown > 0 {
		n.missing("Maintenance priority and disable_compaction of %d tables: the master shows them, not the tablet server. They are taken to be 0 and off.", unknown)
	}
	return nil
}

// spans gives the places of a tablet's rowsets.
func (t *tableState) spans(l *layoutPage, weights []float64) []axis.Range {
	if t.ycsb && l.keys {
		return l.ycsbSpans()
	}
	return axis.Places(l.ranges(), weights)
}

// sane keeps a place within what an experiment may say.
func sane(s axis.Range) axis.Range {
	s.From = min(max(s.From, 0), 1)
	return axis.Range{From: s.From, To: min(max(s.To, s.From), 1)}
}
