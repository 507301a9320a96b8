package sim

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/results"
)

// historyDefaults lie under every experiment: today's rules on one server with one replica, and a machine that does not change when others are measured anew.
const historyDefaults = `
name: history
profile: kudu-1.19
cluster: {servers: 1, replication: 1}
machine:
  cores: 16
  core_worth: 1
  clients_share: false
  client: {append_hot: 9us, append_cold: 18us, append_spread: 0.3, between: 3us, scan: 145us, retry_base: 1ms, retry_cap: 12}
  network: {round_trip: 100us, replicate: 200us}
  scan: {fixed: 105us, iterate: 8.5us, seek: 14.6us, redo_file: 20us, spread: 0.35}
  write: {dispatch: 90us, fixed: 570us, row: 2.5us, apply_fixed: 490us, apply_row: 3.1us, bloom: 0.69us, bloom_batch: 0.34us, spread: 0.3}
  store: {mrs_row: 284B, disk_row: 32.7, full_row: 10.8, undo_row: 8.4, rowset_fixed: 5000B, dms_row: 100B, redo_row: 40B, wal_row: 40B, wal_batch: 200B}
  disk: {bandwidth: 500MB/s, devices: 1, stripes: 1, cold_read: 300us, key_block_rows: 170, data_block_rows: 128}
  op: {flush_fixed: 18ms, flush_mib: 9ms, flush_sync: 0s, dms_fixed: 12ms, dms_mib: 20ms, compact_fixed: 100ms, compact_mib: 10ms, compact_input_mib: 270us, delta_fixed: 20ms,
    delta_row: 4.7us, log_gc: 8ms, undo_gc: 40us, undo_open: 15us, undo_free: 11ms, undo_free_block: 80us, launch: 0s, start: 0s, start_idle: 0s,
    spread: 0, flush_spread: 0, decide_op: 0s, decide_rowset: 0s}
policies: [{policy: raw}]
series: {interval: 10s}
`

// experiment gives a scenario's experiment with more laid over it. Keys that only scenarios know are taken out before.
func (s *scenario) experiment(input string, own ...string) (*configs.Experiment, map[string]any, error) {
	text, extra, err := laidOver(own, historyDefaults, s.base, input)
	if err != nil {
		return nil, nil, err
	}
	doc, err := configs.Parse("experiment", text)
	if err != nil {
		return nil, nil, fmt.Errorf("%w in\n%s", err, text)
	}
	return doc.Experiment, extra, nil
}

// historyRun is what a run left, and what its cluster was at the end.
type historyRun struct {
	*results.Run
	world *world
}

// run plays the experiment under its first policy.
func (s *scenario) run(input string) (outcome, error) {
	e, _, err := s.experiment(input)
	if err != nil {
		return nil, err
	}
	l := e.Policies[0]
	policy, err := policyOf(l.Policy, l.Params)
	if err != nil {
		return nil, err
	}
	w, err := newWorld(e, policy, false, 0)
	if err != nil {
		return nil, err
	}
	done := int64(0)
	for i := range e.Phases {
		n, err := w.phase(context.Background(), i, false, func(int64) {})
		if err != nil {
			return nil, err
		}
		done += n
	}
	out, err := w.log.result(Line{Name: l.Name, Policy: l.Policy}, done)
	if err != nil {
		return nil, err
	}
	w.log.handOver(out)
	return &historyRun{out, w}, nil
}

// String counts the ops by kind.
func (p *historyRun) String() string {
	counts := map[string]int{}
	for i := range p.Ops {
		counts[p.Ops[i].Kind]++
	}
	text := []string{time.Duration(p.End).Round(time.Second).String()}
	for k := range policies.NumKinds {
		if n := counts[k.String()]; n > 0 {
			text = append(text, fmt.Sprintf("%d %v", n, k))
		}
	}
	return strings.Join(text, ", ")
}
