package calibrate

import (
	"math"
	"slices"

	"mmsim/configs"
)

// ShareNames are the parameters that say how cores are shared.
var ShareNames = []string{"core_worth", "client.warm_up", "client.warm_up_ops"}

// minShare is how many compactions, of durations that the load explains, are wanted to tell them.
const minShare = 30

// share fits how cores are shared, by rowset compactions, whose costs by themselves are fitted along: durations that differ beyond what was merged do
// so for what ran beside. Where clients have machines of their own, or --keep says so, their warming up is not fitted.
func (r *Result) share(models []opModel, beside loads, keep []string) error {
	m := &models[slices.IndexFunc(models, func(m opModel) bool { return m.kind == "CompactRowSets" })]
	names := slices.DeleteFunc(slices.Clone(ShareNames), func(name string) bool {
		return slices.Contains(keep, name) || name != ShareNames[0] && !r.Machine.ClientsShare
	})
	if len(names) == 0 {
		return nil
	}
	if n := m.usable(); n < minShare {
		r.note("%v: not fitted, the op logs have %d usable compactions, want %d", names, n, minShare)
		return nil
	}
	base := r.Machine
	logs := func(machine *configs.Machine) []float64 {
		m.beside(beside, machine)
		o := m.observations(machine)
		return o.fit().residuals
	}
	at := make([]float64, len(names))
	for i, name := range names {
		at[i] = math.Log(get(&base, name))
	}
	machineAt := func(x []float64) *configs.Machine {
		machine := base
		for i, name := range names {
			set(&machine, name, math.Exp(x[i]))
		}
		return &machine
	}
	best := minimise(func(x []float64) float64 {
		machine := machineAt(x)
		if machine.CoreWorth > 1 || machine.Client.WarmUpOps < 1 {
			return math.Inf(1)
		}
		return huberSum(logs(machine))
	}, at)
	half := halfWidths(func(x []float64) []float64 { return logs(machineAt(x)) }, best)
	for i, name := range names {
		v := math.Exp(best[i])
		r.Shared = append(r.Shared, Parameter{Name: name, Unit: "times", Value: v, Low: v * math.Exp(-half[i]), High: v * math.Exp(half[i]), Base: get(&base, name)})
		set(&r.Machine, name, v)
	}
	return nil
}

func get(m *configs.Machine, name string) float64 {
	switch name {
	case "core_worth":
		return m.CoreWorth
	case "client.warm_up":
		return max(m.Client.WarmUp, 1e-3)
	}
	return float64(m.Client.WarmUpOps)
}

func set(m *configs.Machine, name string, v float64) {
	switch name {
	case "core_worth":
		m.CoreWorth = math.Round(v*1e3) / 1e3
	case "client.warm_up":
		m.Client.WarmUp = math.Round(v*1e2) / 1e2
	default:
		m.Client.WarmUpOps = int64(math.Round(v))
	}
}

// wide is where Huber's function of residuals turns linear, as the sigma of them is not known before.
const wide = 0.25

func huberSum(residuals []float64) (sum float64) {
	for _, r := range residuals {
		if a := math.Abs(r); a > wide {
			sum += wide * (a - wide/2)
		} else {
			sum += r * r / 2
		}
	}
	return sum
}

// halfWidths gives half the 95 % intervals of the logarithms of parameters: by the residuals' slopes at the best, as in least squares.
func halfWidths(residuals func([]float64) []float64, best []float64) []float64 {
	const step = 0.02
	at := residuals(best)
	rows := matrix(len(at), len(best))
	for j := range best {
		x := slices.Clone(best)
		x[j] -= step
		for i, r := range residuals(x) {
			rows[i][j] = (r - at[i]) / step
		}
	}
	sigma := scaleOf(at, len(best))
	half := make([]float64, len(best))
	for j, v := range inverseDiagonal(rows) {
		half[j] = studentT(len(at)-len(best)) * sigma * math.Sqrt(v)
	}
	return half
}
