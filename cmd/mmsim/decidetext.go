package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"mmsim/configs"
	"mmsim/results"
	"mmsim/sim"
)

// nothingToDo is how Kudu says that no op is chosen.
const nothingToDo = "no ops with positive improvement"

// printDecided writes the candidate table, the choice and, if asked for, the order.
func printDecided(w io.Writer, d *sim.Decided, order bool) error {
	out := bufio.NewWriter(w)
	printStandings(out, d.Ops)
	fmt.Fprintln(out)
	if len(d.Order) == 0 {
		fmt.Fprintf(out, "choice: none (%s)\n", nothingToDo)
		return out.Flush()
	}
	printChoice(out, &d.Order[0])
	if order {
		fmt.Fprintln(out)
		printOrder(out, d)
	}
	return out.Flush()
}

// column is a column of the candidate table.
type column struct {
	name string
	text func(*sim.Standing) string
}

func printStandings(w io.Writer, ops []sim.Standing) {
	columns := []column{
		{"op", func(s *sim.Standing) string { return s.Op.Name }},
		{"ram", func(s *sim.Standing) string { return size(s.Op.RAM) }},
		{"logs", func(s *sim.Standing) string { return size(s.Op.Logs) }},
		{"data", func(s *sim.Standing) string { return size(s.Op.Data) }},
		{"perf", func(s *sim.Standing) string { return figure(s.Perf) }},
		{"workload", func(s *sim.Standing) string {
			if s.Op.Workload == nil {
				return "-"
			}
			return figure(*s.Op.Workload)
		}},
		{"scans/s", func(s *sim.Standing) string { return figure(s.ScansPerSec) }},
		{"rows/s", func(s *sim.Standing) string { return figure(s.RowsPerSec) }},
		{"priority", func(s *sim.Standing) string { return strconv.Itoa(s.Op.Priority) }},
		{"score", func(s *sim.Standing) string { return figure(s.Score) }},
		{"rule", standing},
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rows := make([][]string, len(ops)+1)
	for _, c := range columns {
		cells, told := []string{c.name}, false
		for i := range ops {
			text := c.text(&ops[i])
			cells, told = append(cells, text), told || text != "-" && text != "0"
		}
		if !told && c.name != "perf" && c.name != "score" { // nobody gave any
			continue
		}
		for i, cell := range cells {
			rows[i] = append(rows[i], cell)
		}
	}
	for _, row := range rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	table.Flush()
}

// standing says under which rule an op stands.
func standing(s *sim.Standing) string {
	switch {
	case !s.Op.Runnable:
		return "not runnable"
	case s.Rule == "":
		return "settled" // nothing would choose it
	}
	return string(s.Rule)
}

func size(b configs.Bytes) string {
	if b == 0 {
		return "-"
	}
	return b.String()
}

// figure writes a number with the six decimals of Kudu's log at most.
func figure(x float64) string {
	text := strconv.FormatFloat(x, 'f', 6, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

func printChoice(w io.Writer, c *sim.Chosen) {
	fmt.Fprintf(w, "choice: %s\nrule: %s\nreason: %s\n", c.Op.Name, c.Rule, c.Reason)
	if c.RunnerUp != "" {
		fmt.Fprintf(w, "runner-up: %s\n", c.RunnerUp)
	}
	if len(c.Drawn) > 0 {
		fmt.Fprintf(w, "drawn: %s\n", strings.Trim(fmt.Sprintf("%.4f", c.Drawn), "[]"))
	}
}

func printOrder(w io.Writer, d *sim.Decided) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tat (s)\tthread\top\trule\treason")
	for i := range d.Order {
		c := &d.Order[i]
		fmt.Fprintf(table, "%d\t%s\t%d\t%s\t%s\t%s\n", i+1, figure(c.At), c.Thread+1, c.Op.Name, c.Rule, c.Reason)
	}
	table.Flush()
	if d.Stopped {
		fmt.Fprintf(w, "the rest is left out\n")
	}
}

// decidedOutput is what --json prints.
type decidedOutput struct {
	Candidates []candidateOutput `json:"candidates"`
	Choice     *chosenOutput     `json:"choice"`
	Order      []chosenOutput    `json:"order"`
	Stopped    bool              `json:"stopped"` // the order goes on
}

type candidateOutput struct {
	Op          string       `json:"op"`
	Kind        string       `json:"kind"`
	Tablet      string       `json:"tablet"`
	Runnable    bool         `json:"runnable"`
	RAM         int64        `json:"ram"`
	Logs        int64        `json:"logs"`
	Data        int64        `json:"data"`
	Perf        float64      `json:"perf"`
	Workload    *float64     `json:"workload"` // null: from rates
	ScansPerSec float64      `json:"scans_per_sec"`
	RowsPerSec  float64      `json:"rows_per_sec"`
	Priority    int          `json:"priority"`
	Score       float64      `json:"score"`
	Rule        results.Rule `json:"rule"` // empty: nothing would choose it
}

type chosenOutput struct {
	Op            string       `json:"op"`
	At            float64      `json:"at"` // seconds
	Thread        int          `json:"thread"`
	Rule          results.Rule `json:"rule"`
	Score         float64      `json:"score"`
	Reason        string       `json:"reason"`
	RunnerUp      string       `json:"runner_up"`
	MemoryPercent float64      `json:"memory_used_percent"`
	Drawn         []float64    `json:"drawn"`
}

func decidedJSON(d *sim.Decided) *decidedOutput {
	out := &decidedOutput{Candidates: []candidateOutput{}, Order: []chosenOutput{}, Stopped: d.Stopped}
	for i := range d.Ops {
		s := &d.Ops[i]
		out.Candidates = append(out.Candidates, candidateOutput{s.Op.Name, s.Op.Kind, s.Op.Tablet, s.Op.Runnable, int64(s.Op.RAM), int64(s.Op.Logs),
			int64(s.Op.Data), s.Perf, s.Op.Workload, s.ScansPerSec, s.RowsPerSec, s.Op.Priority, s.Score, s.Rule})
	}
	for i := range d.Order {
		c := &d.Order[i]
		drawn := append([]float64{}, c.Drawn...)
		out.Order = append(out.Order, chosenOutput{c.Op.Name, c.At, c.Thread + 1, c.Rule, c.Score, c.Reason, c.RunnerUp, c.MemoryPercent, drawn})
	}
	if len(out.Order) > 0 {
		out.Choice = &out.Order[0]
	}
	return out
}
