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
	doc, err := configs.Parse("x.yaml", []byte(`
name: x
cluster: {servers: 1, replication: 1}
server: {memory_limit: 64MiB, block_cache: 1MiB, base_memory: 1MiB}
maintenance: {enabled: off}
tables: [{name: t, tablets: 1}]
phases: [{name: load, clients: [{table: t, threads: 1, workload: {records: 1_000_000}}]}]
policies: [{policy: raw}]
`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), doc.Experiment, line(t, policies.Raw(), nil), Options{})
	const want = `policy line "raw", phase "load": it can't end: for 24h`
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "all writes were rejected, and no flush frees memory (server 0 uses 100.") {
		t.Errorf("error %v", err)
	}
}
