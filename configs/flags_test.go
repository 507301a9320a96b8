package configs

import "testing"

func TestFlagKey(t *testing.T) {
	for flag, want := range map[string]string{"flush_threshold_mb": "maintenance.flush_threshold", "memory_limit_hard_bytes": "server.memory_limit",
		"kudu.table.maintenance_priority": "", "no_such_flag": ""} {
		if got, ok := FlagKey(flag); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", flag, got, ok, want)
		}
	}
}
