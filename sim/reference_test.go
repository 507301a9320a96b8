package sim

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
)

// The engine that plays clients ahead must leave exactly what the plain one leaves: every latency bucket, op, wait and sample.
func TestEnginesAgree(t *testing.T) {
	for i, sets := range referenceCases() {
		t.Run(fmt.Sprint(i), func(t *testing.T) { enginesAgree(t, 0.01, sets...) })
	}
}

func TestEnginesAgreeLarger(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	enginesAgree(t, 0.1, append(fewerRows(2), "cluster.servers=4", "tables[0].tablets=8", "tables[1].tablets=16")...)
}

// fewerRows are the review's phases in n times 2 + 20 million rows.
func fewerRows(n int) (sets []string) {
	for path, million := range map[string]float64{
		"phases[0].clients[0].workload.records": 2, "phases[0].clients[1].workload.records": 20,
		"phases[1].clients[0].workload.operations": 0.05, "phases[1].clients[1].workload.operations": 0.5,
		"phases[2].clients[0].workload.operations": 0.2, "phases[2].clients[1].workload.operations": 3,
	} {
		sets = append(sets, fmt.Sprintf("%s=%d", path, int(million*1e6)*n))
	}
	return sets
}

// referenceCases varies what decides when clients meet servers: how busy those are, how large buffers are, what is asked for and how fast.
func referenceCases() (cases [][]string) {
	base := append([]string{"cluster.servers=3", "tables[0].tablets=3", "tables[1].tablets=5"}, fewerRows(1)...)
	for _, load := range [][]string{
		nil,
		{"server.memory_limit=6GB"}, // rejections and retries
		{"phases[0].clients[1].threads=3", "phases[2].clients[1].target=400k ops/s", "phases[1].clients[0].target=50 ops/s"},
		{"machine.write.fixed=9ms", "server.rpc_service_threads=1", "server.rpc_queue_length=2"}, // full queues
		{"phases[2].clients[1].workload.insert_order=ordered", "phases[0].clients[1].workload.insert_order=ordered"},
		{"maintenance.threads=3", "phases[1].clients[1].workload.scan=0.3", "phases[1].clients[1].workload.update=0.3", "phases[1].clients[1].workload.insert=0.3", "phases[1].clients[1].workload.read=0.1"},
	} {
		for _, session := range [][]string{
			nil,
			{"phases[0].clients[1].session.buffer_ops=50", "phases[1].clients[1].session.buffer_ops=7", "phases[2].clients[1].session.buffer_ops=1"},
			{"phases[0].clients[1].session.flush_interval=1ms", "phases[1].clients[1].session.flush_interval=3ms", "phases[0].clients[0].session.flush_interval=20us"},
			{"phases[0].clients[1].session.buffers=1", "phases[2].clients[1].session.buffers=4"},
		} {
			cases = append(cases, append(append(append([]string(nil), base...), load...), session...))
		}
	}
	return cases
}

func enginesAgree(t *testing.T, scale float64, sets ...string) {
	t.Helper()
	full := reviewWith(t, sets...)
	e, err := full.Scaled(scale)
	if err != nil {
		t.Fatal(err)
	}
	spec := policies.WorkloadScaled()
	values, err := spec.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	hash := func(reference bool) string {
		run := runLine(t, e, spec, values, Options{Reference: reference})
		return fingerprint(run)
	}
	if plain, fast := hash(true), hash(false); plain != fast {
		t.Errorf("engines differ under %q:\nplain %s\nfast  %s", sets, plain, fast)
	}
}

func runLine(t testing.TB, e *configs.Experiment, spec policies.Spec, values policies.Values, o Options) *results.Run {
	t.Helper()
	run, err := Run(context.Background(), e, Line{Name: spec.Name, Policy: spec.Name, New: func() (policies.Policy, error) { return spec.New(values) }}, o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// fingerprint is a hash of everything a run left, with a few figures to see where two differ.
func fingerprint(run *results.Run) string {
	h := sha256.New()
	for _, l := range run.Latencies {
		fmt.Fprintln(h, l.Phase, l.Table, l.Op, l.Count, l.SumNs)
		for _, b := range l.Hist.Distribution() {
			fmt.Fprintln(h, b)
		}
	}
	fmt.Fprintln(h, run.Phases, run.Samples, run.Waits, run.Totals)
	for _, op := range run.Ops {
		fmt.Fprintln(h, op)
	}
	return fmt.Sprintf("%x end %d ops %d waits %d totals %+v", h.Sum(nil)[:8], run.End, len(run.Ops), len(run.Waits), run.Totals)
}
