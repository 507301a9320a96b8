package kudu

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestFlags(t *testing.T) {
	f := flags{"a": "b", "flush_threshold_mb": "64", "tablet_history_max_age_sec": "3600",
		"compaction_minimum_improvement": "0.0099999997764825821", "compaction_approximation_ratio": "1.0499999523162842", "memory_limit_hard_bytes": "0",
		"maintenance_manager_polling_interval_ms": "100", "enable_maintenance_manager": "false", "enable_log_gc": "false", "workload_score_upper_bound": "10",
		"enable_workload_score_for_perf_improvement_ops": "true", "scans_started_per_sec_for_hot_tablets": "50", "rows_writed_per_sec_for_hot_tablets": "1000",
		"max_priority_range": "5", "maintenance_op_multiplier": "1.2000000000000002", "rowset_compaction_ancient_delta_threshold_enabled": "false",
		"all_delete_op_delta_file_cnt_for_compaction": "18446744073709551615", "rowset_compaction_memory_estimate_enabled": "true"}
	groups, notes := f.settings("kudu-1.18", []setting{{"server.memory_limit", "4.00GiB"}})
	if diff := cmp.Diff(map[string][]setting{
		"server":      {{"memory_limit", "4.00GiB"}},
		"maintenance": {{"enabled", "false"}, {"flush_threshold", "64MiB"}, {"polling_interval", "100ms"}, {"priority_multiplier", "1.2000000000000002"}, {"history_max_age", "3600s"}},
	}, groups, cmp.AllowUnexported(setting{}), cmpopts.SortSlices(func(a, b setting) bool { return a.key < b.key })); diff != "" || len(notes) > 0 {
		t.Errorf("settings:\n%s%v", diff, notes)
	}
	if got := f.off(); !slices.Equal(got, []string{"LogGCOp"}) {
		t.Errorf("off: %v", got)
	}
	if got := flow(f.rules("kudu-1.18")); got != "{memory_budget: on, ancient_undo_veto: off}" {
		t.Errorf("rules: %s", got)
	}
	if got := flow(f.policy()); got != "{bound: 10, hot_scans_per_sec: 50, multiplier: 1.2000000000000002}" {
		t.Errorf("policy: %s", got)
	}
}

func TestProfileOf(t *testing.T) {
	for _, tt := range []struct {
		major, minor int
		want         string
	}{{1, 12, "kudu-1.12 true"}, {1, 15, "kudu-1.12 false"}, {1, 16, "kudu-1.18 false"}, {1, 18, "kudu-1.18 true"}, {1, 19, "kudu-1.19 true"},
		{1, 20, "kudu-1.19 false"}, {2, 0, "kudu-1.19 false"}, {1, 9, "kudu-1.12 false"}} {
		profile, near := profileOf(tt.major, tt.minor)
		if got := fmt.Sprint(profile, " ", near); got != tt.want {
			t.Errorf("%d.%d: %s, want %s", tt.major, tt.minor, got, tt.want)
		}
	}
}
