package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"mmsim/results"
)

// Files in the folder of a policy line.
const (
	latencyFile = "latency.hlog"
	opsFile     = "ops.tsv"
	seriesFile  = "series.tsv"
	serversFile = "servers.tsv"
	waitsFile   = "waits.tsv"
	stuckFile   = "stuck.tsv"
)

// WriteRun writes what one policy line left into a folder of the line's name. Several lines may be written at once.
func (f *Folder) WriteRun(run *results.Run) error {
	if err := check(run); err != nil {
		return fmt.Errorf("policy line %q: %w", run.Line, err)
	}
	dir := f.Path(run.Line)
	if err := os.MkdirAll(dir, 0o777); err != nil { // the policy's log may lie there
		return err
	}
	return errors.Join(
		writeLatencies(filepath.Join(dir, latencyFile), run),
		writeOps(filepath.Join(dir, opsFile), run),
		writeSeries(filepath.Join(dir, seriesFile), run),
		writeServers(filepath.Join(dir, serversFile), run),
		writeWaits(filepath.Join(dir, waitsFile), run),
		writeStuck(filepath.Join(dir, stuckFile), run),
	)
}

// openRun reads a run but for its ops, series and waits: result.json's part and the latencies.
func openRun(dir string, line *lineResult) (*results.Run, error) {
	run := &results.Run{
		Line: line.Line, Policy: line.Policy, End: line.End, Operations: line.Operations, Servers: line.Servers,
		Tables: line.Tables, Phases: line.Phases, Totals: line.Totals, Warnings: line.Warnings,
	}
	if err := check(run); err != nil {
		return nil, fmt.Errorf("policy line %q: %w", run.Line, err)
	}
	return run, readLatencies(filepath.Join(dir, run.Line, latencyFile), run, line.Latencies)
}

// check refuses a run that could not be read again: names that the files' formats can't hold, positions out of range.
func check(run *results.Run) error {
	if slices.Contains(known, run.Line) || run.Line == markFile || strings.HasPrefix(run.Line, ".") || badName(run.Line) {
		return errors.New("the name can't be a folder's")
	}
	for _, t := range run.Tables {
		if badName(t.Name) {
			return fmt.Errorf("table name %q: want letters, digits and punctuation other than / , ( )", t.Name)
		}
	}
	for _, p := range run.Phases {
		if badName(p.Name) {
			return fmt.Errorf("phase name %q: want letters, digits and punctuation other than / , ( )", p.Name)
		}
	}
	inRange := func(server, table int) bool {
		return server >= 0 && server < run.Servers && table >= 0 && table < len(run.Tables)
	}
	for i, o := range run.Ops {
		if !inRange(o.Server, o.Table) {
			return fmt.Errorf("op %d: no server %d or table %d", i, o.Server, o.Table)
		}
	}
	for i, w := range run.Waits {
		if !inRange(w.Server, w.Table) {
			return fmt.Errorf("wait %d: no server %d or table %d", i, w.Server, w.Table)
		}
	}
	for i, s := range run.Stuck {
		if !inRange(s.Server, s.Table) {
			return fmt.Errorf("stuck compaction %d: no server %d or table %d", i, s.Server, s.Table)
		}
	}
	for i, s := range run.Samples {
		if !inRange(0, s.Table) {
			return fmt.Errorf("sample %d: no table %d", i, s.Table)
		}
	}
	for i, s := range run.ServerSamples {
		if s.Server < 0 || s.Server >= run.Servers {
			return fmt.Errorf("sample %d of servers: no server %d", i, s.Server)
		}
	}
	return nil
}

// badName says whether a name is empty or holds a character that separates names in the files.
func badName(name string) bool {
	return name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return strings.ContainsRune(`/\,()`, r) || unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}
