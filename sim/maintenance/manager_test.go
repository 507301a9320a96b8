package maintenance

import (
	"fmt"
	"slices"
	"testing"

	"mmsim/policies"
	"mmsim/rules"
	"mmsim/sim/engine"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
)

// wait is what an observer is told of one.
type wait struct {
	tablet       int32
	kind         policies.Kind
	since, until engine.Time
	served       bool
}

// witness keeps what it is told.
type witness struct {
	ops   []Record
	ended []wait
}

func (w *witness) OpDone(r *Record) { w.ops = append(w.ops, *r) }
func (w *witness) WaitDone(_ int, r *tablet.Replica, k policies.Kind, since, until engine.Time, served bool) {
	w.ended = append(w.ended, wait{r.Tablet, k, since, until, served})
}

// bench is a manager on a server of a few replicas. A flush takes 10 ms, a compaction 20, a DMS flush 5, the rest 1: the disk costs nothing. A
// MemRowSet is worth a flush from 1 MiB, 1048 rows, or 2 minutes on.
type bench struct {
	*Manager
	witness
	server   *server.Server
	replicas []*tablet.Replica
}

func newBench(t testing.TB, threads, replicas int, policy policies.Policy) *bench {
	t.Helper()
	conf := server.Config{Memory: server.Memory{Limit: 1e9, RAM: 2e9, PressurePercent: 60, SoftPercent: 80}, Threads: 1, Room: 1, Cores: 1, Together: 100, Bandwidth: 1e15, Devices: 1, Stripes: 1}
	b := &bench{server: server.New(0, &conf, engine.Stream(1, 0, "server", "service"))}
	sizes := &tablet.Sizes{MRSRow: 1000, BaseRow: 1000, DMSRow: 200, RedoRow: 150, UndoRow: 20, WALRow: 1000, WALUpdate: 100, RolledSize: 1 << 30, KeyRows: 10, DataRows: 10, Columns: 1}
	keyAt := func(place float64) string { return fmt.Sprintf("%020d", uint64(place*1e18)) }
	order := make([]int32, replicas)
	for i := range replicas {
		r := tablet.NewReplica(int32(i), 0, int32(i), true, sizes, 1<<40, true, keyAt, engine.Stream(1, 0, "tablet", fmt.Sprint(i)))
		b.server.Replicas = append(b.server.Replicas, r)
		order[i] = int32(i)
	}
	b.replicas = b.server.Replicas
	_, kudu112, _ := rules.Of("kudu-1.12")
	noUndoGC := KindsOf(policies.UndoDeltaBlockGC) // it looks into everything that was written
	cfg := &Config{Enabled: true, Off: noUndoGC, Rules: kudu112, Threads: threads, PollingInterval: 250 * ms, LogTarget: 1 << 30, DataGCProbability: .5, MiB: mebibyte,
		FlushThreshold: mebibyte, FlushAfter: 120 * second, FlushUpper: 3600 * second,
		Compaction: tablet.PolicyConfig{Budget: 128 * mebibyte, TargetSize: 32 * mebibyte, WeightUnit: mebibyte, MinimumImprovement: .01,
			SmallRowsetTradeoff: .009, ApproximationRatio: 1.05, SupportAdjust: 1.003},
		Deltas: tablet.DeltaRules{MinorMax: 1000, MajorRatio: .1}, UndoGCBudget: second, HistoryMaxAge: 7 * 24 * 3600 * second, WALMinSegs: 1, RateMin: 60 * second, RateReset: 300 * second}
	costs := &OpCosts{FlushFixed: float64(10 * ms), CompactFixed: float64(20 * ms), DMSFixed: float64(5 * ms), DeltaFixed: float64(ms), LogGC: float64(ms),
		UndoGC: float64(ms), Nothing: float64(ms), Factor: engine.Constant(1), FlushFactor: engine.Constant(1)}
	b.Manager = New(cfg, costs, b.server, policy, false, order, []int32{0}, &b.witness, engine.Stream(1, 0, "server", "decisions"), engine.Stream(1, 0, "server", "op times"))
	return b
}

