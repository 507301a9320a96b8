package client

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mmsim/sim/engine"
	"mmsim/workloads"
)

// wantWrites requires writes as pairs of time and inserts.
func wantWrites(t *testing.T, s *fakeStorage, want ...[2]int64) {
	t.Helper()
	var got [][2]int64
	for _, c := range s.calls {
		got = append(got, [2]int64{c.at, int64(c.inserts)})
	}
	if !slices.Equal(got, want) {
		t.Errorf("writes at (ns, rows) %v, want %v", got, want)
	}
}

// Inserts begin 1.5 us apart. A buffer of ten is sent as the tenth is added, and what is left at the end.
func TestFullBufferIsSent(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 100}, testLoad(t, 25, 0, 0, 1, 0, 1)
		f := play(s, ahead, l)
		wantWrites(t, s, [2]int64{9 * 1500, 10}, [2]int64{19 * 1500, 10}, [2]int64{25 * 1500, 5})
		if h := &l.Latency[workloads.Insert]; h.Count != 25 || h.SumNs != 25_000 || f.Done() != 25 {
			t.Errorf("%d inserts of %d ns in all, %d done; want 25, 25000, 25", h.Count, h.SumNs, f.Done())
		}
	})
}

// The timer runs from the first operation in the buffer.
func TestTimerSends(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 100}, testLoad(t, 8, 0, 0, 1, 0, 1)
		l.Session.FlushInterval = 4000
		play(s, ahead, l)
		wantWrites(t, s, [2]int64{4000, 3}, [2]int64{8500, 3}, [2]int64{12_000, 2}) // the last two go at the end

		s, l = &fakeStorage{after: 100}, testLoad(t, 6, 0, 0, 1, 0, 1)
		l.Session.FlushInterval = 4500 // just as the fourth begins, which goes into the next buffer
		play(s, ahead, l)
		wantWrites(t, s, [2]int64{4500, 3}, [2]int64{9000, 3})
	})
}

// With both buffers in flight an insert waits for the first answer, and its latency includes the wait.
func TestInsertWaitsForABuffer(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: ms}, testLoad(t, 6, 0, 0, 1, 0, 1)
		l.Session.BufferOps = 2
		play(s, ahead, l)
		wantWrites(t, s, [2]int64{1500, 2}, [2]int64{4500, 2}, [2]int64{1_003_000, 2}) // the fifth begins at 6000 and goes on at 1001500
		if h := &l.Latency[workloads.Insert]; h.Count != 6 || h.SumNs != 5*1000+(1_001_500-6000+1000) {
			t.Errorf("%d inserts of %d ns in all, want 6 of 1001500", h.Count, h.SumNs)
		}
	})
}

func TestOneBuffer(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: ms}, testLoad(t, 4, 0, 0, 1, 0, 1)
		l.Session.BufferOps, l.Session.Buffers = 2, 1
		play(s, ahead, l)
		wantWrites(t, s, [2]int64{1500, 2}, [2]int64{1_001_500 + 1500, 2})
	})
}

// A rejected batch is sent again, each time after its answer and at most base * 2^attempt later, until it is taken.
func TestRejectedBatchIsSentAgain(t *testing.T) {
	s, l := &fakeStorage{after: 100, refuse: func(n int) bool { return n < 7 }}, testLoad(t, 3, 0, 0, 1, 0, 1)
	play(s, true, l)
	if len(s.calls) != 8 {
		t.Fatalf("%d attempts, want 8", len(s.calls))
	}
	waits := map[engine.Time]bool{}
	for i := 1; i < len(s.calls); i++ {
		wait := s.calls[i].at - (s.calls[i-1].at + s.after)
		if most := ms << min(i, 4); wait < 0 || wait >= most {
			t.Errorf("attempt %d comes %d ns after the answer, want up to %d", i, wait, most)
		}
		waits[wait] = true
	}
	if inserts, _, _ := s.taken(); inserts != 3 || len(waits) < 6 {
		t.Errorf("%d rows were taken after waits of %d lengths, want 3 rows and waits by chance", inserts, len(waits))
	}
}

