package policies

import (
	"fmt"
	"math"
)

// ScoreError is a score that the manager cannot compare.
type ScoreError struct {
	Row           int
	Kind          Kind
	Table, Tablet int32
	Score         float64 // NaN or infinite
}

func (e *ScoreError) Error() string {
	return fmt.Sprintf("score of %v (table %d, tablet %d, row %d) is %v; it must be a finite number",
		e.Kind, e.Table, e.Tablet, e.Row, e.Score)
}

// Validate refuses scores that are NaN or infinite with a *ScoreError for the first such row. scores has Len elements.
func (c *Candidates) Validate(scores []float64) error {
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return &ScoreError{Row: i, Kind: c.Kind[i], Table: c.Table[i], Tablet: c.Tablet[i], Score: s}
		}
	}
	return nil
}
