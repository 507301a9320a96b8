package fidelity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// runOps is what ran on a server in the course of a run, real or simulated. Times are seconds from when compaction was switched on.
type runOps struct {
	ops     []runOp
	heights map[string][]heightAt // by tablet, in the order of time
	scans   []scanWindow
}

// runOp is a maintenance op.
type runOp struct {
	kind, tablet string // CompactRowSets, ta/3
	start, end   float64
	score        float64 // NaN where none was asked for
	written      float64 // bytes
	inputs       int
}

// heightAt is the average height of a tablet at one time.
type heightAt struct{ t, height float64 }

// scanWindow is the server's mean time of the scans of one stretch of time, in us.
type scanWindow struct{ from, to, mean float64 }

// measuredRun reads a recorded run.
func measuredRun(folder string) (*runOps, error) {
	out := &runOps{heights: map[string][]heightAt{}}
	ops, err := table(folder + "/ops.tsv")
	if err != nil {
		return nil, err
	}
	var bad error
	number := func(row map[string]string, column string) float64 {
		if row[column] == "" || row[column] == "unfinished" {
			return math.NaN()
		}
		v, err := strconv.ParseFloat(row[column], 64)
		if err != nil && bad == nil {
			bad = fmt.Errorf("measured data %s, column %s: %w", folder, column, err)
		}
		return v
	}
	for _, row := range ops {
		op := runOp{kind: row["op"], tablet: row["tablet"], start: number(row, "start_s"), score: math.NaN(), written: number(row, "bytes_written")}
		op.end = op.start + number(row, "seconds")
		if inputs := number(row, "input_rowsets"); !math.IsNaN(inputs) {
			op.inputs = int(inputs)
		}
		if text, ok := strings.CutPrefix(row["reason"], "perf score="); ok {
			if op.score, err = strconv.ParseFloat(text, 64); err != nil {
				return nil, fmt.Errorf("measured data %s, reason %q: %w", folder, row["reason"], err)
			}
		}
		out.ops = append(out.ops, op)
	}
	heights, err := table(folder + "/height.tsv")
	if err != nil {
		return nil, err
	}
	for _, row := range heights {
		t := number(row, "t_s")
		for tablet := range row {
			if tablet != "t_s" {
				out.heights[tablet] = append(out.heights[tablet], heightAt{t, number(row, tablet)})
			}
		}
	}
	if scans, err := table(folder + "/server-scan.tsv"); err == nil { // runs without clients that scan have none
		for _, row := range scans {
			out.scans = append(out.scans, scanWindow{number(row, "from_s"), number(row, "to_s"), number(row, "server_mean_us")})
		}
	}
	return out, bad
}

// compactions are the rowset compactions from time 0 on that had something to do, in the order they were chosen.
func (r *runOps) compactions() (out []runOp) {
	for _, op := range r.ops {
		if op.kind == "CompactRowSets" && op.start >= 0 && op.inputs > 0 {
			out = append(out, op)
		}
	}
	return out
}

// height is a tablet's at a time.
func (r *runOps) height(tablet string, t float64) float64 {
	h := math.NaN()
	for _, at := range r.heights[tablet] {
		if at.t > t {
			break
		}
		h = at.height
	}
	return h
}

// tableOf is the table of a tablet written as table/bucket.
func tableOf(tablet string) string {
	table, _, _ := strings.Cut(tablet, "/")
	return table
}

// meanHeight is the mean height of a table's tablets at a time.
func (r *runOps) meanHeight(table string, t float64) float64 {
	sum, n := 0.0, 0
	for tablet := range r.heights {
		if tableOf(tablet) == table {
			n++
		}
	}
	for i := range n {
		sum += r.height(fmt.Sprintf("%s/%d", table, i), t)
	}
	return sum / float64(n)
}

// reached is when the last of a table's tablets first was at most so high; NaN if one never was.
func (r *runOps) reached(table string, most float64) float64 {
	last := math.Inf(-1)
	for tablet, heights := range r.heights {
		if tableOf(tablet) != table {
			continue
		}
		first := math.NaN()
		for _, at := range heights {
			if at.height <= most {
				first = at.t
				break
			}
		}
		last = max(last, first) // NaN stays NaN
	}
	return last
}

// count is the number of ops of a kind on a table that were chosen between two times.
func (r *runOps) count(kind, table string, from, to float64) (n int) {
	for _, op := range r.ops {
		if op.kind == kind && tableOf(op.tablet) == table && op.start >= from && op.start < to {
			n++
		}
	}
	return n
}
