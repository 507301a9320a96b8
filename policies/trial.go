package policies

import (
	"fmt"
	"math"
	"slices"
)

// trialRow is a made-up op.
type trialRow struct {
	kind      Kind
	tablet    int32 // 0 is hot, 1 cold, each of a table of its own
	perf      float64
	ram, wal  int64
	data      int64
	seconds   float64
	nothing   bool // running it would change nothing, or make an empty file of a few rows
	freesMost bool // it holds most memory
}

const mebi = 1 << 20

// trial is a server after a while of load, in the order in which Kudu lists ops. Each tablet has a compaction: that of the hot one has nothing to gain, nor
// have the stores that were just begun.
var trial = []trialRow{
	{kind: CompactRowSets, tablet: 0, nothing: true},
	{kind: CompactRowSets, tablet: 1, perf: 2.5, seconds: 3},
	{kind: FlushDeltaMemStores, tablet: 0, ram: 4096, seconds: .02, nothing: true},
	{kind: FlushDeltaMemStores, tablet: 1, perf: .4, ram: 26 * mebi, wal: 16 * mebi, seconds: .2},
	{kind: FlushMRS, tablet: 0, ram: 2 * mebi, seconds: .05, nothing: true},
	{kind: FlushMRS, tablet: 1, perf: 736, ram: 1760 * mebi, wal: 1024 * mebi, seconds: 12, freesMost: true},
	{kind: LogGC, tablet: 0, wal: 64 * mebi, seconds: .01},
	{kind: MajorDeltaCompaction, tablet: 1, perf: .2, seconds: 1},
	{kind: MinorDeltaCompaction, tablet: 0, perf: .002, seconds: .3},
	{kind: UndoDeltaBlockGC, tablet: 1, data: 8 * mebi, seconds: .01},
}

// trialCandidates gives the trial as a policy sees it.
func trialCandidates() *Candidates {
	c := &Candidates{}
	for _, r := range trial {
		scans, rows := 0., 0.
		if r.tablet == 0 {
			scans, rows = 200, 5000
		}
		c.Kind, c.Table, c.Tablet = append(c.Kind, r.kind), append(c.Table, r.tablet), append(c.Tablet, r.tablet)
		c.Perf, c.RAM, c.WAL, c.Data = append(c.Perf, r.perf), append(c.RAM, r.ram), append(c.WAL, r.wal), append(c.Data, r.data)
		c.Priority, c.ScansPerSec, c.RowsPerSec = append(c.Priority, 0), append(c.ScansPerSec, scans), append(c.RowsPerSec, rows)
		c.HeightRemoved, c.Bytes = append(c.HeightRemoved, min(r.perf, 3)), append(c.Bytes, int64(r.seconds*50*mebi))
		c.Seconds, c.WaitingSince = append(c.Seconds, r.seconds), append(c.WaitingSince, 30e9)
	}
	return c
}

// Try asks an instance of the policy, which is good for nothing else then, to score a small fixed set of ops, and says what of its scores would make a
// server do what nobody wants: run ops that change nothing, for ever; never run anything; never free memory. Nothing said is no proof of anything.
func (s *Spec) Try(policy Policy) (advice []string, err error) {
	c := trialCandidates()
	scores := make([]float64, c.Len())
	if err := policy.Score(60e9, 0, c, scores); err != nil {
		return nil, err
	}
	if err := c.Validate(scores); err != nil {
		return nil, err
	}
	say := func(format string, args ...any) {
		advice = append(advice, "policy "+s.Name+" "+fmt.Sprintf(format, args...))
	}
	highest, same := math.Inf(-1), true
	for _, score := range scores {
		highest, same = max(highest, score), same && score == scores[0]
	}
	switch {
	case highest <= 0:
		best := slices.Index(c.Perf, slices.Max(c.Perf))
		say("gives none of %d ops of a test a score above 0, not %s with perf %v either: nothing would run for its score", len(trial), trialName(c, best), c.Perf[best])
		return advice, nil
	case same:
		say("gives all %d ops of a test the same score of %v: the first by name would run, again and again", len(trial), highest)
	}
	for i, r := range trial {
		if r.nothing && scores[i] > 0 {
			say("gives %s with perf 0 a score of %v: an op whose perf is 0 or less has nothing to gain and must get a score of 0 or less", trialName(c, i), scores[i])
			break
		}
	}
	if s.RanksEverything {
		advice = append(advice, s.tryAlone(c, scores)...)
	}
	return advice, nil
}

// tryAlone looks at the scores that matter if no rule of Kudu comes before them.
func (s *Spec) tryAlone(c *Candidates, scores []float64) (advice []string) {
	for i, r := range trial {
		if scores[i] > 0 {
			continue
		}
		switch {
		case r.freesMost:
			advice = append(advice, fmt.Sprintf("policy %s ranks everything and gives %s, which holds %d MiB of memory, a score of %v: memory would never be freed", s.Name, trialName(c, i), r.ram/mebi, scores[i]))
		case r.kind == LogGC:
			advice = append(advice, fmt.Sprintf("policy %s ranks everything and gives %s, which frees %d MiB of WAL, a score of %v: the WAL would grow for ever", s.Name, trialName(c, i), r.wal/mebi, scores[i]))
		}
	}
	return advice
}

func trialName(c *Candidates, i int) string {
	heat := [...]string{"hot", "cold"}
	return fmt.Sprintf("%v(%s tablet)", c.Kind[i], heat[c.Tablet[i]])
}
