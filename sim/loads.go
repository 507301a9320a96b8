package sim

import (
	"fmt"

	"mmsim/configs"
	"mmsim/sim/client"
	"mmsim/workloads"
)

// loads compiles the clients of a phase, by its number, and tells what their random streams hang on: a client's id, or its position among the clients of its
// table, so that no client changes what others before it draw.
func (w *world) loads(number int, op *operator) (loads []*client.Load, entities []string, err error) {
	costs := clientCosts(&w.exp.Machine)
	p := &w.exp.Phases[number]
	before := make([]int, len(w.exp.Tables)) // clients of each table
	for i := range p.Clients {
		c := &p.Clients[i]
		table := w.table(c.Table)
		l := w.load(c, table, costs)
		l.Run = int32(before[table])
		l.Until = op.stops(c.Table)
		loads = append(loads, l)
		entity := fmt.Sprintf("%s/phase/%d", w.exp.Tables[table].ID, number)
		switch {
		case c.ID != "":
			entity += "/client/" + c.ID
		case before[table] > 0:
			entity += fmt.Sprintf("/client/#%d", before[table])
		}
		before[table]++
		entities = append(entities, entity)
	}
	for i := range w.exp.Tables {
		if before[i] > 0 {
			rows := w.rows[i]
			client.Share(ofTable(p, loads, w.exp.Tables[i].Name), &rows)
			if order, _ := w.exp.InsertOrder(w.exp.Tables[i].Name); order == "ranges" {
				w.deal(p, i, loads)
			}
		}
	}
	for i := range p.Clients {
		if err := w.choose(p, &p.Clients[i], loads[i]); err != nil {
			return nil, nil, fmt.Errorf("phase %q, client of %q: %w", p.Name, p.Clients[i].Table, err)
		}
	}
	return loads, entities, nil
}

// load compiles a client but for its choice of keys.
func (w *world) load(c *configs.Client, table int, costs *client.Costs) *client.Load {
	x := &c.Workload
	t := &w.cluster.Tables[table]
	order, _ := w.exp.InsertOrder(c.Table)
	l := &client.Load{First: int32(t.First), Tablets: int32(t.Tablets), Threads: int64(c.Threads), Target: float64(c.Target),
		Keys: w.keys[table], Ordered: order != "hashed", OwnRanges: order == "ranges", Ranges: int32(w.exp.Tables[table].Partitions.Ranges), FirstBucket: x.ScanPlace == "first_bucket", Costs: costs,
		Session: client.Session{BufferOps: c.Session.BufferOps, Buffers: c.Session.Buffers, FlushInterval: ns(c.Session.FlushInterval)},
		OnScan:  w.log.scans(table), NewKeys: x.UpsertNew, Operations: max(x.Records, x.Operations), OnlyInserts: x.OnlyInserts() || x.Insert == 1}
	if l.Operations == 0 {
		l.Operations = client.Endless
	}
	if !x.OnlyInserts() {
		l.Mix = workloads.NewMix(workloads.Shares{Read: x.Read, Update: x.Update, Insert: x.Insert, Scan: x.Scan, ReadModifyWrite: x.Modify, Delete: x.Delete, Upsert: x.Upsert})
	}
	return l
}

// choose compiles how a client chooses existing keys and the lengths of scans. The room left for keys to come is that of the inserts that all clients of the table
// ask for.
func (w *world) choose(p *configs.Phase, c *configs.Client, l *client.Load) (err error) {
	x := &c.Workload
	if x.Existing() == 0 {
		return nil
	}
	inserts := 0.0
	for i := range p.Clients {
		if o := &p.Clients[i]; o.Table == c.Table {
			inserts += float64(wanted(p, o)) * o.Workload.Inserted()
		}
	}
	if l.Chooser, err = workloads.NewChooser(x.RequestDist, l.Rows.Inserted, inserts); err != nil {
		return err
	}
	l.Lengths, err = workloads.NewLengths(x.ScanLenDist, x.MinScanLen, x.MaxScanLen)
	return err
}
