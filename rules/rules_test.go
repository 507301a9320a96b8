package rules

import (
	"reflect"
	"testing"
)

func TestDifferencesListTheFieldsOfSet(t *testing.T) {
	set := reflect.TypeFor[Set]()
	if set.NumField() != len(Differences) {
		t.Fatalf("%d fields, %d differences", set.NumField(), len(Differences))
	}
	for i, d := range Differences {
		if name := set.Field(i).Tag.Get("yaml"); name != d.Name {
			t.Errorf("field %d is %s, difference %s", i, name, d.Name)
		}
		if d.Since > len(Profiles) {
			t.Errorf("%s came with a profile that there is not", d.Name)
		}
	}
}

// TestProfiles holds the table of what changed between the versions.
func TestProfiles(t *testing.T) {
	old := []string{"flush_by_time", "skip_empty_memrowset", "flush_by_excess", "dms_ties_by_size", "dms_weighs_memory", "log_retention_by_size", "early_pressure",
		"pressure_falls_through", "pressure_by_wal", "data_gc", "cached_stats", "approximate_search", "small_rowset_value", "small_by_full_size", "small_value_floor",
		"veto_known_undo_only", "immediate_loop", "failed_prepare_frees_thread", "cancel_before_wait", "recheck_cancelled"}
	later := []string{"flush_at_threshold", "dms_age_of_oldest", "undo_gc_drops_stats", "ancient_undo_veto", "disable_compaction", "complete_without_lock",
		"register_without_lock", "enable_at_runtime"}
	newest := []string{"pressure_skip", "weigh_undo"}
	for _, test := range []struct {
		profile string
		budget  int64
		on      [][]string
	}{
		{"kudu-1.12", 128 << 20, [][]string{old}},
		{"kudu-1.18", 128 << 20, [][]string{old, later}},
		{"kudu-1.19", 256 << 20, [][]string{old, later, newest}},
	} {
		want := map[string]bool{}
		for _, names := range test.on {
			for _, n := range names {
				want[n] = true
			}
		}
		p, set, ok := Of(test.profile)
		if !ok || p.CompactionBudget != test.budget {
			t.Errorf("%s: found %v, budget %d", test.profile, ok, p.CompactionBudget)
		}
		for i, d := range Differences {
			if set.On(i) != want[d.Name] {
				t.Errorf("%s: %s is %v", test.profile, d.Name, set.On(i))
			}
		}
	}
	if _, _, ok := Of("kudu-2.0"); ok {
		t.Error("kudu-2.0 is a profile")
	}
}
