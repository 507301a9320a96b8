package client

import (
	"testing"

	"mmsim/sim/engine"
	"mmsim/workloads"
)

// A scan's latency is storage's answer and the client's own time.
func TestScanLatency(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 300_000}, testLoad(t, 4, 0, 0, 0, 1, 5)
		var at, latency engine.Time
		l.OnScan = func(start, ns engine.Time) { at, latency = start, ns }
		play(s, ahead, l)
		if h := &l.Latency[workloads.Scan]; h.Count != 4 || h.SumNs != 4*302_000 || at != 3*302_500 || latency != 302_000 {
			t.Errorf("%d scans of %d ns in all, the last at %d; want 4 of 1208000, the last at 907500", h.Count, h.SumNs, at)
		}
	})
}

// Scans of more than a row begin at the first hash bucket, or anywhere; a scan of one row is a point read of the row's own tablet, as a read is.
func TestWhereScansBegin(t *testing.T) {
	for _, c := range []struct {
		name         string
		read         float64
		length       int
		first, point bool
		tablets      int // asked
	}{
		{"first bucket", 0, 10, true, false, 1},
		{"uniform", 0, 10, false, false, 8},
		{"one row", 0, 1, true, true, 8},
		{"read", 1, 10, true, true, 8},
	} {
		s, l := &fakeStorage{after: 100}, testLoad(t, 500, c.read, 0, 0, 1-c.read, c.length)
		l.Insert.First, l.First, l.Tablets, l.FirstBucket = 1e6, 40, 8, c.first
		l.Chooser, _ = workloads.NewChooser("uniform", 1e6, 0)
		play(s, true, l)
		asked := map[int32]int{}
		for _, call := range s.calls {
			asked[call.tablet]++
			if !call.scan || call.point != c.point {
				t.Errorf("%s: %+v, want a scan with point %v", c.name, call, c.point)
			}
		}
		if len(asked) != c.tablets || c.tablets == 1 && asked[40] == 0 {
			t.Errorf("%s: tablets %v were asked, want %d from 40 on", c.name, asked, c.tablets)
		}
		op := workloads.Scan
		if c.read == 1 {
			op = workloads.Read
		}
		if l.Latency[op].Count != 500 {
			t.Errorf("%s: %d latencies, want 500", c.name, l.Latency[op].Count)
		}
	}
}

// A scan that reaches its tablet's end before it has its rows goes on at the start of the next, one after the other, up to the last.
func TestScanGoesOn(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 1000}, testLoad(t, 5, 0, 0, 0, 1, 25)
		l.Insert.First, l.Tablets, l.FirstBucket = 40, 4, true // 10 rows a tablet
		l.Chooser, _ = workloads.NewChooser("uniform", 40, 0)
		play(s, ahead, l)
		var scans, asked int64
		for i, c := range s.calls {
			if c.tablet == 0 {
				scans, asked = scans+1, 0
				// Less than 10 rows are left of the first tablet; the next two give 10 each, and the last the rest, if any is wanted.
				continue
			}
			asked++
			if before := s.calls[i-1]; c.place != 0 || c.tablet != int32(asked) || c.at != before.at+1000 || c.point {
				t.Errorf("call %d %+v after %+v, want the next tablet from its start as soon as the answer is there", i, c, before)
			}
			if next := i+1 == len(s.calls) || s.calls[i+1].tablet == 0; next && asked < 2 {
				t.Errorf("scan %d of 25 rows ends after %d tablets of 10", scans, asked+1)
			}
		}
		if got := l.Latency[workloads.Scan].SumNs; scans != 5 || got != int64(len(s.calls))*1000+5*2000 {
			t.Errorf("%d scans of %d ns in all, want 5 that include each request", scans, got)
		}
	})
}

// A rejected scan is asked again, and its latency includes that.
func TestRejectedScanIsAskedAgain(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 1000, refuse: func(n int) bool { return n < 3 }}, testLoad(t, 1, 0, 0, 0, 1, 5)
		play(s, ahead, l)
		if len(s.calls) != 4 || l.Latency[workloads.Scan].SumNs != s.calls[3].at+3000 || s.calls[3].place != s.calls[0].place {
			t.Errorf("calls %+v with a latency of %d ns, want the same scan four times and its whole time", s.calls, l.Latency[workloads.Scan].SumNs)
		}
	})
}

// A write after a scan costs more than one after a write.
func TestColdAppend(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 1000}, testLoad(t, 200, 0, 0, .5, .5, 5)
		play(s, ahead, l)
		h := &l.Latency[workloads.Insert]
		if cold := (h.SumNs - 1000*h.Count) / 4000; cold < 30 || cold > 70 || h.SumNs != 1000*(h.Count-cold)+5000*cold {
			t.Errorf("%d of %d inserts are cold, want about half of them", cold, h.Count)
		}
	})
}

// A throttled client begins operation k no earlier than k ticks after its start, and catches up after a slow one, as YCSB does.
func TestTarget(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		for _, c := range []struct {
			target  float64
			threads int64
			tick    engine.Time
			stagger bool
		}{{1000, 2, 2 * ms, true}, {100, 1, 10 * ms, true}, {5000, 1, ms / 5, false}, {5000, 10, 2 * ms, true}} {
			s, l := &fakeStorage{after: 100}, testLoad(t, 20*c.threads, 0, 0, 0, 1, 5)
			l.Target, l.Threads = c.target, c.threads
			f := play(s, ahead, l)
			starts := map[engine.Time]bool{}
			want := map[engine.Time]int{}
			for i := range f.threads {
				begin := f.threads[i].begin
				starts[begin] = true
				if c.stagger != (begin > 0) || begin >= c.tick {
					t.Errorf("target %v: thread %d starts at %d ns, stagger %v within %d", c.target, i, begin, c.stagger, c.tick)
				}
				for k := range engine.Time(20) {
					want[begin+k*c.tick]++
				}
			}
			for _, call := range s.calls {
				want[call.at]--
			}
			for at, n := range want {
				if n != 0 {
					t.Errorf("target %v over %d threads: %d operations are missing at %d ns", c.target, c.threads, n, at)
				}
			}
			if c.stagger && len(starts) != int(c.threads) {
				t.Errorf("target %v: %d threads start at %d times", c.target, c.threads, len(starts))
			}
		}
	})
}

func TestThrottledClientCatchesUp(t *testing.T) {
	bothWays(t, func(t *testing.T, ahead bool) {
		s, l := &fakeStorage{after: 100}, testLoad(t, 10, 0, 0, 0, 1, 5)
		l.Target = 5000
		s.refuse = func(n int) bool { return n == 0 } // the first scan takes up to 2 ms more
		play(s, ahead, l)
		late := s.calls[1].at + 2600
		for k := 1; k < 10; k++ {
			want := max(late, engine.Time(k)*ms/5)
			if got := s.calls[k+1].at; got != want {
				t.Errorf("operation %d begins at %d ns, want %d", k, got, want)
			}
			late = want + 2600
		}
	})
}
