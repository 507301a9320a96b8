package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mmsim/files"
	"mmsim/reading"
	"mmsim/results"
)

// Schema is the version of the layout of the result folder that this package writes and reads.
const Schema = 2

const program = "mmsim" // marks a result.json as ours

// resultFile is the content of result.json.
type resultFile struct {
	Program string       `json:"program"`
	Schema  int          `json:"schema"`
	Seed    uint64       `json:"seed"`
	Scale   float64      `json:"scale"`
	Lines   []lineResult `json:"lines"`
}

type lineResult struct {
	Line       string                 `json:"line"`
	Policy     string                 `json:"policy"`
	End        int64                  `json:"end_ns"`
	Operations int64                  `json:"operations"`
	Servers    int                    `json:"servers"`
	Tables     []results.Table        `json:"tables"`
	Phases     []results.Phase        `json:"phases"`
	Latencies  []latencyResult        `json:"latencies"`
	Verdicts   []results.TableVerdict `json:"starvation"`
	Totals     results.Totals         `json:"totals"`
	Stuck      []results.StuckGroup   `json:"stuck"`
	Warnings   []results.Warning      `json:"warnings,omitempty"`
}

type latencyResult struct {
	Phase    string `json:"phase"`
	Table    string `json:"table"`
	Op       string `json:"op"`
	Count    int64  `json:"count"`
	SumNs    int64  `json:"sum_ns"`
	*Figures        // missing without operations
}

// Figures sum a Latency up in result.json, in microseconds. All but the mean are as YCSB prints them. A percentile that needs more
// operations than there are is null.
type Figures struct {
	Mean  float64        `json:"mean_us"` // exact
	Avg   float64        `json:"avg_us"`
	Min   float64        `json:"min_us"`
	P50   results.Number `json:"p50_us"`
	P90   results.Number `json:"p90_us"`
	P95   results.Number `json:"p95_us"`
	P99   results.Number `json:"p99_us"`
	P999  results.Number `json:"p99.9_us"`
	P9999 results.Number `json:"p99.99_us"`
	P5x9  results.Number `json:"p99.999_us"`
	Max   float64        `json:"max_us"`
}

func summarise(l *results.Latency) latencyResult {
	s := latencyResult{Phase: l.Phase, Table: l.Table, Op: l.Op, Count: l.Count, SumNs: l.SumNs}
	if l.Count > 0 {
		s.Figures = &Figures{
			Mean: l.Mean(), Avg: l.Stat("avg"), Min: l.Stat("min"), Max: l.Stat("max"),
			P50: results.Number(l.Stat("p50")), P90: results.Number(l.Stat("p90")), P95: results.Number(l.Stat("p95")), P99: results.Number(l.Stat("p99")),
			P999: results.Number(l.Stat("p99.9")), P9999: results.Number(l.Stat("p99.99")), P5x9: results.Number(l.Stat("p99.999")),
		}
	}
	return s
}

// WriteResult writes result.json. The runs themselves are written by WriteRun.
func (f *Folder) WriteResult(r *results.Result) error {
	if len(r.Verdicts) != len(r.Runs) || len(r.Stuck) != len(r.Runs) {
		return fmt.Errorf("%d runs, of which %d were judged", len(r.Runs), min(len(r.Verdicts), len(r.Stuck)))
	}
	file := resultFile{Program: program, Schema: Schema, Seed: r.Seed, Scale: r.Scale, Lines: []lineResult{}}
	for i, run := range r.Runs {
		line := lineResult{
			Line: run.Line, Policy: run.Policy, End: run.End, Operations: run.Operations, Servers: run.Servers,
			Tables: run.Tables, Phases: run.Phases, Latencies: []latencyResult{}, Verdicts: r.Verdicts[i], Totals: run.Totals, Stuck: r.Stuck[i], Warnings: run.Warnings,
		}
		for k := range run.Latencies {
			line.Latencies = append(line.Latencies, summarise(&run.Latencies[k]))
		}
		file.Lines = append(file.Lines, line)
	}
	return writeJSON(f.Path(results.ResultFile), file)
}

// resultHead is what results of any schema have in common.
type resultHead struct {
	Program string `json:"program"`
	Schema  int    `json:"schema"`
	Lines   []struct {
		Line string `json:"line"`
	} `json:"lines"`
}

// headOf reads the head of the result in dir, of any schema; an error says that dir holds none.
func headOf(dir string) (*resultHead, error) {
	var head resultHead
	path := filepath.Join(dir, results.ResultFile)
	if err := readJSON(path, &head); err != nil {
		return nil, err
	}
	if head.Program != program {
		return nil, fmt.Errorf("%s is not of mmsim but of %q", path, head.Program)
	}
	return &head, nil
}

// An IncompleteError says that a run did not end, so that its folder is no result.
type IncompleteError struct{ Dir string }

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("%s is the folder of a run that has not ended or was interrupted: run it again", e.Dir)
}

// A SchemaError says that a result has a layout that this version of mmsim does not know.
type SchemaError struct {
	Dir    string
	Schema int
}

func (e *SchemaError) Error() string {
	return fmt.Sprintf("%s has schema %d, this mmsim reads schema %d: draw it with the mmsim that wrote it", e.Dir, e.Schema, Schema)
}

// incompleteAt names the incomplete folder that stands at dir, or beside dir while there is nothing at dir itself.
func incompleteAt(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, markFile)); err == nil {
		return dir
	}
	beside := filepath.Clean(dir) + ".incomplete"
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(beside, markFile)); err == nil {
			return beside
		}
	}
	return ""
}

func open(dir, path string) (*results.Result, error) {
	var file resultFile
	if err := readJSON(path, &file); err != nil {
		return nil, err
	}
	experiment, err := os.ReadFile(filepath.Join(dir, ExperimentFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, ExperimentFile), reading.Cause(err))
	}
	if experiment, err = files.Unsealed(experiment); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, ExperimentFile), err)
	}
	r := &results.Result{Experiment: experiment, Seed: file.Seed, Scale: file.Scale}
	for i := range file.Lines {
		run, err := openRun(dir, &file.Lines[i])
		if err != nil {
			return nil, err
		}
		r.Runs = append(r.Runs, run)
		r.Verdicts = append(r.Verdicts, file.Lines[i].Verdicts)
		r.Stuck = append(r.Stuck, file.Lines[i].Stuck)
	}
	return r, nil
}
