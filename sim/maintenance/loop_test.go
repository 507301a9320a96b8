package maintenance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"mmsim/policies"
	"mmsim/rules"
	"mmsim/sim/engine"
)

// TestLoop plays scenarios of scripted ops:
//
//	loop [threads=N] [without=(RULE,...)] [decide_op=TIME] [launch=TIME] [start=TIME] [start_idle=TIME] [disabled] until=TIME
//	op TABLET [kind=KIND] [perf=X] [workload=X] [priority=N] [ram=N] [wal=N] [data=N] [runs=N] [takes=TIME] [fails=N]
//	at TIME unregister TABLET | runs TABLET N | enable | disable
//
// An op is a CompactRowSetsOp of perf 10 that takes 10ms and has one run, today's rules hold, and there is one thread. Each look at one op takes
// decide_op, and the others are times of a machine's ops. The output says what ended when (equal lines once), then how many looks there were and how many ops could not be prepared.
func TestLoop(t *testing.T) {
	datadriven.RunTest(t, "testdata/loop", func(t *testing.T, d *datadriven.TestData) string {
		s, until := loopOf(t, d)
		for _, line := range strings.Split(d.Input, "\n") {
			words := strings.Fields(line)
			if words[0] == "op" {
				s.add(opOf(t, d, words[1:]))
				continue
			}
			at := duration(t, d, words[1])
			s.mustPlay(at)
			s.act(t, d, at, words[2:])
		}
		s.mustPlay(until)
		s.log = append(slices.Compact(s.log), fmt.Sprintf("%d looks, %d failed", s.Decisions, s.PrepareFailed))
		return strings.Join(s.log, "\n")
	})
}

// mustPlay puts an error on the log.
func (s *script) mustPlay(until engine.Time) {
	if err := s.play(until); err != nil {
		s.log = append(s.log, "error: "+err.Error())
	}
}

func loopOf(t *testing.T, d *datadriven.TestData) (s *script, until engine.Time) {
	cfg, costs, threads := scriptConfig(1), OpCosts{}, 1
	var decide, end string
	d.ScanArgs(t, "until", &end)
	d.MaybeScanArgs(t, "threads", &threads)
	if d.MaybeScanArgs(t, "decide_op", &decide) {
		costs.DecideOp = float64(duration(t, d, decide))
	}
	for key, cost := range map[string]*float64{"launch": &costs.Launch, "start": &costs.Start, "start_idle": &costs.StartIdle} {
		var takes string
		if d.MaybeScanArgs(t, key, &takes) {
			*cost = float64(duration(t, d, takes))
		}
	}
	cfg.Threads, cfg.Enabled = threads, !d.HasArg("disabled")
	for _, a := range d.CmdArgs {
		if a.Key == "without" {
			for _, name := range a.Vals {
				cfg.Rules.Switch(ruleNamed(t, d, name), false)
			}
		}
	}
	return newScript(t, cfg, costs), duration(t, d, end)
}

func ruleNamed(t *testing.T, d *datadriven.TestData, name string) int {
	for i, r := range rules.Differences {
		if r.Name == name {
			return i
		}
	}
	d.Fatalf(t, "there is no rule %s", name)
	return -1
}

func opOf(t *testing.T, d *datadriven.TestData, words []string) *scripted {
	op := &scripted{tablet: int32(integer(t, d, words[0])), perf: 10, runs: 1, takes: 10 * ms}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "kind":
			for op.kind = 0; op.kind < policies.NumKinds && op.kind.String() != value; op.kind++ {
			}
		case "perf", "workload":
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			if op.workload = x; key == "perf" {
				op.perf, op.workload = x, 0
			}
		case "takes":
			op.takes = duration(t, d, value)
		default:
			n := integer(t, d, value)
			switch key {
			case "priority":
				op.priority = int32(n)
			case "ram":
				op.ram = n
			case "wal":
				op.wal = n
			case "data":
				op.data = n
			case "runs":
				op.runs = int(n)
			case "fails":
				op.fails = int(n)
			default:
				d.Fatalf(t, "an op has no %s", key)
			}
		}
	}
	return op
}

func (s *script) act(t *testing.T, d *datadriven.TestData, at engine.Time, words []string) {
	switch words[0] {
	case "enable", "disable":
		s.SetEnabled(words[0] == "enable")
	case "runs":
		s.on(int32(integer(t, d, words[1])), func(op *scripted) { op.runs = int(integer(t, d, words[2])) })
	case "unregister":
		tablet := int32(integer(t, d, words[1]))
		if err := s.Unregister(at, tablet, func(at engine.Time) { s.note(at, "%d is gone", tablet) }); err != nil {
			s.note(at, "error: %v", err)
		}
	default:
		d.Fatalf(t, "nobody can %s", words[0])
	}
}

func duration(t *testing.T, d *datadriven.TestData, s string) engine.Time {
	v, err := time.ParseDuration(s)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return engine.Time(v)
}

func integer(t *testing.T, d *datadriven.TestData, s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return n
}

// Between memory_pressure and memory_soft_limit, run_non_memory_ops_prob leaves a fifth of the decisions to other ops at the threshold: a quarter as many as
// flushes, and as many more as find no flush armed (Kudu's test of KUDU-3407 takes 0.1 to 0.6).
func TestOtherOpsUnderPressure(t *testing.T) {
	cfg := scriptConfig(1)
	cfg.SkipProbability = .2
	s := newScript(t, cfg, OpCosts{})
	s.used = 60
	armed := func(kind policies.Kind, tablet int32) *scripted {
		op := &scripted{kind: kind, tablet: tablet, runs: 1 << 30, takes: 5 * ms}
		s.add(op)
		return op
	}
	perf, memory, data := armed(policies.CompactRowSets, 0), armed(policies.FlushMRS, 1), armed(policies.UndoDeltaBlockGC, 2)
	perf.perf, memory.ram, data.data = 10, 2000, mebibyte
	for memory.began < 1000 {
		if err := s.play(s.Next()); err != nil {
			t.Fatal(err)
		}
	}
	others := float64(perf.began+data.began) / float64(memory.began)
	if others < .2 || others > .3 {
		t.Errorf("other ops ran %v times as often as flushes, want 0.25", others)
	}
	if share := float64(data.began) / float64(perf.began+data.began); share < .4 || share > .6 {
		t.Errorf("of the other ops %v were data GC, want half", share)
	}
}
