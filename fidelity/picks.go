package fidelity

import (
	"fmt"
	"math"
	"slices"

	"mmsim/sim/tablet"
)

// layout is a tablet's rowsets and what the real policy answered.
type layout struct {
	Name    string
	Kind    string
	Budget  int64 `json:"budget_mb"`
	Rowsets []struct {
		ID     int64  `json:"id"`
		Min    string `json:"min_key"`
		Max    string `json:"max_key"`
		Weight int64  `json:"weight_bytes"` // 0 = unknown
		Full   int64  `json:"full_bytes"`
	}
	Picked []int64
	Value  float64
	Height float64 `json:"average_height"`
}

// picks asks the compaction policy about every layout that the real one was asked about and whose sizes are known.
func picks() (Section, error) {
	s := Section{Title: "What the compaction policy picks",
		Text: "A real server was asked for its policy's answer on layouts of many shapes; the same layouts, keys and sizes go to mmsim's policy. Sizes are estimated from the number of rows, to a few bytes a row."}
	layouts, err := lines[layout]("compaction-picks.jsonl")
	if err != nil {
		return s, err
	}
	var p tablet.Planner
	known, same, values, heights := 0, 0, 0, 0
	worst := 0.0
	for i := range layouts {
		l := &layouts[i]
		sized, ok, err := l.sized()
		if err != nil {
			return s, err
		}
		if !ok {
			continue
		}
		known++
		policy := tablet.KuduPolicy(l.Budget << 20)
		var out tablet.Selection
		if err := p.Select(&policy, sized, &out); err != nil {
			return s, fmt.Errorf("layout %s: %w", l.Name, err)
		}
		ids := make([]int64, 0, len(out.Picked))
		for _, row := range out.Picked {
			ids = append(ids, l.Rowsets[row].ID)
		}
		slices.Sort(ids)
		slices.Sort(l.Picked)
		if slices.Equal(ids, l.Picked) {
			same++
		} else {
			s.Notes = append(s.Notes, fmt.Sprintf("layout %s: picked %v, the server %v", l.Name, ids, l.Picked))
		}
		off := math.Abs(out.Quality - l.Value)
		worst = max(worst, off)
		if off <= max(0.001, 0.001*l.Value) {
			values++
		}
		if math.Abs(out.Height-l.Height) <= max(0.001, 0.001*l.Height) {
			heights++
		}
	}
	s.Checks = []Check{
		share("layouts with the same rowsets picked", Rule, same, known, known),
		share("values within 0.1 % or 0.001", Rule, values, known, known),
		share("average heights within 0.1 % or 0.001", Rule, heights, known, known),
	}
	s.Notes = append(s.Notes, fmt.Sprintf("the largest difference of a value is %.6f", worst),
		fmt.Sprintf("%d further layouts are left out, as their sizes are not known", len(layouts)-known))
	return s, nil
}

// sized gives the rowsets as the policy sees them; false if a size is not known.
func (l *layout) sized() ([]tablet.Sized, bool, error) {
	var out []tablet.Sized
	for _, r := range l.Rowsets {
		if r.Weight == 0 {
			return nil, false, nil
		}
		span, err := tablet.NewSpan(r.Min, r.Max)
		if err != nil {
			return nil, false, fmt.Errorf("layout %s: %w", l.Name, err)
		}
		out = append(out, tablet.Sized{Span: &span, Weight: r.Weight, Full: r.Full})
	}
	return out, true, nil
}
