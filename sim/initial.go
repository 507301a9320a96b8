package sim

import (
	"fmt"

	"mmsim/axis"
	"mmsim/configs"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
)

// initialOf lists what each tablet of a table holds at the start; nil = nothing.
func initialOf(e *configs.Experiment, t *configs.Table) []*configs.Initial {
	all := make([]*configs.Initial, t.Tablets)
	for i := range e.Initial {
		if n := &e.Initial[i]; n.Table == t.Name {
			all[n.Tablet] = n
		}
	}
	return all
}

// opening is a tablet that opens with what it holds at the start.
type opening struct {
	*configs.Initial
	space  *keySpace
	spans  []axis.Range
	tablet *server.Tablet
}

// open gives tablets what they hold at the start. The last rowset of each is the youngest: those were written last, whichever tablet they belong to, and
// leave the page cache last.
func (w *world) open(all []opening) error {
	most := 0
	for _, o := range all {
		most = max(most, len(o.Rowsets))
	}
	for i := range all {
		all[i].spans = all[i].Spans()
	}
	for younger := most - 1; younger >= 0; younger-- {
		for _, o := range all {
			if i := len(o.Rowsets) - 1 - younger; i >= 0 {
				if err := w.store(o, i); err != nil {
					return fmt.Errorf("initial rowset %d of tablet %d of table %q: %w", i, o.Initial.Tablet, o.Table, err)
				}
			}
		}
	}
	for _, o := range all {
		w.replay(o)
	}
	return nil
}

// store puts a rowset on every replica.
func (w *world) store(o opening, i int) error {
	f := &o.Rowsets[i]
	s, err := stored(f, o.spans[i], o.space)
	if err != nil {
		return err
	}
	for _, p := range o.tablet.Replicas {
		rs, err := p.Replica.Store(s, 0)
		if err != nil {
			return err
		}
		p.Server.Write(rs.Full())
		rs.Written = p.Server.Written()
		rs.Evicted = w.exp.Server.PageCache == "cold"
		if p.Replica.Leader {
			w.rows[o.tablet.Table].Inserted += rs.Rows - f.Deleted
		}
	}
	return nil
}

// stored translates a rowset: from keys to places, or the other way.
func stored(f *configs.InitialRowset, span axis.Range, space *keySpace) (*tablet.Stored, error) {
	s := &tablet.Stored{Rows: f.Rows, Size: int64(f.Size), RedoFiles: f.RedoFiles, DeleteFiles: f.DeleteFiles, RedoRows: f.RedoRows, RedoTime: -ns(f.RedoAge),
		Undo: int64(f.Undo), UndoTime: -ns(f.UndoAge), Deleted: f.Deleted}
	if len(f.Keys) != 2 {
		s.Lo, s.Hi = span.From, span.To
		s.Min, s.Max = space.at(s.Lo), space.at(s.Hi)
		return s, nil
	}
	s.Min, s.Max = f.Keys[0], f.Keys[1]
	var small, large bool
	s.Lo, small = space.place(s.Min)
	s.Hi, large = space.place(s.Max)
	if !small || !large {
		return nil, fmt.Errorf("keys %q and %q: not both are keys of the table", s.Min, s.Max)
	}
	return s, nil
}

// replay fills a tablet's MemRowSets.
func (w *world) replay(o opening) {
	for _, p := range o.tablet.Replicas {
		p.Replica.Opened()
		end := 0.0
		for _, rs := range p.Replica.Rowsets {
			end = max(end, rs.Hi)
		}
		p.Server.Memory.Add(p.Replica.Replay(o.MemRowsetRows, end))
	}
	w.rows[o.tablet.Table].Inserted += o.MemRowsetRows
}
