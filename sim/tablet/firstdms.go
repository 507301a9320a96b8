package tablet

// FirstDMS is BestDMS as it was before Kudu's b7f05eb1c: of stores that score the same it takes the first in the order of the rowsets, however small.
func (r *Replica) FirstDMS(usedPercent float64) (best *Rowset, retained, oldest int64) {
	var bestScore float64
	for _, rs := range r.Rowsets {
		if rs.DMS.Rows == 0 {
			continue
		}
		replay := r.WAL.Retained(rs.DMS.Anchor)
		score := float64(float64(rs.DMS.Bytes)*usedPercent) + float64(float64(replay)*(100-usedPercent))
		if best == nil || score > bestScore {
			best, bestScore, retained = rs, score, replay
		}
	}
	if best == nil {
		return nil, 0, 0
	}
	return best, retained, r.dms[0].DMS.Since
}
