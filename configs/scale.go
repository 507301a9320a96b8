package configs

import (
	"fmt"
	"math"
	"slices"
)

// Scaled gives a smaller experiment of the same shape, for 0 < s <= 1, whose Scale is s. Call it once, on an
// experiment as it was read: Scaled(e.Scale).
//
// What one client operation costs and how many threads ask stay as they are, and so do rates: operations, rows and
// scans per second, hence hot thresholds. With s times the operations the experiment then lasts s times as long. For maintenance
// to find the same picture at every fraction of the experiment, everything that is compared with a volume of data or
// with simulated time shrinks alike:
//   - rows, operations, and every size that data is held against: memory, WAL, flush threshold, compaction budget, rowset sizes, their
//     weight unit and fixed bytes.
//   - times that maintenance waits or counts by, and the fixed part of what its ops take. The part by bytes follows the bytes.
//
// Maintenance runs as many ops as at full size, and below a scale of 0.05 they would take most of the computer's time. There rowsets are
// also coarser, by m = 4: a rowset holds m times the share of its tablet, one compaction merges m times as much and
// takes m times as long, there are as many fewer of both, and what a scan pays for each rowset it opens (iterate) is multiplied by m.
// Heights, which do not depend on the size of rowsets, stay.
//
// Rowsets that are there at the start keep their number and key ranges: only what they hold shrinks.
//
// Kept: tablets, servers, threads, session buffers and their timer, network, single reads and the rows they bring in (so that as
// large a share of the scans finds its block cold), numbers of files. What does
// not survive: a buffer or RPC is a larger part of a smaller experiment, and fewer operations give coarser tails.
func (e *Experiment) Scaled(s float64) (*Experiment, error) {
	if !(s > 0 && s <= 1) {
		return nil, fmt.Errorf("scale %v is not above 0 and at most 1", s)
	}
	x := *e
	x.Scale = s
	x.Phases = slices.Clone(e.Phases)
	for i := range x.Phases {
		p := &x.Phases[i]
		p.PauseBefore, p.Duration = times(p.PauseBefore, s), times(p.Duration, s)
		p.Events = slices.Clone(p.Events)
		for j := range p.Events {
			p.Events[j].After = times(p.Events[j].After, s)
		}
		p.Clients = slices.Clone(p.Clients)
		for j := range p.Clients {
			w := &p.Clients[j].Workload
			w.Records, w.Operations = times(w.Records, s), times(w.Operations, s)
		}
	}
	x.Initial = scaledInitial(e.Initial, s)
	for _, size := range x.scaledSizes() {
		*size = times(*size, s)
	}
	for _, span := range x.scaledTimes() {
		*span = times(*span, s)
	}
	if s < coarseBelow {
		x.coarsen(coarser)
	}
	keepUnits(&e.Maintenance, &x.Maintenance)
	return &x, nil
}

// scaledInitial shrinks what tablets hold at the start.
func scaledInitial(initial []Initial, s float64) []Initial {
	initial = slices.Clone(initial)
	for i := range initial {
		n := &initial[i]
		n.MemRowsetRows = times(n.MemRowsetRows, s)
		n.Rowsets = slices.Clone(n.Rowsets)
		for j := range n.Rowsets {
			r := &n.Rowsets[j]
			r.Rows, r.Size, r.RedoRows, r.Deleted = times(r.Rows, s), times(r.Size, s), times(r.RedoRows, s), times(r.Deleted, s)
			r.Undo, r.UndoAge, r.RedoAge = times(r.Undo, s), times(r.UndoAge, s), times(r.RedoAge, s)
		}
	}
	return initial
}

// keepUnits gives the compaction policy's sizes as many weight units as before, so that rounding the unit does not let one rowset fewer into the
// budget.
func keepUnits(from, to *Maintenance) {
	s := float64(to.WeightUnit) / float64(from.WeightUnit)
	to.CompactionBudget = times(from.CompactionBudget, s)
	to.TargetRowsetSize = times(from.TargetRowsetSize, s)
	to.RolledRowsetSize = times(from.RolledRowsetSize, s)
	to.RolledBlockRows = times(from.RolledBlockRows, s)
}

// OpsPerSecond is how many times the maintenance ops of the full size there are in a second of simulated time: times shrink with the scale, and below
// a scale of 0.05 there are fewer ops.
func (e *Experiment) OpsPerSecond() float64 {
	if e.Scale < coarseBelow {
		return 1 / e.Scale / coarser
	}
	return 1 / e.Scale
}

// Below this scale rowsets are this much coarser.
const (
	coarseBelow = 0.05
	coarser     = 4
)

// coarsen makes rowsets m times as large and what is paid for each of them m times as dear.
func (e *Experiment) coarsen(m float64) {
	v, o := &e.Maintenance, &e.Machine.Op
	for _, size := range []*Bytes{&v.WeightUnit, &e.Machine.Store.RowsetFixed} {
		*size = times(*size, m)
	}
	for _, span := range []*Duration{&o.DMSFixed, &o.CompactFixed, &o.DeltaFixed, &o.UndoOpen, &o.UndoFreeBlock, &o.DecideRowset, &e.Machine.Scan.Iterate} {
		*span = times(*span, m)
	}
}

func (e *Experiment) scaledSizes() []*Bytes {
	v, m := &e.Server, &e.Maintenance
	return []*Bytes{
		&v.MemoryLimit, &v.RAM, &v.BlockCache, &v.BaseMemory, &v.Unsynced, &v.WALSegmentSize,
		&m.LogTargetReplaySize, &m.DataGCMinSize, &m.FlushThreshold, &m.MinDeltasSize,
		&m.WeightUnit,
		&e.Machine.Store.RowsetFixed, &e.Machine.Store.MRSFixed, &e.Machine.Store.MRSChunk,
	}
}

func (e *Experiment) scaledTimes() []*Duration {
	m, o := &e.Maintenance, &e.Machine.Op
	return []*Duration{
		&m.PollingInterval, &m.FlushThresholdTime, &m.FlushUpperBound, &m.HistoryMaxAge, &m.UndoGCInitBudget,
		&e.Workload.MinInterval, &e.Workload.ResetInterval, &e.Starvation.After, &e.Series.Interval,
		&o.FlushFixed, &o.FlushSync, &o.DMSFixed, &o.CompactFixed, &o.DeltaFixed, &o.LogGC, &o.UndoGC, &o.UndoOpen, &o.UndoFree, &o.UndoFreeBlock,
		&o.Nothing, &o.Launch, &o.Start, &o.StartIdle, &o.DecideOp, &o.DecideRowset,
	}
}

// times multiplies and rounds to the nearest whole number, but never to 0 what was not 0.
func times[N ~int | ~int64](n N, s float64) N {
	if n <= 0 {
		return n
	}
	product := math.Round(float64(n) * s)
	if product >= math.MaxInt64 {
		return N(math.MaxInt)
	}
	return max(1, N(product))
}
