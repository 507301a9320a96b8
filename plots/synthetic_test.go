package plots

import (
	"math"
	"math/rand/v2"
	"time"

	"mmsim/configs"
	"mmsim/results"
)

// shape says how large and how rich a made-up experiment is.
type shape struct {
	lines   []string
	tables  []string
	seconds [3]float64 // of phases a (INSERT), b (SCAN, UPDATE), c (SCAN, INSERT); 0 leaves a phase out
	ops     int        // maintenance ops a run
	samples int        // of a table's series
}

// fullShape is as large as the review's experiment.
var fullShape = shape{
	lines:   []string{"raw", "workload-scaled-1", "workload-scaled-10", "priority-weighted"},
	tables:  []string{"table-A", "table-B"},
	seconds: [3]float64{3600, 1000, 1800},
	ops:     100_000,
	samples: 640,
}

// made makes an input with numbers as a run could have left them. They mean nothing.
func made(s shape) Input {
	in := Input{Title: "Workload-scaled perf_improvement, review 15995", Scale: 1, Memory: MemoryLines{60 << 30, 60, 80},
		Starvation: configs.Duration(10 * time.Minute), Measured: review(), Source: held{}, Worst: 6}
	for i := range s.lines {
		in.Runs = append(in.Runs, s.run(i))
	}
	return in
}

// review holds a part of the review's numbers.
func review() *configs.Measured {
	return &configs.Measured{Source: "gerrit 15995", Before: "raw", After: "workload-scaled-1", Rows: []configs.MeasuredRow{
		{Phase: "a", Table: "table-A", Op: "INSERT", Stat: "avg", Before: 62.48352, After: 61.45316},
		{Phase: "a", Table: "table-A", Op: "INSERT", Stat: "p95", Before: 4, After: 4},
		{Phase: "b", Table: "table-A", Op: "SCAN", Stat: "avg", Before: 834.47093, After: 481.40569},
		{Phase: "b", Table: "table-A", Op: "SCAN", Stat: "p95", Before: 639, After: 479},
		{Phase: "b", Table: "table-A", Op: "UPDATE", Stat: "avg", Before: 6.73773, After: 5.58511},
		{Phase: "b", Table: "table-A", Op: "UPDATE", Stat: "p95", Before: 15, After: 11},
		{Phase: "b", Table: "table-B", Op: "SCAN", Stat: "avg", Before: 2168.55291, After: 1979.14102},
		{Phase: "b", Table: "table-B", Op: "SCAN", Stat: "p95", Before: 7727, After: 4671},
		{Phase: "c", Table: "table-A", Op: "SCAN", Stat: "avg", Before: 1617.92456, After: 960.75466},
		{Phase: "c", Table: "table-A", Op: "SCAN", Stat: "p95", Before: 9871, After: 2073},
		{Phase: "c", Table: "table-B", Op: "INSERT", Stat: "avg", Before: 9.11269, After: 9.56165},
		{Phase: "c", Table: "table-B", Op: "INSERT", Stat: "p95", Before: 8, After: 9},
	}}
}

func (s shape) run(line int) *results.Run {
	rng := rand.New(rand.NewPCG(7, uint64(line)))
	r := &results.Run{Line: s.lines[line], Policy: s.lines[line], Servers: 6}
	for i, t := range s.tables {
		r.Tables = append(r.Tables, results.Table{Name: t, Tablets: 64, HotTablet: i * 64, HotServer: i * 2 % 6})
	}
	slower := 1 + 0.2*float64(line)
	var now float64
	for i, length := range s.seconds {
		if length == 0 {
			continue
		}
		start := now
		now += length * (1 + 0.03*float64(line))
		name := string(rune('a' + i))
		r.Phases = append(r.Phases, results.Phase{Name: name, Start: int64(start * 1e9), End: int64(now * 1e9)})
		for k, t := range s.tables {
			mix := [][]string{{"INSERT"}, {"SCAN", "UPDATE"}, {"SCAN", "INSERT"}}[i]
			for _, op := range mix {
				r.Latencies = append(r.Latencies, latencies(rng, name, t, op, 20_000*(1+k*5), 1/slower*(1+float64(k))))
			}
		}
	}
	r.End = int64(now * 1e9)
	s.series(r, rng, slower)
	s.maintenance(r, rng, slower)
	return r
}