// A buffer whose batches were rejected is not free before all were taken.
func TestRejectedBatchHoldsItsBuffer(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 100, refuse: func(n int) bool { return n == 0 }}, testLoad(t, 3, 0, 0, 1, 0, 1)
		l.Session.BufferOps, l.Session.Buffers = 2, 1
		play(s, ahead, l)
		if len(s.calls) != 3 || s.calls[1].inserts != 2 || s.calls[2].at < s.calls[1].at+100 {
			t.Errorf("calls %+v, want the third row after the answer to the second attempt", s.calls)
		}
	})
}

// A load inserts the keys from its first on without a gap, whatever its threads.
func TestLoadInsertsEveryKey(t *testing.T) {
	for _, threads := range []int64{1, 3, 16} {
		s, l := &fakeStorage{after: 100}, testLoad(t, 1001, 0, 0, 1, 0, 1)
		l.Threads, l.Tablets, l.First = threads, 5, 20
		play(s, true, l)
		var got, want [5]int64
		for _, c := range s.calls {
			got[c.tablet-20] += int64(c.inserts)
		}
		for k := range int64(1001) {
			want[workloads.Bucket(1000+k, 5)]++
		}
		if got != want {
			t.Errorf("%d threads insert %v rows into the tablets, want %v", threads, got, want)
		}
	}
}

func TestOrderedInsertsSayWhere(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 100}, testLoad(t, 10, 0, 0, 1, 0, 1)
		l.Keys, l.Ordered = workloads.NewKeys(workloads.Ordered), true
		play(s, ahead, l)
		if want := l.Keys.Position(1000); len(s.calls) != 1 || s.calls[0].place != want {
			t.Errorf("calls %+v, want one write from place %v", s.calls, want)
		}
	})
}

func TestShare(t *testing.T) {
	l := Load{Operations: 10, Threads: 4}
	for i, want := range []int64{3, 3, 2, 2} {
		if got := l.share(int64(i)); got != want {
			t.Errorf("thread %d of 4 does %d of 10 operations, want %d", i, got, want)
		}
	}
}

// randomLoads draws clients of every kind and a storage that rejects at random, the same for equal seeds.
func randomLoads(t *rapid.T) (loads func() []*Load, storage func() *fakeStorage) {
	type plan struct {
		operations, threads    int64
		mix                    [workloads.NumOps]float64
		newKeys                float64
		length, bufferOps      int
		buffers                int
		interval               engine.Time
		target                 float64
		tablets                int32
		ordered, first, insert bool
	}
	var plans []plan
	for range rapid.IntRange(1, 3).Draw(t, "clients") {
		p := plan{operations: rapid.Int64Range(1, 400).Draw(t, "operations"), threads: rapid.Int64Range(1, 5).Draw(t, "threads"),
			length: rapid.SampledFrom([]int{1, 2, 50, 600}).Draw(t, "length"), bufferOps: rapid.SampledFrom([]int{1, 2, 7, 50}).Draw(t, "buffer"),
			buffers: rapid.IntRange(1, 4).Draw(t, "buffers"), interval: rapid.SampledFrom([]engine.Time{900, 20_000, 5 * ms}).Draw(t, "timer"),
			target: rapid.SampledFrom([]float64{0, 0, 3000, 200_000}).Draw(t, "target"), tablets: int32(rapid.IntRange(1, 6).Draw(t, "tablets")),
			ordered: rapid.Bool().Draw(t, "ordered"), first: rapid.Bool().Draw(t, "first"), insert: rapid.IntRange(0, 2).Draw(t, "load") == 0}
		for i := range p.mix {
			p.mix[i] = rapid.SampledFrom([]float64{0, 0, .1, .5}).Draw(t, "weight")
		}
		p.newKeys = rapid.SampledFrom([]float64{0, .3, 1}).Draw(t, "new keys")
		if p.insert || slices.Max(p.mix[:]) == 0 {
			p.mix = [workloads.NumOps]float64{workloads.Insert: 1}
		}
		plans = append(plans, p)
	}
	refused := rapid.SampledFrom([]float64{0, 0, .2, .7}).Draw(t, "refused")
	after := rapid.SampledFrom([]engine.Time{0, 700, 90_000, 3 * ms}).Draw(t, "after")
	shared := rapid.Bool().Draw(t, "one table")
	deleted := rapid.Int64Range(0, 500).Draw(t, "deleted before")
	loads = func() (out []*Load) {
		for _, p := range plans {
			var tb testing.T
			l := testLoad(&tb, p.operations, 1, 0, 0, 0, p.length)
			l.Mix = workloads.NewMix(workloads.Shares{Read: p.mix[workloads.Read], Update: p.mix[workloads.Update], Insert: p.mix[workloads.Insert],
				Scan: p.mix[workloads.Scan], ReadModifyWrite: p.mix[workloads.ReadModifyWrite], Delete: p.mix[workloads.Delete], Upsert: p.mix[workloads.Upsert]})
			l.NewKeys, l.OnlyInserts = p.newKeys, p.mix == [workloads.NumOps]float64{workloads.Insert: p.mix[workloads.Insert]}
			l.Threads, l.Tablets, l.Target, l.FirstBucket, l.Ordered = p.threads, p.tablets, p.target, p.first, p.ordered
			l.Costs.AppendHot, l.Costs.AppendCold = engine.LogNormal(1000, .5), engine.LogNormal(5000, .5)
			l.Session = Session{BufferOps: p.bufferOps, Buffers: p.buffers, FlushInterval: p.interval}
			if p.ordered {
				l.Keys = workloads.NewKeys(workloads.Ordered)
			}
			out = append(out, l)
			if !shared {
				Share(out[len(out)-1:], &Rows{deleted, 1000})
			}
		}
		if shared {
			Share(out, &Rows{deleted, 1000})
		}
		return out
	}
	storage = func() *fakeStorage {
		rand := engine.Stream(7, 0, "storage", "rejections")
		return &fakeStorage{after: after, refuse: func(int) bool { return rand.Float64() < refused }}
	}
	return loads, storage
}

