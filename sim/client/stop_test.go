package client

import (
	"testing"

	"mmsim/sim/engine"
	"mmsim/workloads"
)

// playUntil runs clients until the time at which they are stopped.
func playUntil(s *fakeStorage, ahead bool, until engine.Time, loads ...*Load) *Fleet {
	var events engine.Heap
	entities := make([]string, len(loads))
	for _, l := range loads {
		l.Until = until
	}
	f := NewFleet(s, &events, loads, 0, 1, 0, entities)
	f.Hold()
	tree := engine.NewTree(f.Threads())
	for i := range f.Threads() {
		tree.Set(i, f.Start(i))
	}
	for {
		at, thread := tree.Min()
		if min(at, events.MinAt()) > until {
			f.StopAll()
			return f
		}
		if events.MinAt() <= at {
			if thread, next, changed := f.Handle(events.Pop(), ahead); changed {
				tree.Set(thread, next)
			}
			continue
		}
		tree.Set(thread, f.Step(thread, at, ahead))
	}
}

// A write takes 1.5 us with the pause after it: the n-th begins at (n-1) * 1.5 us and has ended 1 us later. After ten a buffer is sent, and it
// stays away for 50 ms.
func TestStoppedWrites(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		for _, c := range []struct {
			until engine.Time
			done  int64
			sent  int
		}{
			{999, 0, 0},
			{1000, 1, 0},
			{13 * 1500, 13, 1},
			{13*1500 + 1000, 14, 1},
			{60 * ms, 40, 4}, // both buffers were full by then, free again after 50 ms, and full once more
		} {
			l := testLoad(t, Endless, 0, 0, 1, 0, 1)
			s := &fakeStorage{after: 50 * ms}
			f := playUntil(s, ahead, c.until, l)
			if got := l.Latency[workloads.Insert].Count; got != c.done || f.Done() != c.done || len(s.calls) != c.sent || f.Running() != 0 {
				t.Errorf("stopped at %d ns: %d inserts counted, %d done, %d batches sent, %d threads run; want %d inserts and %d batches", c.until, got, f.Done(), len(s.calls), f.Running(), c.done, c.sent)
			}
		}
	})
}

// A scan whose answer comes too late was asked for, but is not counted.
func TestStoppedScan(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		l := testLoad(t, Endless, 0, 0, 0, 1, 5) // 3 ms and 2 us each, 0.5 us between them
		s := &fakeStorage{after: 3 * ms}
		playUntil(s, ahead, 10*ms, l)
		if got := l.Latency[workloads.Scan]; got.Count != 3 || len(s.calls) != 4 {
			t.Errorf("%d scans counted of %d asked for, want 3 of 4", got.Count, len(s.calls))
		}
	})
}

// What is buffered is still sent when its timer fires while a scan goes on, and is lost when the client is stopped before.
func TestStoppedBuffer(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		for timer, sent := range map[engine.Time]int64{2 * ms: 1, 9 * ms: 0} {
			l := testLoad(t, Endless, 0, 0.5, 0, 0.5, 5)
			l.Session.FlushInterval = timer
			s := &fakeStorage{after: 100 * ms}
			playUntil(s, ahead, 8*ms, l)
			if _, updates, scans := s.taken(); min(updates, 1) != sent || scans != 1 {
				t.Errorf("timer of %d ns: %d updates sent and %d scans begun, want %d and 1", timer, updates, scans, sent)
			}
		}
	})
}

// Stopping one client leaves the others alone; what the storage still owes it is ignored.
func TestStopOne(t *testing.T) {
	var events engine.Heap
	first, second := testLoad(t, 100, 0, 0, 1, 0, 1), testLoad(t, 100, 0, 0, 1, 0, 1)
	s := &fakeStorage{after: ms}
	f := NewFleet(s, &events, []*Load{first, second}, 0, 1, 0, []string{"a", "b"})
	for i := range 2 {
		for at := f.Start(i); at != engine.Never; at = f.Step(i, at, false) {
		}
	}
	f.Stop(first)
	if f.Running() != 1 || events.Len() != 4 {
		t.Fatalf("%d threads run and %d answers are due, want 1 and 4", f.Running(), events.Len())
	}
	for events.Len() > 0 {
		if e := events.Pop(); e.A/MaxBuffers == 0 {
			if _, _, changed := f.Handle(e, false); changed {
				t.Error("an answer to a stopped client makes it go on")
			}
		}
	}
	f.Stop(first)
	if f.Running() != 1 {
		t.Errorf("stopped twice, %d threads run", f.Running())
	}
}
