package fidelity

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"mmsim/results"
	"mmsim/results/oplog"
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
	inputs       int
}

// heightAt is the average height of a tablet at one time.
type heightAt struct{ t, height float64 }

// scanWindow is the server's mean time of the scans of one stretch of time, in us.
type scanWindow struct{ from, to, mean float64 }

// measuredRun reads a recorded run.
func measuredRun(folder string) (*runOps, error) {
	log, err := measuredLog(folder)
	if err != nil {
		return nil, err
	}
	heights, err := open(folder + "/height.tsv")
	if err != nil {
		return nil, err
	}
	if err := log.ReadHeights(folder+"/height.tsv", heights); err != nil {
		return nil, err
	}
	out := seen(log)
	out.scans, err = measuredScans(folder + "/server-scan.tsv")
	return out, err
}

// measuredOps reads a recorded run of which only the ops were kept.
func measuredOps(folder string) (*runOps, error) {
	log, err := measuredLog(folder)
	if err != nil {
		return nil, err
	}
	return seen(log), nil
}

func measuredLog(folder string) (*oplog.Log, error) {
	ops, err := open(folder + "/ops.tsv")
	if err != nil {
		return nil, err
	}
	return oplog.Read(folder+"/ops.tsv", ops)
}

// seen gives an op log the form in which runs are compared here.
func seen(log *oplog.Log) *runOps {
	out := &runOps{heights: map[string][]heightAt{}}
	for i := range log.Ops {
		o := &log.Ops[i]
		op := runOp{kind: strings.TrimSuffix(o.Kind, "Op"), tablet: o.Tablet, start: float64(o.Chosen) / 1e9, end: math.NaN(), score: math.NaN(), inputs: max(o.Inputs, 0)}
		if o.Rule == results.RulePerf {
			op.score = o.Score
		}
		if o.Ran != oplog.Unseen {
			op.end = float64(o.Chosen+o.Ran) / 1e9
		}
		out.ops = append(out.ops, op)
	}
	for _, line := range log.Tablets {
		for i, at := range line.At {
			out.heights[line.Name] = append(out.heights[line.Name], heightAt{float64(at) / 1e9, line.Height[i]})
		}
	}
	return out
}

// measuredScans reads the server's own scan times; runs without clients that scan have none.
func measuredScans(name string) (scans []scanWindow, err error) {
	rows, err := table(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		var w scanWindow
		for column, v := range map[string]*float64{"from_s": &w.from, "to_s": &w.to, "server_mean_us": &w.mean} {
			if *v, err = strconv.ParseFloat(row[column], 64); err != nil {
				return nil, fmt.Errorf("measured data %s, column %s: %w", name, column, err)
			}
		}
		scans = append(scans, w)
	}
	return scans, nil
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

// meanHeight is the mean height of a table's tablets at a time.
func (r *runOps) meanHeight(table string, t float64) float64 {
	sum, n := 0.0, 0
	for tablet := range r.heights {
		if oplog.TableOf(tablet) == table {
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
		if oplog.TableOf(tablet) != table {
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
		if op.kind == kind && oplog.TableOf(op.tablet) == table && op.start >= from && op.start < to {
			n++
		}
	}
	return n
}
