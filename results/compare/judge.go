package compare

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// Agreement says how a simulated change compares with the measured one.
type Agreement string

// Agreements. A change below StillPercent counts as none. Judging looks at the direction alone, not at the size.
const (
	SameDirection Agreement = "same direction" // both move the same way
	BothStill     Agreement = "both still"     // neither moves
	NoChange      Agreement = "no change"      // the review's moves, the simulated one does not
	OnlySimulated Agreement = "only simulated" // the simulated one moves, the review's does not
	Opposite      Agreement = "opposite"       // they move against each other
	NotSimulated  Agreement = "not simulated"  // there is no simulated change to judge
	TooFew        Agreement = "can't be told"  // there are fewer operations than the percentile needs
)

// StillPercent is the change in percent from which on a figure is said to move. Figures of a few microseconds are whole
// numbers, so their smallest possible change is far above it.
const StillPercent = 2

// Judgement compares one measured figure's change with the simulated change between the lines that play its roles.
type Judgement struct {
	Row       Row
	Review    float64 // change in percent
	Simulated float64 // change in percent; NaN without one
	Agreement Agreement
}

// Judge judges every measured row, in the order of Rows.
func (c *Comparison) Judge() []Judgement {
	var judgements []Judgement
	for _, row := range c.Rows {
		review := row.ReviewChange()
		if math.IsNaN(review) {
			continue
		}
		j := Judgement{row, review, math.NaN(), NotSimulated}
		if c.Before >= 0 && c.After >= 0 {
			j.Simulated = change(row.Values[c.Before], row.Values[c.After])
			j.Agreement = agreement(review, j.Simulated)
			if row.tooFew(c.Before) || row.tooFew(c.After) {
				j.Agreement = TooFew
			}
		}
		judgements = append(judgements, j)
	}
	return judgements
}

func agreement(review, simulated float64) Agreement {
	r, s := direction(review), direction(simulated)
	switch {
	case math.IsNaN(simulated):
		return NotSimulated
	case r == s && r == 0:
		return BothStill
	case r == s:
		return SameDirection
	case s == 0:
		return NoChange
	case r == 0:
		return OnlySimulated
	default:
		return Opposite
	}
}

// direction is -1, 0 or 1.
func direction(percent float64) int {
	switch {
	case percent <= -StillPercent:
		return -1
	case percent >= StillPercent:
		return 1
	default:
		return 0
	}
}

// WriteJudgement prints each measured row's change beside the simulated one, and how many agree.
func (c *Comparison) WriteJudgement(w io.Writer) error {
	judgements := c.Judge()
	out := bufio.NewWriter(w)
	width, count := 0, map[Agreement]int{}
	for i := range judgements {
		width = max(width, len(judgements[i].Row.Label()))
	}
	for _, j := range judgements {
		simulated, verdict := percent(j.Simulated), string(j.Agreement)
		if j.Agreement == TooFew {
			simulated = "-"
			verdict += fmt.Sprintf(" of %d and %d operations", j.Row.Counts[c.Before], j.Row.Counts[c.After])
		}
		fmt.Fprintf(out, "phase %s  %s  review %7s  simulated %7s  %s\n", j.Row.Phase, padRight(j.Row.Label(), width), percent(j.Review), simulated, verdict)
		count[j.Agreement]++
	}
	if n := count[TooFew]; n > 0 {
		fmt.Fprintf(out, "%d rows can't be told: the percentile needs more operations than were simulated (%s)\n", n, strings.Join(c.needs(), ", "))
	}
	fmt.Fprintf(out, "of %d rows %d move in the same direction, %d in the opposite one; %d stand still in both; %d move only in the review, %d only here (a change below %d %% counts as none)\n",
		len(judgements), count[SameDirection], count[Opposite], count[BothStill], count[NoChange], count[OnlySimulated], StillPercent)
	return out.Flush()
}
