package sim

import (
	"math"
	"testing"
)

// TestCompactionScores: two rowsets over the same keys leave one, so that compaction takes about 1 of the height; that it is switched off makes no difference.
func TestCompactionScores(t *testing.T) {
	e := found(t, "tablets: 3", `
  - table: t
    tablet: 2
    rowsets:
      - {rows: 30000, span: [0, 1]}
      - {rows: 30000, span: [0, 1]}
`, "maintenance.off=[CompactRowSetsOp]")
	scores, err := CompactionScores(e)
	if err != nil || len(scores) != 1 || len(scores[0]) != 3 {
		t.Fatalf("scores %v, error %v", scores, err)
	}
	if s := scores[0]; s[0] != 0 || s[1] != 0 || math.Abs(s[2]-1) > 0.05 {
		t.Errorf("scores %v, want 0, 0 and about 1", s)
	}
}