// latencies draws n latencies: writes mostly take a few us and sometimes wait for a buffer, scans are log-normal.
func latencies(rng *rand.Rand, phase, table, op string, n int, factor float64) results.Latency {
	l := results.Latency{Phase: phase, Table: table, Op: op, Count: int64(n), Hist: results.NewHistogram()}
	for range n {
		us := 3 * math.Exp(0.5*rng.NormFloat64())
		switch {
		case op == "SCAN":
			us = 900 * factor * math.Exp(0.7*rng.NormFloat64())
			if rng.Float64() < 0.002 {
				us += 20000 * rng.ExpFloat64()
			}
		case rng.Float64() < 0.001:
			us = 40000 * factor * rng.ExpFloat64()
		}
		l.SumNs += int64(us * 1e3)
		_ = l.Hist.RecordValue(int64(us))
	}
	return l
}

func (s shape) series(r *results.Run, rng *rand.Rand, slower float64) {
	for i := range s.samples {
		at := int64(float64(r.End) / float64(s.samples) * float64(i+1))
		for server := range r.Servers {
			r.ServerSamples = append(r.ServerSamples, results.ServerSample{At: at, Server: server, Memory: int64((20 + 38*rng.Float64()) * (1 << 30)), WAL: 1 << 30})
		}
		for t := range s.tables {
			u := float64(at) / float64(r.End)
			height := 1 + float64(3+4*t)*math.Abs(math.Sin(7*u*slower))
			sample := results.Sample{At: at, Table: t, Height: height, HotHeight: height * (1.3 + 0.2*rng.Float64()), Rows: 1000,
				Rowsets: int(400 * height), RedoFiles: int(3000 * math.Mod(u*11, 1)), WAL: int64(5e9 * math.Mod(u*20, 1)),
				Memory: int64((1 + float64(t)*2.5) * (0.3 + 0.7*math.Mod(u*40, 1)) * (1 << 30))}
			if len(r.Phases) > 1 && at > r.Phases[0].End {
				sample.Scans = 100
				sample.ScanP95 = 400 * height * math.Exp(0.2*rng.NormFloat64())
			}
			r.Samples = append(r.Samples, sample)
		}
	}
}

func (s shape) maintenance(r *results.Run, rng *rand.Rand, slower float64) {
	kinds := append(append([]string{}, rankedKinds...), collectedKinds...)
	length := []float64{2, 0.5, 6, 3, 1, 0.006, 0.02, 0.01}
	end := float64(r.End) / 1e9
	for i := range s.ops {
		k := rng.IntN(len(kinds))
		if k < 5 && rng.IntN(3) > 0 {
			k = 0
		}
		t := rng.IntN(len(s.tables))
		at := end * (float64(i) + rng.Float64()) / float64(s.ops)
		if k == 4 && at < end/2 {
			continue
		}
		wait := 0.3 * slower * float64(1+4*t) * math.Exp(1.6*rng.NormFloat64())
		if t == 0 && k == 2 && rng.IntN(50) == 0 {
			wait *= 1000
		}
		wait = min(wait, at)
		took := length[k] * math.Exp(0.5*rng.NormFloat64())
		chosen := int64(at * 1e9)
		op := results.Op{Server: rng.IntN(6), Kind: kinds[k], Table: t, Tablet: rng.IntN(64), Since: int64((at - wait) * 1e9), Chosen: chosen,
			End: chosen + int64(took*1e9), Rule: results.RulePerf}
		if op.End > r.End {
			op.End = -1
		}
		r.Ops = append(r.Ops, op)
		r.Waits = append(r.Waits, results.Wait{Server: op.Server, Table: t, Tablet: op.Tablet, Kind: op.Kind, Since: op.Since, Until: chosen, Outcome: results.Served})
	}
	for i := range min(s.ops/1000, 40) {
		r.Waits = append(r.Waits, results.Wait{Kind: "CompactRowSetsOp", Since: int64(float64(r.End) * (1 - float64(i)/60)), Until: r.End, Outcome: results.Open})
	}
}

// with gives the shape with fewer ops.
func (s shape) with(ops int) shape {
	s.ops = ops
	return s
}
