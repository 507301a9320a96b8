package sim

import (
	"math"
	"slices"
	"strings"

	"mmsim/results"
)

const mebi = 1 << 20

// nothing is the value of what there is none of.
var nothing = math.NaN()

// opFigure is a figure of ops; that of none is not a number, but for counts and sums.
func opFigure(ops []results.Op, since int64, what string) (float64, bool) {
	figures := map[string]func(*results.Op) float64{
		"mib":     func(op *results.Op) float64 { return float64(op.BytesWritten) / mebi },
		"ram_mib": func(op *results.Op) float64 { return float64(op.RAM) / mebi },
		"wal_mib": func(op *results.Op) float64 { return float64(op.WAL) / mebi },
		"s":       func(op *results.Op) float64 { return float64(op.End-op.Chosen) / 1e9 },
		"score":   func(op *results.Op) float64 { return op.Score },
		"at_s":    func(op *results.Op) float64 { return float64(op.Chosen-since) / 1e9 },
		"at_min":  func(op *results.Op) float64 { return float64(op.Chosen-since) / 60e9 },
		"inputs":  func(op *results.Op) float64 { return float64(op.Inputs) },
	}
	if what == "count" {
		return float64(len(ops)), true
	}
	if what == "empty" {
		return float64(len(slices.DeleteFunc(slices.Clone(ops), func(op results.Op) bool { return op.BytesWritten > 0 }))), true
	}
	how, of, _ := strings.Cut(what, "_")
	figure := figures[of]
	if figure == nil {
		return 0, false
	}
	var all []float64
	for i := range ops {
		if ops[i].End >= 0 || of != "s" {
			all = append(all, figure(&ops[i]))
		}
	}
	return summary(all, how)
}

// summary puts values together.
func summary(all []float64, how string) (float64, bool) {
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	if how == "total" {
		return sum, true
	}
	if len(all) == 0 {
		return nothing, how == "first" || how == "last" || how == "mean" || how == "max" || how == "min"
	}
	switch how {
	case "first":
		return all[0], true
	case "last":
		return all[len(all)-1], true
	case "mean":
		return sum / float64(len(all)), true
	case "max":
		return slices.Max(all), true
	case "min":
		return slices.Min(all), true
	}
	return 0, false
}
