package sim

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
)

// The engine that plays clients ahead must leave exactly what the plain one leaves: every latency bucket, op, wait and sample.
func TestEnginesAgree(t *testing.T) {
	for _, sets := range referenceCases() {
		t.Run(strings.Join(sets, " "), func(t *testing.T) {
			t.Parallel()
			enginesAgree(t, testdata(t, "busy", sets...))
		})
	}
}

func TestEnginesAgreeLarger(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	e := reviewWith(t, "cluster.servers=4", "tables[0].tablets=8", "tables[1].tablets=16",
		"phases[0].clients[0].workload.records=4000000", "phases[0].clients[1].workload.records=40000000",
		"phases[1].clients[0].workload.operations=100000", "phases[1].clients[1].workload.operations=1000000",
		"phases[2].clients[0].workload.operations=400000", "phases[2].clients[1].workload.operations=6000000")
	e, err := e.Scaled(0.1)
	if err != nil {
		t.Fatal(err)
	}
	enginesAgree(t, e)
}

// referenceCases varies what decides when clients meet servers: how busy those are, how large buffers are, what is asked for and how fast.
func referenceCases() (cases [][]string) {
	for _, load := range [][]string{
		nil,
		{"server.memory_limit=12MiB"},          // more rejections and retries
		{"server.memory_limit=1GiB", "seed=8"}, // none
		{"phases[0].clients[1].threads=7", "phases[2].clients[0].target=5k ops/s", "phases[1].clients[1].target=50 ops/s"},
		{"machine.write.fixed=9ms", "server.rpc_service_threads=1", "server.rpc_queue_length=2"},
		{"phases[0].clients[1].workload.insert_order=ordered", "phases[2].clients[0].workload.insert_order=ordered", "maintenance.threads=3"},
		{"phases[1].clients[0].workload.scan=0.3", "phases[1].clients[0].workload.update=0.3", "phases[1].clients[0].workload.insert=0.3"},
		{"machine.cores=1", "machine.core_worth=0.7", "machine.clients_share=true", "maintenance.threads=3"}, // everything waits for a core
		{"phases[1].clients[0].workload.request_distribution=latest", "phases[2].clients[0].workload.scan_length_distribution=uniform", "maintenance.threads=2"},
	} {
		for _, session := range [][]string{
			nil,
			{"phases[0].clients[1].session.buffer_ops=50", "phases[1].clients[0].session.buffer_ops=7", "phases[2].clients[0].session.buffer_ops=1"},
			{"phases[0].clients[1].session.flush_interval=1ms", "phases[1].clients[0].session.flush_interval=3ms", "phases[0].clients[0].session.flush_interval=20us"},
			{"phases[0].clients[1].session.buffers=1", "phases[2].clients[0].session.buffers=4"},
		} {
			cases = append(cases, append(append([]string(nil), load...), session...))
		}
	}
	return cases
}

