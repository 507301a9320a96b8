package server

import (
	"testing"

	"pgregory.net/rapid"

	"mmsim/sim/engine"
)

// Two jobs of 100 and 150 ms of computing on 1.25 cores have 0.625 each; one that is left alone has a whole core.
func TestJobsShareCores(t *testing.T) {
	s := diskServer(Config{Devices: 1, Stripes: 1, Together: 1.25})
	short, long := s.Begin(0, 0, 100*ms), s.Begin(0, 0, 150*ms)
	end := finish(s, 0, short)
	about(t, "the job of 100 ms", end, 160*ms)
	about(t, "the job of 150 ms", finish(s, end, long), 210*ms)
}

// A request that comes to two cores with one job is not slowed; the next takes 3/2 as long, the third 4/2.
func TestRequestsSlowEachOther(t *testing.T) {
	s := diskServer(Config{Devices: 1, Stripes: 1, Together: 2})
	s.Begin(0, 0, 100*ms)
	for i, want := range []float64{1, 1.5, 2} {
		got := s.CPU.slowed(0, 0)
		if got != want {
			t.Errorf("request %d takes %v times as long, want %v", i, got, want)
		}
		s.CPU.occupy(0, 0, 10e6, got)
	}
	if got := s.CPU.slowed(21*ms, 0); got != 1 { // all three are done: the last took 20 ms
		t.Errorf("when all are done, the next takes %v times as long", got)
	}
}

// A job of 100 ms on one core beside a request of 10 ms: both have half a core until the request is done after 20 ms, so the job takes 110 ms.
func TestRequestSlowsJob(t *testing.T) {
	s := diskServer(Config{Devices: 1, Stripes: 1, Together: 1})
	j := s.Begin(0, 0, 100*ms)
	s.CPU.occupy(0, 0, 10e6, s.CPU.slowed(0, 0))
	if end := finish(s, 0, j); end < 110*ms-longest || end > 110*ms+longest {
		t.Errorf("the job ends at %d, want 110 ms", end)
	}
}

// Where there are cores for all, whatever comes changes nothing: a job takes its own time to the nanosecond.
func TestCoresForAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := diskServer(Config{Devices: 1, Stripes: 1, Together: 40})
		work := engine.Time(rapid.Int64Range(1, int64(300*ms)).Draw(t, "work"))
		j := s.Begin(0, 0, work)
		var now engine.Time
		for range rapid.IntRange(0, 30).Draw(t, "requests") {
			next := now + engine.Time(rapid.Int64Range(0, int64(5*ms)).Draw(t, "gap"))
			if next >= work {
				break
			}
			now = next
			slower := s.CPU.slowed(now, 0)
			if slower != 1 {
				t.Fatalf("a request takes %v times as long", slower)
			}
			s.CPU.occupy(now, engine.Time(rapid.Int64Range(0, int64(ms)).Draw(t, "wait")), rapid.Float64Range(0, 200e6).Draw(t, "computes"), slower)
		}
		if end := finish(s, now, j); end != work {
			t.Fatalf("a job of %d ns ends at %d", work, end)
		}
	})
}

// What rounding to ticks adds to one request it takes from another: many short ones on one core leave a job what they did not take.
func TestTicksLoseNothing(t *testing.T) {
	s := diskServer(Config{Devices: 1, Stripes: 1, Together: 1})
	j := s.Begin(0, 0, 1000*ms)
	rand := engine.Stream(1, 0, "test", "gaps")
	var now engine.Time
	taken := 0.0
	for s.Due(now, j) > now {
		s.CPU.occupy(now, 0, 3e3, s.CPU.slowed(now, 0))
		taken += 3e3
		now += engine.Time(20e3 * rand.Float64())
	}
	if got := float64(now) - 1000e6; got < 0.97*taken || got > 1.03*taken {
		t.Errorf("requests of %.0f ns lengthen a job by %.0f", taken, got)
	}
}