// fillMRS puts rows in the replica's MemRowSet: 2000 make it worth a flush.
func (b *bench) fillMRS(replica int, rows int64) {
	memory, _ := b.replicas[replica].Insert(rows, 0, 0, .999)
	b.server.Memory.Add(memory)
}

// flushed puts a rowset of 2000 rows over nearly the whole key space on the replica's disk.
func (b *bench) flushed(replica int) {
	r := b.replicas[replica]
	r.Insert(2000, 0, 0, .999)
	r.BeginFlush()
	r.EndFlush(0, 0)
}

// play steps the manager until a time, that included.
func (b *bench) play(t testing.TB, until engine.Time) {
	t.Helper()
	for b.Next() <= until {
		if err := b.Step(b.Next()); err != nil {
			t.Fatal(err)
		}
	}
}

// log says what ran: kind, tablet, when it was chosen and when it ended, in ms.
func (b *bench) log() (out []string) {
	for _, op := range b.ops {
		out = append(out, fmt.Sprintf("%v(%d) %d-%d", op.Kind, op.Replica.Tablet, op.Chosen/ms, op.End/ms))
	}
	return out
}

func (b *bench) wantLog(t *testing.T, want ...string) {
	t.Helper()
	if got := b.log(); !slices.Equal(got, want) {
		t.Errorf("ran %q, want %q", got, want)
	}
}

// As long as threads are free and there is work, ops are chosen in a row.
func TestThreadsAreFilledAtOnce(t *testing.T) {
	b := newBench(t, 3, 3, builtin(t, policies.Raw(), nil))
	for i := range 3 {
		b.fillMRS(i, 2000)
	}
	b.play(t, 100*ms)
	b.wantLog(t, "FlushMRSOp(0) 0-10", "FlushMRSOp(1) 0-10", "FlushMRSOp(2) 0-10")
	if b.server.Memory.Used() != 0 {
		t.Errorf("%d bytes of memory are in use after the flushes", b.server.Memory.Used())
	}
}

// The end of an op wakes the manager; the fullest MemRowSet goes first.
func TestEndOfAnOpWakes(t *testing.T) {
	b := newBench(t, 1, 3, builtin(t, policies.Raw(), nil))
	for i, rows := range []int64{2000, 4000, 3000} {
		b.fillMRS(i, rows)
	}
	b.play(t, 100*ms)
	b.wantLog(t, "FlushMRSOp(1) 0-10", "FlushMRSOp(2) 10-20", "FlushMRSOp(0) 20-30")
}

// With nothing to do the manager looks again after a polling interval, and not before.
func TestPolling(t *testing.T) {
	b := newBench(t, 2, 1, builtin(t, policies.Raw(), nil))
	b.play(t, 0)
	if b.Decisions != 1 || b.Next() != 250*ms {
		t.Errorf("%d decisions, the next at %d ms; want 1 and 250", b.Decisions, b.Next()/ms)
	}
	b.fillMRS(0, 2000) // noticed at the next look
	b.play(t, 259*ms)
	if b.Decisions != 3 || b.Next() != 260*ms { // the flush, and nothing for the second thread
		t.Errorf("%d decisions, the next at %d ms; want 3 and 260", b.Decisions, b.Next()/ms)
	}
	b.play(t, 260*ms)
	b.wantLog(t, "FlushMRSOp(0) 250-260")
	if b.Decisions != 4 || b.Next() != 510*ms {
		t.Errorf("%d decisions, the next at %d ms; want 4 and 510", b.Decisions, b.Next()/ms)
	}
}

