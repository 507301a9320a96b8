package kudu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"mmsim/axis"
	"mmsim/configs"
)

// Options say how an import is done.
type Options struct {
	Name     string        // of the experiment; a name that a file can have
	KeepKeys bool          // write row keys; else only their places
	Sample   time.Duration // how long running servers are watched for rates; 0 = their counters since they started are taken
	Master   Source        // shows what tables set for themselves; nil = unknown
	Progress func(Step)    // is told what is done next; nil = nobody is
}

// Step is a part of an import, for whoever waits for it.
type Step struct {
	Server      string // its address or folder; empty = all of them
	Doing       string // such as "tablet 3f46... of table ta"
	Done, Total int    // of the server's tablets
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
func Import(ctx context.Context, sources []Source, o Options) (*Imported, error) {
	if err := configs.CheckName("--name", o.Name); err != nil {
		return nil, err
	}
	imported, err := importAll(ctx, sources, o)
	if err != nil && ctx.Err() != nil {
		return nil, errors.New("stopped before the import was complete")
	}
	return imported, err
}

func importAll(ctx context.Context, sources []Source, o Options) (*Imported, error) {
	n := notes{progress: o.Progress}
	var servers []*serverState
	for _, source := range sources {
		s, err := readServer(ctx, source, &n)
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
	if err := watch(ctx, servers, o.Sample, &n); err != nil {
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
	return &Imported{text, n.warnings, n.untold, c.scores()}, nil
}

// baseMachine is the machine that an imported experiment runs on: pages don't tell what operations cost.
const baseMachine = "kudu-2core-vm"

// costs gives that machine's bytes a row. Rows that take less than it counts beyond key and fields need another number.
func (c *cluster) costs(n *notes) (costs, error) {
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

// stored is a disk rowset as it is written.
type stored struct {
	bar
	span        axis.Range // places of its smallest and largest key
	rows, bytes int64
}

// rowsets gives a tablet's, oldest first where that is known, and whether their sizes are a guess.
func (t *tableState) rowsets(tablet *tabletState, c costs) (all []stored, guess bool) {
	l := tablet.layout
	weights, guess := l.weights(tablet.value("on_disk_data_size"), 1+c.fullRow/t.shape.perRow)
	if guess {
		l.reconcile(weights)
	}
	spans := t.spans(l, weights)
	perByte := t.rowsPerByte(tablet, weights, c)
	all = make([]stored, len(l.bars))
	for i, b := range l.bars {
		all[i] = stored{bar: b, span: sane(spans[i]), bytes: max(int64(weights[i]), 1)}
		if perByte > 0 {
			all[i].rows = max(int64(math.Round(weights[i]*perByte)), 1)
		}
	}
	slices.SortStableFunc(all, func(a, b stored) int { return a.id - b.id })
	return all, guess
}

// rowsPerByte is how many rows a byte of a tablet's rowsets holds, 0 if rows are not known. A tablet with all its rows in the rowsets that its
// page shows has the rows that its metrics count.
func (t *tableState) rowsPerByte(tablet *tabletState, weights []float64, c costs) float64 {
	size := tablet.value("on_disk_data_size")
	if !t.shape.known || size <= 0 {
		return 0
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if live := tablet.value("live_row_count"); live > 0 && sum > 0 && tablet.layout.away == 0 {
		return max(live-float64(tablet.memRows(&t.shape, c)), 1) / sum
	}
	return tablet.data(c) / size / t.shape.perRow
}
