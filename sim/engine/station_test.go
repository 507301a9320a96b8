package engine

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestStation(t *testing.T) {
	s := NewStation(2, 1)
	tests := []struct {
		at, service, start, finish Time
		ok                         bool
	}{
		{0, 10, 0, 10, true},
		{1, 5, 1, 6, true},
		{2, 1, 6, 7, true},   // waits for the second server
		{3, 1, 0, 0, false},  // one waits already
		{6, 9, 7, 16, true},  // who starts now left its place
		{7, 1, 10, 11, true}, // the same again
		{20, 3, 20, 23, true},
	}
	for i, tt := range tests {
		start, finish, ok := s.Arrive(tt.at, tt.service)
		if start != tt.start || finish != tt.finish || ok != tt.ok {
			t.Errorf("customer %d: %d..%d %v, want %d..%d %v", i, start, finish, ok, tt.start, tt.finish, tt.ok)
		}
	}
}

// model is the same station without cleverness: it keeps every customer it accepted.
type model struct {
	servers, queue  int
	starts, finishs []Time
}

func (m *model) arrive(at, service Time) (start, finish Time, ok bool) {
	waiting := 0
	for _, s := range m.starts {
		if s > at {
			waiting++
		}
	}
	// The first moment, from at on, with a server to spare. A moment without one more start can only come at a finish.
	start = Never
	for _, c := range append([]Time{at}, m.finishs...) {
		busy := 0
		for i := range m.starts {
			if m.finishs[i] > c {
				busy++
			}
		}
		if c >= at && busy < m.servers {
			start = min(start, c)
		}
	}
	if start > at && waiting >= m.queue {
		return 0, 0, false
	}
	m.starts, m.finishs = append(m.starts, start), append(m.finishs, start+service)
	return start, start + service, true
}

func TestStationAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{servers: rapid.IntRange(1, 4).Draw(t, "servers"), queue: rapid.IntRange(0, 4).Draw(t, "queue")}
		s := NewStation(m.servers, m.queue)
		at := Time(0)
		for range rapid.IntRange(1, 60).Draw(t, "customers") {
			at += rapid.Int64Range(0, 4).Draw(t, "gap")
			service := rapid.Int64Range(0, 12).Draw(t, "service")
			start, finish, ok := s.Arrive(at, service)
			wantStart, wantFinish, wantOk := m.arrive(at, service)
			if start != wantStart || finish != wantFinish || ok != wantOk {
				t.Fatalf("at %d: %d..%d %v, want %d..%d %v", at, start, finish, ok, wantStart, wantFinish, wantOk)
			}
		}
	})
}

// Mean waits at 80 % load, service mean 1, by Erlang C: M/M/1 rho/(1-rho) = 4; M/M/2 waits 0.711111/0.4 = 1.777778;
// M/M/10 0.409180/2 = 0.204590.
func TestStationAgainstErlang(t *testing.T) {
	for _, tt := range []struct {
		servers int
		want    float64
	}{{1, 4}, {2, 1.777778}, {10, 0.204590}} {
		const unit, customers = 1e6, 2_000_000
		arrivals, services := Stream(11, tt.servers, "mmc", "arrival"), Stream(11, tt.servers, "mmc", "service")
		gap, service := Exponential(unit/(0.8*float64(tt.servers))), Exponential(unit)
		s := NewStation(tt.servers, 1000)
		var at Time
		var sum float64
		for range customers {
			at += Time(gap.Sample(&arrivals))
			start, _, ok := s.Arrive(at, Time(service.Sample(&services)))
			if !ok {
				t.Fatal("the waiting room is full")
			}
			sum += float64(start - at)
		}
		if got := sum / unit / customers; math.Abs(got-tt.want) > 0.04*tt.want {
			t.Errorf("M/M/%d: mean wait %v, want %v", tt.servers, got, tt.want)
		}
	}
}

func TestPool(t *testing.T) {
	p := NewPool(4)
	tests := []struct{ at, work, finish Time }{
		{0, 100, 100},   // alone: one thread's time
		{0, 100, 100},   // backlog 200 drains at 50
		{0, 300, 300},   // backlog 500 drains at 125, the job itself takes longer
		{0, 100, 150},   // backlog 600: the pool is the limit
		{50, 2, 151},    // 602/4 = 150.5, rounded up
		{1000, 7, 1007}, // idle since 151
	}
	for i, tt := range tests {
		if got := p.Arrive(tt.at, tt.work); got != tt.finish {
			t.Errorf("job %d finishes at %d, want %d", i, got, tt.finish)
		}
	}
}

// A saturated pool does the work of all its threads, no more and no less.
func TestPoolConservesWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cores := rapid.IntRange(1, 9).Draw(t, "cores")
		p := NewPool(cores)
		var total, longest, last Time
		for range rapid.IntRange(1, 50).Draw(t, "jobs") {
			work := rapid.Int64Range(0, 1000).Draw(t, "work")
			total, longest = total+work, max(longest, work)
			last = max(last, p.Arrive(0, work))
		}
		if low := (total + int64(cores) - 1) / int64(cores); last < low || last > max(low, longest) {
			t.Fatalf("%d ns of work on %d threads end at %d", total, cores, last)
		}
	})
}