// While every thread is busy nothing is looked at.
func TestBusyManagerLooksAtNothing(t *testing.T) {
	b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
	b.costs.FlushFixed = float64(1000 * second)
	b.fillMRS(0, 2000)
	b.play(t, 0)
	b.replicas[1].ScansStarted = 500
	b.play(t, 999*second)
	if b.Decisions != 1 || b.Next() != 1000*second || b.tablets[1].window.base != 0 {
		t.Errorf("%d decisions, the next at %d ms; want 1 and 1000000", b.Decisions, b.Next()/ms)
	}
	b.play(t, 1000*second)
	if got := b.tablets[1].window.ScansPerS; got != .5 || b.tablets[1].window.base != 1000*second {
		t.Errorf("after 1000 s without a look there are %v scans a second, want 0.5", got)
	}
}

// What a compaction is worth is computed anew after an MRS flush and a compaction of the tablet, since KUDU-3406 after an UNDO GC, and after nothing else.
func TestPolicyRunsWhenItMust(t *testing.T) {
	for _, since3406 := range []bool{false, true} {
		b := newBench(t, 1, 2, builtin(t, policies.Raw(), nil))
		b.cfg.Rules.UndoGCDropsStats = since3406
		now := engine.Time(0)
		look := func() int64 {
			before := b.PolicyRuns
			b.play(t, now)
			now = b.Next()
			return b.PolicyRuns - before
		}
		if got := look(); got != 2 {
			t.Errorf("at first the policy ran %d times, want once a replica", got)
		}
		b.flushed(0)
		r := b.replicas[0]
		rowset := r.Rowsets[:1:1]
		afterGC := int64(0)
		if since3406 {
			afterGC = 1
		}
		for _, step := range []struct {
			name string
			do   func()
			want int64
		}{
			{"an MRS flush", func() {}, 1},
			{"nothing", func() {}, 0},
			{"an update", func() { r.Update(now, 1, .5, .5) }, 0},
			{"a DMS flush", func() { r.EndDMSFlush(rowset[0], r.FreezeDMS(rowset), now) }, 0},
			{"a minor compaction", func() { r.EndMinor(rowset[0]) }, 0},
			{"a major compaction", func() { r.EndMajor(rowset[0], now) }, 0},
			{"an UNDO GC", func() { r.EndUndoGC(rowset, now) }, afterGC},
			{"a compaction", func() { r.Lock(rowset); r.EndCompaction(rowset, tablet.DeltaMemStore{}, now, 0, 0) }, 1},
		} {
			step.do()
			if got := look(); got != step.want {
				t.Errorf("after %s the policy ran %d times, want %d", step.name, got, step.want)
			}
		}
		if len(b.ops) != 0 {
			t.Errorf("%q ran, want nothing", b.log())
		}
	}
}

// A rowset's locks are taken when an op starts, so two threads filled together choose the same compaction, and the second finds nothing left.
func TestSameCompactionTwice(t *testing.T) {
	b := newBench(t, 2, 1, builtin(t, policies.Raw(), nil))
	b.flushed(0)
	b.flushed(0)
	b.play(t, 100*ms)
	b.wantLog(t, "CompactRowSetsOp(0) 0-1", "CompactRowSetsOp(0) 0-20")
	if empty, full := b.ops[0], b.ops[1]; empty.Inputs != 0 || empty.BytesWritten != 0 || full.Inputs != 2 || full.Outputs != 1 || full.HeightAfter >= full.HeightBefore {
		t.Errorf("the compactions merged %d and %d rowsets, want 0 and 2", empty.Inputs, full.Inputs)
	}
	r := b.replicas[0]
	if len(r.Rowsets) != 1 || r.Rowsets[0].Rows != 4000 || r.Finished.Compaction != 2 || r.Rowsets[0].Locked() {
		t.Errorf("%d rowsets are left after %d compactions, want 1 of 4000 rows after 2", len(r.Rowsets), r.Finished.Compaction)
	}
}

