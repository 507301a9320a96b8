package client

import (
	"fmt"
	"testing"

	"mmsim/sim/engine"
	"mmsim/workloads"
)

const ms = engine.Time(1e6)

// call is one request a storage got.
type call struct {
	at               engine.Time
	tablet, inserts  int32
	run              int32
	updates          int // that found their row
	upserts, deletes int
	missing          int
	scan, point, ok  bool
	place            float64
}

// fakeStorage answers everything after the same time and keeps what it was asked. refuse, if set, is asked whether to reject the n-th request.
type fakeStorage struct {
	after  engine.Time
	refuse func(n int) bool
	calls  []call
}

func (s *fakeStorage) answer(c call) (engine.Time, bool) {
	c.ok = s.refuse == nil || !s.refuse(len(s.calls))
	s.calls = append(s.calls, c)
	return c.at + s.after, c.ok
}

func (s *fakeStorage) Write(at engine.Time, tablet, inserts, run int32, lo, hi float64, places, picks []float64, upserts, deletes int32) (engine.Time, bool) {
	if len(places) != len(picks) {
		panic("places and picks differ in number")
	}
	c := call{at: at, tablet: tablet, inserts: inserts, run: run, place: lo}
	counts := []*int{&c.updates, &c.upserts, &c.deletes}
	for i, pick := range picks {
		kind := 0
		if i >= len(picks)-int(deletes) {
			kind = 2
		} else if i >= len(picks)-int(deletes+upserts) {
			kind = 1
		}
		if pick == missing {
			c.missing++
		} else {
			*counts[kind]++
		}
	}
	return s.answer(c)
}

func (s *fakeStorage) Scan(at engine.Time, tablet int32, place, pick, field float64, point bool) (engine.Time, bool) {
	return s.answer(call{at: at, tablet: tablet, scan: true, point: point, place: place})
}

func (s *fakeStorage) Worked(_, _ engine.Time, _ int32, _ int) float64 { return 1 }

// taken sums up what was not rejected.
func (s *fakeStorage) taken() (inserts, updates, scans int64) {
	for _, c := range s.calls {
		switch {
		case !c.ok:
		case c.scan:
			scans++
		default:
			inserts, updates = inserts+int64(c.inserts), updates+int64(c.updates+c.upserts+c.deletes+c.missing)
		}
	}
	return inserts, updates, scans
}

// testLoad is a client whose own times are fixed: 1 us to buffer a write, 5 us after a scan, 2 us a scan, and 0.5 us between operations.
func testLoad(t testing.TB, operations int64, read, update, insert, scan float64, length int) *Load {
	t.Helper()
	l := &Load{Tablets: 1, Threads: 1, Operations: operations, Insert: Turns{First: 1000}, OnlyInserts: insert == 1, Mix: workloads.NewMix(workloads.Shares{Read: read, Update: update, Insert: insert, Scan: scan}),
		Keys: workloads.NewKeys(workloads.Hashed), Session: Session{BufferOps: 10, Buffers: 2, FlushInterval: 1000 * ms},
		Costs: &Costs{AppendHot: engine.Constant(1000), AppendCold: engine.Constant(5000), Between: 500, Scan: engine.Constant(2000), RetryBase: ms, RetryCap: 4}}
	var err error
	if l.Chooser, err = workloads.NewChooser("zipfian", l.Insert.First, float64(operations)*insert); err != nil {
		t.Fatal(err)
	}
	if l.Lengths, err = workloads.NewLengths("uniform", length, length); err != nil {
		t.Fatal(err)
	}
	return l
}

// play runs clients to their end.
func play(s *fakeStorage, ahead bool, loads ...*Load) *Fleet {
	var events engine.Heap
	var entities []string
	for i := range loads {
		entities = append(entities, fmt.Sprint("client/", i))
	}
	f := NewFleet(s, &events, loads, 0, 1, 0, entities)
	tree := engine.NewTree(f.Threads())
	for i := range f.Threads() {
		tree.Set(i, f.Start(i))
	}
	for f.Running() > 0 {
		at, thread := tree.Min()
		if events.MinAt() <= at {
			if thread, next, changed := f.Handle(events.Pop(), ahead); changed {
				tree.Set(thread, next)
			}
			continue
		}
		tree.Set(thread, f.Step(thread, at, ahead))
	}
	return f
}

// bothWays runs a test with clients that play ahead of the clock and with those that do not.
func bothWays(t *testing.T, f func(t *testing.T, ahead bool)) {
	for _, ahead := range []bool{false, true} {
		t.Run(fmt.Sprint("ahead=", ahead), func(t *testing.T) { f(t, ahead) })
	}
}
