package sim

import (
	"mmsim/configs"
	"mmsim/policies"
)

// CompactionScores gives, by table and tablet, what the compaction policy makes of each tablet as an experiment begins: what a rowset compaction is
// worth before workload and priority, whether or not compaction is switched on.
func CompactionScores(e *configs.Experiment) ([][]float64, error) {
	policy, err := policies.Raw().New(policies.Values{})
	if err != nil {
		return nil, err
	}
	w, err := newWorld(e, policy, false, 0)
	if err != nil {
		return nil, err
	}
	scores := make([][]float64, len(e.Tables))
	for i := range w.cluster.Tablets {
		t := &w.cluster.Tablets[i]
		score, err := w.managers[t.Replicas[0].Server.ID].CompactionScore(int32(i))
		if err != nil {
			return nil, err
		}
		scores[t.Table] = append(scores[t.Table], score)
	}
	return scores, nil
}
