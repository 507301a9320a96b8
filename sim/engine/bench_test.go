package engine

import (
	"fmt"
	"testing"
)

var (
	sinkU uint64
	sinkF float64
	sinkI int64
)

func BenchmarkUint64(b *testing.B) {
	r := Stream(1, 0, "bench", "rand")
	var s uint64
	for range b.N {
		s += r.Uint64()
	}
	sinkU = s
}

func BenchmarkFloat64(b *testing.B) {
	r := Stream(1, 0, "bench", "rand")
	var s float64
	for range b.N {
		s += r.Float64()
	}
	sinkF = s
}

func BenchmarkInt64N(b *testing.B) {
	r := Stream(1, 0, "bench", "rand")
	var s int64
	for range b.N {
		s += r.Int64N(1000)
	}
	sinkI = s
}

func BenchmarkStream(b *testing.B) {
	for i := range b.N {
		r := Stream(1, i, "client/0", "append")
		sinkU += r.state
	}
}

// Includes the draw of the uniform.
func BenchmarkSample(b *testing.B) {
	for _, c := range []struct {
		name string
		d    *Dist
	}{{"lognormal", LogNormal(2000, 0.5)}, {"exponential", Exponential(2000)}, {"constant", Constant(1)}} {
		b.Run(c.name, func(b *testing.B) {
			r := Stream(1, 0, "bench", "dist")
			var s float64
			for range b.N {
				s += c.d.Sample(&r)
			}
			sinkF = s
		})
	}
}

func BenchmarkRecord(b *testing.B) {
	h := new(Histogram)
	d := LogNormal(3000, 0.7)
	r := Stream(1, 0, "bench", "hist")
	var ns [4096]int64
	for i := range ns {
		ns[i] = int64(d.Sample(&r))
	}
	b.ResetTimer()
	for i := range b.N {
		h.Record(ns[i&4095])
	}
}

func BenchmarkHistogramReset(b *testing.B) {
	h := new(Histogram)
	for range b.N {
		for _, ns := range [...]int64{2e3, 5e5, 8e6} {
			h.Record(ns)
		}
		h.Reset()
	}
}

// A hold: the earliest actor acts and gets a later time.
func BenchmarkTreeHold(b *testing.B) {
	for _, n := range []int{32, 1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := Stream(1, 0, "bench", "tree")
			t := NewTree(n)
			for a := range n {
				t.Set(a, r.Int64N(1e6))
			}
			b.ResetTimer()
			for range b.N {
				at, a := t.Min()
				t.Set(a, at+int64(r.Uint64()>>44))
			}
		})
	}
}

func BenchmarkHeapHold(b *testing.B) {
	for _, n := range []int{32, 1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := Stream(1, 0, "bench", "heap")
			var h Heap
			for range n {
				h.Push(Event{At: r.Int64N(1e6)})
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				e := h.Pop()
				e.At += int64(r.Uint64() >> 44)
				h.Push(e)
			}
		})
	}
}

func BenchmarkStation(b *testing.B) {
	for _, servers := range []int{1, 10} {
		b.Run(fmt.Sprint(servers), func(b *testing.B) {
			r := Stream(1, 0, "bench", "station")
			s := NewStation(servers, 50)
			service := Exponential(800 * float64(servers))
			var at Time
			b.ReportAllocs()
			for range b.N {
				at += int64(r.Uint64() >> 53) // mean 1024
				_, f, _ := s.Arrive(at, Time(service.Sample(&r)))
				sinkI = f
			}
		})
	}
}

func BenchmarkPool(b *testing.B) {
	r := Stream(1, 0, "bench", "pool")
	p := NewPool(8)
	var at Time
	for range b.N {
		at += int64(r.Uint64() >> 53)
		sinkI = p.Arrive(at, 7000)
	}
}