// Threads that are filled while nothing runs: each look takes 0.6 ms, the first op holds its locks after 1 ms and the others after 0.5. With no times at all, every thread
// chooses the first tablet's compaction.
func TestThreadsAreFilledOneByOne(t *testing.T) {
	for _, c := range []struct {
		threads             int
		launch, start, idle engine.Time
		want                []int // tablets, in the order in which they are chosen
	}{
		{2, 600, 500, 1000, []int{0, 0}}, // as measured
		{4, 600, 500, 1000, []int{0, 0, 1, 2}},
		{4, 0, 0, 0, []int{0, 0, 0, 0}},
		{4, 100, 500, 1000, []int{0, 0, 0, 0}},
		{4, 600, 1000, 1000, []int{0, 0, 1, 1}},
		{1, 600, 500, 1000, []int{0}},
	} {
		b := newBench(t, c.threads, 4, builtin(t, policies.Raw(), nil))
		b.costs.Launch, b.costs.Start, b.costs.StartIdle = float64(1000*c.launch), float64(1000*c.start), float64(1000*c.idle)
		for i := range b.replicas {
			b.flushed(i)
			b.flushed(i)
		}
		b.play(t, 4*ms)
		var chosen []int
		for i := range b.threads {
			if op, ok := b.threads[i].op.(*running); ok {
				chosen = append(chosen, int(op.Replica.Tablet))
			}
		}
		for i := range b.ops { // those that found nothing are done
			chosen = append(chosen, int(b.ops[i].Replica.Tablet))
		}
		slices.Sort(chosen)
		if got := chosen[:min(len(chosen), c.threads)]; !slices.Equal(got, c.want) && c.threads > 1 {
			t.Errorf("%d threads at %v, %v, %v us: tablets %v, want %v", c.threads, c.launch, c.start, c.idle, got, c.want)
		}
		if first, ok := b.threads[0].op.(*running); c.threads == 1 && (!ok || first.Due(b.Next()) != 20*ms) {
			t.Error("with a single thread an op begins when it is launched")
		}
	}
}

// Inputs that have left the page cache are read from disk.
func TestCompactionReadsEvictedRowsets(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	b.flushed(0)
	b.server.Write(b.server.Memory.PageCache() + 1)
	r := b.replicas[0]
	r.Insert(2000, 0, 0, .999)
	r.BeginFlush()
	r.EndFlush(0, b.server.Written())
	first := r.Rowsets[0].Full()
	b.play(t, 100*ms)
	if len(b.ops) != 1 || b.ops[0].BytesRead != first {
		t.Errorf("%q read %d bytes, want one compaction that reads the %d of the old rowset", b.log(), b.ops[0].BytesRead, first)
	}
}

// A tablet's updates are flushed by time, one DMS an op, and the flush leaves a REDO file.
func TestDMSFlushByTime(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	b.flushed(0)
	r := b.replicas[0]
	memory := int64(0)
	for range 10 {
		memory += r.Update(0, r.WAL.Append(100), .5, .5)
	}
	b.server.Memory.Add(memory)
	b.play(t, 119*second)
	if len(b.ops) != 0 {
		t.Errorf("%q ran before 2 minutes", b.log())
	}
	b.play(t, 121*second)
	b.wantLog(t, "FlushDeltaMemStoresOp(0) 120250-120255")
	if rs := r.Rowsets[0]; rs.RedoFiles != 1 || rs.RedoRows != 10 || b.server.Memory.Used() != 0 {
		t.Errorf("after the flush there are %d REDO files of %d rows, %d bytes in memory; want 1 of 10, 0", rs.RedoFiles, rs.RedoRows, b.server.Memory.Used())
	}
}

// An op that still runs at the end is reported without an end.
func TestUnfinished(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	b.fillMRS(0, 2000)
	b.play(t, 5*ms)
	b.Unfinished()
	if len(b.ops) != 1 || b.ops[0].End != -1 || b.ops[0].Chosen != 0 {
		t.Errorf("%+v, want one flush without an end", b.ops)
	}
}