// Whatever clients do and storage rejects: each operation is done, requests come in order of time, every write arrives exactly once, and playing
// ahead of the clock changes no request and no latency.
func TestNoWriteIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loads, storage := randomLoads(t)
		var calls [2][]call
		var latencies [2]string
		for i, ahead := range []bool{false, true} {
			s, clients := storage(), loads()
			f := play(s, ahead, clients...)
			var counts [workloads.NumOps]int64
			var inserted int64
			var operations int64
			for _, l := range clients {
				operations += l.Operations
				n, _ := f.Moved(l)
				inserted += n
				for op := range l.Latency {
					counts[op] += l.Latency[op].Count
					latencies[i] += fmt.Sprintln(l.Latency[op].SumNs, l.Latency[op].Percentile(50), l.Latency[op].Percentile(99))
				}
			}
			counts[workloads.Read] -= counts[workloads.ReadModifyWrite] // which counts as a read and an update as well
			counts[workloads.Update] -= counts[workloads.ReadModifyWrite]
			got := int64(0)
			for _, n := range counts {
				got += n
			}
			if got != operations || f.Done() != operations {
				t.Fatalf("ahead %v: %d operations have a latency and %d are done, want %d", ahead, got, f.Done(), operations)
			}
			inserts, changes, scans := s.taken()
			modified := counts[workloads.ReadModifyWrite]
			writes := counts[workloads.Insert] + counts[workloads.Update] + counts[workloads.Upsert] + counts[workloads.Delete] + modified
			if inserts != inserted || inserts < counts[workloads.Insert] || inserts+changes != writes || scans < counts[workloads.Read]+counts[workloads.Scan]+modified {
				t.Fatalf("ahead %v: storage took %d inserts, %d changes and %d scans of %v operations, which insert %d rows", ahead, inserts, changes, scans, counts, inserted)
			}
			if !slices.IsSortedFunc(s.calls, func(a, b call) int { return int(a.at - b.at) }) {
				t.Fatalf("ahead %v: requests go back in time", ahead)
			}
			calls[i] = s.calls
		}
		if !slices.Equal(calls[0], calls[1]) || latencies[0] != latencies[1] {
			t.Fatalf("playing ahead changes requests or latencies")
		}
	})
}
