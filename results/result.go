package results

// ResultFile is the file of a result's figures in its folder: what a text leaves out is there.
const ResultFile = "result.json"

// Result is everything that the runs of one experiment left: enough to draw and judge it again.
type Result struct {
	Experiment []byte           // the resolved experiment as YAML
	Seed       uint64           //
	Scale      float64          //
	Runs       []*Run           // by policy line, in the experiment's order
	Verdicts   [][]TableVerdict // by run, then table
	Stuck      [][]StuckGroup   // by run, then table and reason
}

// Join puts results of single policy lines of one experiment together, in their order.
func Join(parts []*Result) *Result {
	whole := *parts[0]
	for _, part := range parts[1:] {
		whole.Runs = append(whole.Runs, part.Runs...)
		whole.Verdicts = append(whole.Verdicts, part.Verdicts...)
		whole.Stuck = append(whole.Stuck, part.Stuck...)
	}
	return &whole
}

// Forget lets go of the ops, waits and samples of the runs, which may be many: result.json holds none of them.
func (r *Result) Forget() {
	for _, run := range r.Runs {
		run.Ops, run.Waits, run.Samples = nil, nil, nil
	}
}