// REDO of a tenth of the base is worth a major compaction, which makes it UNDO.
func TestMajorDeltaCompaction(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	b.flushed(0)
	r := b.replicas[0]
	memory := int64(0)
	for range 1400 {
		memory += r.Update(0, 1, .5, .5)
	}
	b.server.Memory.Add(memory)
	b.play(t, 121*second)
	b.wantLog(t, "FlushDeltaMemStoresOp(0) 120250-120255", "MajorDeltaCompactionOp(0) 120255-120256")
	if rs := r.Rowsets[0]; rs.RedoFiles != 0 || rs.Undo != 20*2000+150*1400 || rs.Locked() {
		t.Errorf("after it there are %d REDO files and %d bytes of UNDO, want 0 and 250000", rs.RedoFiles, rs.Undo)
	}
}

// An UNDO GC runs at once, to learn how old the deltas are, and again when they are older than the history to be kept.
func TestUndoGCByAge(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	b.cfg.HistoryMaxAge = 10 * second
	if err := b.Switch(policies.UndoDeltaBlockGC, true); err != nil {
		t.Fatal(err)
	}
	b.flushed(0)
	version := b.replicas[0].Version()
	b.play(t, 5*second)
	b.wantLog(t, "UndoDeltaBlockGCOp(0) 0-1")
	if op := b.ops[0]; op.Choice.Rule != DataGC || op.Data != 40_000 || b.replicas[0].Rowsets[0].Undo != 40_000 || b.replicas[0].Version() != version {
		t.Errorf("%+v left %d bytes of UNDO, want all 40000, and no rowset touched", op, b.replicas[0].Rowsets[0].Undo)
	}
	b.play(t, 20*second)
	b.wantLog(t, "UndoDeltaBlockGCOp(0) 0-1", "UndoDeltaBlockGCOp(0) 10001-10002")
	if op := b.ops[1]; op.Choice.Rule != DataGC || op.Data != 40_000 || b.replicas[0].Rowsets[0].Undo != 0 || b.replicas[0].Rowsets[0].Locked() {
		t.Errorf("%+v left %d bytes of UNDO, want all 40000 gone by rule R4", op, b.replicas[0].Rowsets[0].Undo)
	}
}

// What a compaction finds in DeltaMemStores when it begins becomes part of its outputs, and its memory is free at the end.
func TestCompactionTakesUpdatesAlong(t *testing.T) {
	b := newBench(t, 1, 1, builtin(t, policies.Raw(), nil))
	b.flushed(0)
	b.flushed(0)
	r := b.replicas[0]
	b.server.Memory.Add(r.Update(0, 1, .5, .1) + r.Update(0, 1, .5, .9))
	b.play(t, 10*ms)
	b.server.Memory.Add(r.Update(10*ms, 2, .5, .1))
	if b.server.Memory.Used() != 600 {
		t.Errorf("%d bytes of memory are in use during the compaction, want 600", b.server.Memory.Used())
	}
	b.play(t, 100*ms)
	if out := r.Rowsets[0]; len(r.Rowsets) != 1 || out.DMS.Rows != 1 || out.Undo != 2*40_000+2*150 || b.server.Memory.Used() != 200 || r.Memory() != 200 {
		t.Errorf("%d rowsets with %d updates in memory and %d bytes of UNDO, memory %d; want 1, 1, 80300, 200", len(r.Rowsets), out.DMS.Rows, out.Undo, r.Memory())
	}
}

// A flush that follows a compaction takes longer by what that left to be synced; the next one does not.
func TestFlushAfterCompactionSyncs(t *testing.T) {
	b := newBench(t, 1, 3, builtin(t, policies.Raw(), nil))
	b.costs.FlushSync = float64(7 * ms)
	for range 3 {
		b.flushed(0)
	}
	b.fillMRS(1, 2000)
	b.fillMRS(2, 2000)
	b.play(t, second)
	b.wantLog(t, "CompactRowSetsOp(0) 0-20", "FlushMRSOp(1) 20-37", "FlushMRSOp(2) 37-47")
}
