// Package decisions reads decisions of a real maintenance manager from files, one JSON object a line, so that they can be taken again.
package decisions

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mmsim/configs"
	"mmsim/reading"
)

// Decision is one decision of a real maintenance manager: the ops on its page and the one it chose.
type Decision struct {
	Line          int      `json:"-"` // of the file
	Run           string   `json:"run"`
	Chosen        OpID     `json:"chosen"`
	Reason        string   `json:"reason"` // as logged
	MemoryPercent *float64 `json:"memory_used_percent"`
	LogTargetMB   *int64   `json:"log_target_mb"` // log_target_replay_size_mb; nil = unknown
	Ops           []OpRow  `json:"ops"`
}

// OpID names an op. ID is the tablet's, by which Kudu orders ops of one kind; Tablet is a name for the reader. One of the two is enough.
type OpID struct {
	Op     string `json:"op"`
	ID     string `json:"id"`
	Tablet string `json:"tablet"`
}

// OpRow is an op with its stats: bytes, and scores as Kudu had them.
type OpRow struct {
	OpID
	Runnable bool    `json:"runnable"`
	RAM      int64   `json:"ram"`
	Logs     int64   `json:"logs"`
	Data     int64   `json:"data"`
	Perf     float64 `json:"perf"`
	Workload float64 `json:"workload"`
	Priority int     `json:"priority"`
}

// Name is Kudu's name of the op, by which it orders them.
func (o OpID) Name() string { return o.Op + "(" + o.key() + ")" }

// Label names the op by its tablet's name, if it has one.
func (o OpID) Label() string {
	if o.Tablet != "" {
		return o.Op + "(" + o.Tablet + ")"
	}
	return o.Name()
}

func (o OpID) key() string {
	if o.ID != "" {
		return o.ID
	}
	return o.Tablet
}

const maxDecision = 16 << 20 // bytes of a line

// Load reads decisions from a file; see Read.
func Load(path string) ([]Decision, error) {
	f, err := reading.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	return Read(path, f)
}

// Read reads decisions, one JSON object a line. Errors of the content are of type *configs.Problem, under the file's name. Reading
// stops at the first.
func Read(name string, r io.Reader) ([]Decision, error) {
	var all []Decision
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxDecision)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		d, p := parseDecision(lines.Bytes())
		if p != nil {
			p.File, p.Line = name, n
			return nil, p
		}
		d.Line = n
		all = append(all, d)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &configs.Problem{File: name, Line: n + 1, Allowed: fmt.Sprintf("the line is longer than %d bytes", maxDecision)}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, reading.Cause(err))
	case len(all) == 0:
		return nil, &configs.Problem{File: name, Allowed: "no decisions: a file has one JSON object a line"}
	}
	return all, nil
}

// decisionLine is a decision as it is written: an op must say whether it can run and what it is worth, which 0 and false would hide.
type decisionLine struct {
	Decision
	Ops []struct {
		OpRow
		Runnable *bool    `json:"runnable"`
		Perf     *float64 `json:"perf"`
	} `json:"ops"`
}

func parseDecision(line []byte) (Decision, *configs.Problem) {
	var read decisionLine
	if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
		return read.Decision, &configs.Problem{Allowed: "the line is not text in UTF-8"}
	}
	if err := json.Unmarshal(line, &read); err != nil {
		_, field, value, want := reading.JSON(line, err)
		if field != "" {
			return read.Decision, &configs.Problem{Field: field, Value: value, Allowed: want}
		}
		return read.Decision, &configs.Problem{Allowed: "not a JSON object of a decision: " + want}
	}
	d := read.Decision
	for i := range read.Ops {
		op := &read.Ops[i]
		if op.Runnable == nil {
			return d, refuse(fmt.Sprintf("ops[%d].runnable", i), "", "true or false")
		}
		if op.Perf == nil {
			return d, refuse(fmt.Sprintf("ops[%d].perf", i), "", "a number from 0 to 1e18")
		}
		op.OpRow.Runnable, op.OpRow.Perf = *op.Runnable, *op.Perf
		d.Ops = append(d.Ops, op.OpRow)
	}
	return d, d.check()
}

