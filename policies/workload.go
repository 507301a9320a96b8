package policies

// workload turns the rates of a tablet into Kudu's workload score (Kudu's Tablet::CollectAndUpdateWorkloadStats).
type workload struct {
	bound    float64 // workload_score_upper_bound
	hotScans float64 // scans_started_per_sec_for_hot_tablets
	hotRows  float64 // rows_written_per_sec_for_hot_tablets
}

// score is the workload score of row i, from 0 to bound: scans alone count for flushes, scans and written rows for
// compactions; other kinds get none.
func (w workload) score(c *Candidates, i int) float64 {
	kind := c.Kind[i]
	if !kind.IsFlush() && !kind.IsCompaction() {
		return 0
	}
	read := float64(min(1, c.ScansPerSec[i]/w.hotScans) * w.bound)
	if kind.IsFlush() {
		return read
	}
	write := float64(min(1, c.RowsPerSec[i]/w.hotRows) * w.bound)
	return min(w.bound, read+write)
}

// boundParam declares the parameter "bound".
func boundParam(byDefault float64) Param {
	return Param{Name: "bound", Type: Float, Default: byDefault, Min: 0, Max: 1e6,
		Help: "Highest workload score a tablet can get (Kudu's workload_score_upper_bound); 0 switches it off."}
}

// hotParams declare the rates at which a tablet counts as hot, with the defaults of Kudu's flags.
func hotParams() []Param {
	return []Param{
		{Name: "hot_scans_per_sec", Type: Float, Default: 1.0, Min: 1e-6, Max: 1e9,
			Help: "Scans a second at which a tablet gets the whole bound for reads."},
		{Name: "hot_rows_per_sec", Type: Float, Default: 1000.0, Min: 1e-6, Max: 1e9,
			Help: "Rows written a second at which a tablet gets the whole bound for writes."},
	}
}

// newWorkload reads what boundParam and hotParams declare.
func newWorkload(v Values) workload {
	return workload{bound: v.Float("bound"), hotScans: v.Float("hot_scans_per_sec"), hotRows: v.Float("hot_rows_per_sec")}
}

// workloadColumns are the columns that workload reads.
const workloadColumns = ColScansPerSec | ColRowsPerSec
