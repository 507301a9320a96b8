// Package kudu turns the state of real tablet servers, as their pages show it, into an experiment that starts there.
package kudu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"mmsim/configs"
	"mmsim/importers/kudu/pages"
)

// Options say how an import is done.
type Options struct {
	Name     string           // of the experiment; a name that a file can have
	KeepKeys bool             // write row keys; else only their places
	Sample   time.Duration    // how long running servers are watched for rates; 0 = their counters since they started are taken
	Master   pages.Source     // shows what tables set for themselves; nil = unknown
	Progress func(pages.Step) // is told what is done next; nil = nobody is
}

// Imported is an experiment that starts in the state of real servers.
type Imported struct {
	YAML     []byte
	Warnings []string // what was left out or could not be read, by name
	Untold   []string // what the pages don't tell
	Scores   []Score  // of compactions, by which the state can be held against the server's own view of it
}

// Import reads the pages of tablet servers of one cluster and makes an experiment that starts in their state. Row keys are not in it unless
// Options says so. The experiment is one that configs.Parse takes.
//
// It stops when ctx does.
func Import(ctx context.Context, sources []pages.Source, o Options) (*Imported, error) {
	if err := configs.CheckName("--name", o.Name); err != nil {
		return nil, err
	}
	imported, err := importAll(ctx, sources, o)
	if err != nil && ctx.Err() != nil {
		return nil, errors.New("stopped before the import was complete")
	}
	return imported, err
}

func importAll(ctx context.Context, sources []pages.Source, o Options) (*Imported, error) {
	n := pages.Notes{Progress: o.Progress}
	var servers []*pages.Server
	for _, source := range sources {
		s, err := pages.ReadServer(ctx, source, &n)
		if err != nil {
			return nil, err
		}
		servers = append(servers, s)
	}
	if len(servers) == 0 {
		return nil, errors.New("no tablet server given")
	}
	c, err := gather(servers, &n)
	if err != nil {
		return nil, err
	}
	if err := pages.Watch(ctx, servers, o.Sample, &n); err != nil {
		return nil, err
	}
	if err := c.readExtras(ctx, o.Master, &n); err != nil {
		return nil, err
	}
	cost, err := c.costs(&n)
	if err != nil {
		return nil, err
	}
	w := writer{cluster: c, options: o, costs: cost, notes: &n}
	text := w.experiment()
	if _, err := configs.Parse(o.Name, text); err != nil {
		return nil, fmt.Errorf("the servers' state makes no experiment: %w", err)
	}
	return &Imported{text, n.Warnings, n.Untold, c.scores()}, nil
}

// baseMachine is the machine that an imported experiment runs on: pages don't tell what operations cost.
const baseMachine = "kudu-2core-vm"

// costs gives that machine's bytes a row. Rows that take less than it counts beyond key and fields need another number.
func (c *cluster) costs(n *pages.Notes) (costs, error) {
	d, err := configs.Parse("import", []byte("name: x\nmachine: "+baseMachine+"\ntables: [{name: t, tablets: 1}]\n"+
		"phases: [{name: p, clients: [{table: t, workload: {records: 1}}]}]\npolicies: [{policy: raw}]\n"))
	if err != nil {
		return costs{}, err
	}
	s := d.Experiment.Machine.Store
	all := costs{diskRow: s.DiskRow, fullRow: s.FullRow, memRow: float64(s.MRSRow), memOver: float64(s.MRSFixed), chunk: float64(s.MRSChunk), fixed: float64(s.RowsetFixed)}
	least := math.Inf(1)
	for _, t := range c.tables {
		if t.measure(all, n); t.shape.known {
			least = min(least, t.shape.perRow)
		}
	}
	const part = 4 // of the smallest row, which leaves room for its key and fields
	if least/part < all.diskRow {
		all.diskRow, all.shrunk = math.Round(least/part*10)/10, true
	}
	for _, t := range c.tables {
		if t.shape.known {
			t.shape.part(t.shape.perRow - all.diskRow)
		}
	}
	return all, nil
}

// Score is what the policy of a real server makes of a tablet's rowset compaction, before workload and priority, as its page shows it: to six digits.
type Score struct {
	Table  string // its name in the experiment
	Tablet int
	Score  float64
}

// scores lists those that are known.
func (c *cluster) scores() (all []Score) {
	for _, t := range c.tables {
		for i, tablet := range t.tablets {
			if score, known := tablet.Score(); known {
				all = append(all, Score{t.name, i, score})
			}
		}
	}
	return all
}
