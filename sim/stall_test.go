package sim

import (
	"context"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/policies"
)

// TestStall: with maintenance off, memory fills up and no write is ever taken again.
func TestStall(t *testing.T) {
	const want = `policy line "raw", phase "load": it can't end: for 24 h of simulated time all writes were rejected, and no flush frees memory (server 0 uses 100.`
	if err := stalled(t, empty, "{name: load, clients: [{table: t, threads: 1, workload: {records: 1_000_000}}]}"); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	if err := stalled(t, empty, "{name: load, duration: 30h, clients: [{table: t, threads: 1, target: 10 ops/s, workload: {insert: 1}}], events: [{after: 29h, manager: on}]}"); err != nil {
		t.Errorf("a phase that ends by itself: error %v", err)
	}
	rare := strings.Replace(empty, "{enabled: off}", "{polling_interval: 100h}", 1)
	if err := stalled(t, rare, "{name: load, clients: [{table: t, threads: 1, workload: {records: 100_000}}]}"); err != nil {
		t.Errorf("a manager that looks every 100 h: error %v", err)
	}
}

const empty = `
name: x
cluster: {servers: 1, replication: 1}
server: {memory_limit: 64MiB, block_cache: 1MiB, base_memory: 1MiB}
maintenance: {enabled: off}
tables: [{name: t, tablets: 1}]
policies: [{policy: raw}]
`

func stalled(t *testing.T, experiment, phase string) error {
	t.Helper()
	doc, err := configs.Parse("x.yaml", []byte(experiment+"phases: ["+phase+"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), doc.Experiment, line(t, policies.Raw(), nil), Options{})
	return err
}