// check refuses what no manager could have seen.
func (d *Decision) check() *configs.Problem {
	if m := d.MemoryPercent; m != nil && (*m < 0 || *m > 1000) {
		return refuse("memory_used_percent", fmt.Sprint(*m), "a number from 0 to 1000")
	}
	if t := d.LogTargetMB; t != nil && (*t < 0 || *t > math.MaxInt64>>20) {
		return refuse("log_target_mb", fmt.Sprint(*t), "a number of MB of at least 0")
	}
	if len(d.Ops) == 0 {
		return refuse("ops", "", "a list with at least one op")
	}
	names := make(map[string]int, len(d.Ops))
	for i, op := range d.Ops {
		field := func(name string) string { return fmt.Sprintf("ops[%d].%s", i, name) }
		if kinds := configs.OpKinds(); !slices.Contains(kinds, op.Op) {
			return refuse(field("op"), op.Op, "one of "+strings.Join(kinds, ", "))
		}
		if op.key() == "" {
			return refuse(field("id"), "", "the id of a tablet")
		}
		if first, twice := names[op.Name()]; twice {
			return refuse(fmt.Sprintf("ops[%d]", i), op.Name(), fmt.Sprintf("a new op: ops[%d] has this name", first))
		}
		names[op.Name()] = i
		if op.Priority < -1_000_000 || op.Priority > 1_000_000 {
			return refuse(field("priority"), fmt.Sprint(op.Priority), "a whole number from -1000000 to 1000000")
		}
		for j, value := range []float64{float64(op.RAM), float64(op.Logs), float64(op.Data), op.Perf, op.Workload} {
			if value < 0 || value > 1e18 {
				return refuse(field([]string{"ram", "logs", "data", "perf", "workload"}[j]), fmt.Sprint(value), "a number from 0 to 1e18")
			}
		}
	}
	return nil
}

// logRetention is how Kudu words the rule that a target of log replay size brings in; bytesOnDisk is data GC.
var (
	logRetention = regexp.MustCompile(`^(\d+) bytes log retention, and flush \d+ bytes memory$`)
	bytesOnDisk  = regexp.MustCompile(`^\d+ bytes on disk$`)
)

// DataGCDrawn says whether the manager's random number put data GC before ops with a score, which only its reason shows.
func (d *Decision) DataGCDrawn() bool { return bytesOnDisk.MatchString(d.Reason) }

// InferLogTargets gives each run's log_target_replay_size_mb, in bytes, as far as the logged reasons show it: the flag is a whole
// number of MB (2^20 bytes) that no op run for log retention can lie below, so the largest number that the smallest of them allows is taken.
// Decisions without a run stand for themselves, under their line. Runs that Kudu's default explains have no entry.
func InferLogTargets(decisions []Decision) map[string]int64 {
	byDefault := int64(configs.NewDecision().Maintenance.LogTargetReplaySize)
	targets := map[string]int64{}
	for i := range decisions {
		m := logRetention.FindStringSubmatch(decisions[i].Reason)
		if m == nil {
			continue
		}
		retained, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			continue
		}
		run := decisions[i].Server()
		target := retained >> 20 << 20
		if known, ok := targets[run]; target < byDefault && (!ok || target < known) {
			targets[run] = target
		}
	}
	return targets
}

// Server names the server whose flags a decision was taken with.
func (d *Decision) Server() string {
	if d.Run == "" {
		return fmt.Sprintf("line %d", d.Line)
	}
	return d.Run
}

// Situation turns the decision into one to be taken again. Memory used is taken for 0 where it is unknown, as it is below the limit of
// pressure then; data GC comes before ops with a score where it was drawn.
func (d *Decision) Situation() *configs.Decision {
	s := configs.NewDecision()
	if d.MemoryPercent != nil {
		s.Memory.UsedPercent = *d.MemoryPercent
	}
	if d.LogTargetMB != nil {
		s.Maintenance.LogTargetReplaySize = configs.Bytes(*d.LogTargetMB << 20)
	}
	s.Maintenance.DataGCProbability = 0
	if d.DataGCDrawn() {
		s.Maintenance.DataGCProbability = 1
	}
	for i := range d.Ops {
		op := &d.Ops[i]
		s.Ops = append(s.Ops, configs.DecisionOp{Name: op.Name(), Kind: op.Op, Tablet: op.key(), Runnable: op.Runnable, RAM: configs.Bytes(op.RAM),
			Logs: configs.Bytes(op.Logs), Data: configs.Bytes(op.Data), Perf: op.Perf, Workload: &op.Workload, Priority: op.Priority, Runs: 1})
	}
	return s
}

func refuse(field, value, allowed string) *configs.Problem {
	return &configs.Problem{Field: field, Value: value, Allowed: allowed}
}