// shapeCases are what clients may do beside that, and several clients on a table.
func shapeCases() map[string][]string {
	return map[string][]string{
		"several clients": {"phases[0].clients=[{table: hot, threads: 2, workload: {records: 9000}}, {table: hot, threads: 3, workload: {records: 11000}}, {table: cold, workload: {records: 8000}}]",
			"phases[1].clients=[{table: hot, threads: 2, workload: {operations: 9000, insert: 0.7, update: 0.3}}, {table: hot, threads: 3, target: 9k ops/s, workload: {operations: 7000, scan: 0.3, update: 0.4, read: 0.3}}, {table: hot, id: slow, target: 300 ops/s, workload: {operations: 200, insert: 1}}]"},
		"deletes": {"phases[1].clients[0].workload={operations: 30000, scan: 0.1, update: 0.3, delete: 0.6}", "phases[2].clients[0].workload={operations: 9000, scan: 0.1, insert: 0.3, update: 0.2, delete: 0.3, read: 0.1}"},
		"deletes by another": {"phases[1].clients=[{table: hot, threads: 3, workload: {operations: 9000, insert: 0.4, update: 0.5, scan: 0.1}}, {table: hot, threads: 2, target: 9k ops/s, workload: {operations: 7000, delete: 1}}]",
			"phases[2].clients=[{table: hot, threads: 2, workload: {operations: 12000, delete: 0.8, insert: 0.2}}, {table: hot, threads: 2, workload: {operations: 9000, update: 0.8, upsert: 0.2}}]"},
		"upserts":                  {"phases[1].clients[0].workload={operations: 9000, scan: 0.2, upsert: 0.8}", "phases[2].clients[0].workload={operations: 9000, upsert: 1, upsert_new: 1}", "phases[1].clients[1].workload={operations: 3000, upsert: 0.5, update: 0.5, upsert_new: 0}"},
		"appends":                  {"phases[0].clients[1].workload={records: 20000, insert_order: ordered, zero_padding: 9}", "phases[2].clients[0].workload={operations: 12000, insert: 0.8, delete: 0.1, scan: 0.1, request_distribution: latest, insert_order: ordered, zero_padding: 9}"},
		"ranges of threads":        {"phases[0].clients[1].workload={records: 20000, insert_order: ranges}", "phases[2].clients=[{table: hot, threads: 2, workload: {operations: 9000, insert: 0.5, update: 0.5, insert_order: ranges}}, {table: hot, threads: 3, workload: {operations: 5000, insert: 0.7, scan: 0.3, insert_order: ranges}}]"},
		"partitions":               {"tables[1]={name: hot, partitions: {hash: 2, ranges: 4}}", "phases[0].clients[1].workload={records: 20000, insert_order: ordered, zero_padding: 9}", "phases[2].clients[0].workload={operations: 12000, insert: 0.6, delete: 0.2, scan: 0.2, request_distribution: latest, insert_order: ordered, zero_padding: 9}"},
		"partitions of loadgen":    {"tables[1]={name: hot, partitions: {ranges: 3}}", "phases[0].clients[1].workload={records: 20000, insert_order: ranges}", "phases[2].clients[0].workload.insert_order=ranges"},
		"ordered with two clients": {"phases[0].clients=[{table: hot, threads: 2, workload: {records: 9000, insert_order: ordered}}, {table: hot, threads: 3, workload: {records: 11000, insert_order: ordered}}, {table: cold, workload: {records: 8000}}]", "phases[2].clients[0].workload.insert_order=ordered"},
		"cold presence checks":     {"machine={base: kudu-2core-vm, disk: {bloom_block_rows: 20, cold_read: 200us, key_block_rows: 20}}", "server.ram=24MiB", "server.block_cache=100kB", "phases[1].clients[0].workload={operations: 9000, scan: 0.2, update: 0.4, insert: 0.2, delete: 0.1, upsert: 0.1}"},
		"read-modify-write":        {"phases[1].clients[0].workload={operations: 9000, read: 0.5, read_modify_write: 0.5}", "phases[2].clients[0].workload={operations: 9000, read_modify_write: 0.4, insert: 0.6}", "phases[1].clients[1].session.buffers=1"},
	}
}

func TestEnginesAgreeOnShapes(t *testing.T) {
	for name, sets := range shapeCases() {
		for _, session := range [][]string{nil, {"phases[1].clients[0].session.buffer_ops=3", "phases[2].clients[0].session.flush_interval=2ms", "server.memory_limit=14MiB"}} {
			t.Run(name+" "+strings.Join(session, " "), func(t *testing.T) {
				t.Parallel()
				enginesAgree(t, testdata(t, "busy", append(slices.Clip(sets), session...)...))
			})
		}
	}
}

func enginesAgree(t *testing.T, e *configs.Experiment) {
	t.Helper()
	spec := policies.WorkloadScaled()
	values, err := spec.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := fingerprint(runLine(t, e, spec, values, Options{Reference: true}))
	if fast := fingerprint(runLine(t, e, spec, values, Options{})); plain != fast {
		t.Errorf("engines differ:\nplain %s\nfast  %s", plain, fast)
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
		for us, count := range l.Buckets() {
			fmt.Fprintln(h, us, count)
		}
	}
	fmt.Fprintln(h, run.Phases, run.Samples, run.ServerSamples, run.Waits, run.Stuck, run.Totals, run.Warnings)
	for _, op := range run.Ops {
		fmt.Fprintln(h, op)
	}
	return fmt.Sprintf("%x end %d ops %d waits %d totals %+v", h.Sum(nil)[:8], run.End, len(run.Ops), len(run.Waits), run.Totals)
}
