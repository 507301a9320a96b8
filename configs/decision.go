package configs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"mmsim/rules"
)

// Decision is a situation of one server in which its maintenance manager decides what to run.
type Decision struct {
	Profile     string         `yaml:"profile"`
	Rules       rules.Set      `yaml:"rules"`
	Policy      string         `yaml:"policy"` // a built-in; at most one of policy and plugin is set
	Plugin      string         `yaml:"plugin"` // path of a policy binary, relative to the file
	Params      map[string]any `yaml:"params"`
	Seed        uint64         `yaml:"seed"` // of the random numbers that the rules draw
	Draw        *float64       `yaml:"draw"` // takes the place of every one of them
	Memory      UsedMemory     `yaml:"memory"`
	Maintenance Maintenance    `yaml:"maintenance"`
	Workload    WorkloadRate   `yaml:"workload_stats"`
	Ops         []DecisionOp   `yaml:"ops"`
}

// UsedMemory is the state of a server's memory.
type UsedMemory struct {
	UsedPercent     float64 `yaml:"used_percent"`     // of the hard limit
	PressurePercent float64 `yaml:"pressure_percent"` // memory_pressure_percentage
	SoftPercent     float64 `yaml:"soft_percent"`     // memory_limit_soft_percentage
	Limit           Bytes   `yaml:"limit"`            // the hard limit; 0 = unknown: what ops free is then not seen
}

// DecisionOp is a maintenance op with the stats that Kudu has of it.
type DecisionOp struct {
	Name   string `yaml:"name"` // Kind(tablet); empty in After
	Kind   string `yaml:"kind"` // Kudu's: FlushMRSOp
	Tablet string `yaml:"tablet"`
	Table  string `yaml:"table"`

	Runnable bool      `yaml:"runnable"`
	Perf     float64   `yaml:"perf"` // perf_improvement
	Age      *Duration `yaml:"age"`  // of a flush: perf is Kudu's flush score of RAM at this age
	RAM      Bytes     `yaml:"ram"`  // anchored
	Logs     Bytes     `yaml:"logs"` // WAL retained
	Data     Bytes     `yaml:"data"` // that a data GC frees
	Priority int       `yaml:"priority"`
	Workload *float64  `yaml:"workload"` // Kudu's workload score, instead of rates or counters
	Rates    *OpRates  `yaml:"rates"`    // of the tablet
	Counters []OpCount `yaml:"counters"` // of the tablet at each look that Kudu took, the last at the decision

	HeightRemoved float64  `yaml:"height_removed"`
	Bytes         Bytes    `yaml:"bytes"`   // read and written
	Seconds       float64  `yaml:"seconds"` // that the op takes
	Waiting       Duration `yaml:"waiting"` // for how long it could have won already

	Runs  int         `yaml:"runs"`  // how often it can run as it stands
	After *DecisionOp `yaml:"after"` // what it is then; nil = not runnable
}

// OpRates are a tablet's rates by Kudu's window.
type OpRates struct {
	ScansPerSec Rate `yaml:"scans_per_sec"`
	RowsPerSec  Rate `yaml:"rows_per_sec"` // written
}

// OpCount is a tablet's counters at one look.
type OpCount struct {
	At    Duration `yaml:"at"` // since the tablet was opened
	Scans int64    `yaml:"scans"`
	Rows  int64    `yaml:"rows"` // written
}

// NewDecision is a server with Kudu's defaults, plenty of memory and no ops.
func NewDecision() *Decision {
	d := &Decision{
		Seed:        1,
		Memory:      UsedMemory{PressurePercent: 60, SoftPercent: 80},
		Maintenance: defaultMaintenance(),
		Workload:    WorkloadRate{MinInterval: 60 * second, ResetInterval: 300 * second},
	}
	adopt(defaultProfile, &d.Profile, &d.Rules, &d.Maintenance)
	return d
}

// DecisionDoc is a decision together with where each of its values was written.
type DecisionDoc struct {
	Decision *Decision
	doc      Doc
}

// LoadDecision reads a decision from a file and lays assignments over it. Errors are *Problem, several of them joined.
func LoadDecision(path string, assignments ...string) (*DecisionDoc, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, &Problem{File: path, Allowed: err.Error()}
	}
	return ParseDecision(path, data, assignments...)
}

// ParseDecision reads a decision from YAML; file names it in messages, and plugins are relative to it.
func ParseDecision(file string, data []byte, assignments ...string) (*DecisionDoc, error) {
	root, err := parseTree(file, data)
	problems := []error{err, root.assign(Sets(assignments...))}
	if root == nil {
		return nil, together(problems)
	}
	d := &DecisionDoc{Decision: NewDecision(), doc: Doc{File: file, root: root, places: root.places()}}
	adopt(root.scalar("profile"), &d.Decision.Profile, &d.Decision.Rules, &d.Decision.Maintenance)
	dec := decoder{lookup: decisionKey}
	dec.decode(root, "", reflect.ValueOf(d.Decision).Elem())
	d.doc.unsound = dec.unsound
	if err := together(append(problems, dec.err(), d.validate())); err != nil {
		return nil, err
	}
	return d, nil
}

// Errorf makes the error for a value that only others can judge, such as a policy's parameter.
func (d *DecisionDoc) Errorf(path, value, allowed, suggestion string) error {
	return d.doc.Errorf(path, value, allowed, suggestion)
}

// WithPolicy gives the decision another policy, whose path is taken as it stands.
func (d *DecisionDoc) WithPolicy(l Line) {
	d.Decision.Policy, d.Decision.Plugin, d.Decision.Params = l.Policy, l.Plugin, l.Params
	for _, key := range []string{"policy", "plugin", "params"} {
		d.doc.root.drop(key)
		d.doc.root.set(entry{place{file: "--policy"}, key, &node{place: place{file: "--policy"}}})
	}
	d.doc.places = d.doc.root.places()
}

// Experiment gives an experiment with the decision's policy as its only line, and with its flags. Its Errorf takes the paths of the decision.
func (d *DecisionDoc) Experiment() *Doc {
	line := Line{Policy: d.Decision.Policy, Plugin: d.Decision.Plugin, Params: d.Decision.Params}
	if line.Policy == "" && line.Plugin == "" {
		line.Policy = "priority-weighted" // Kudu's own formula
	}
	line.Name = line.label()
	doc := d.doc
	doc.Experiment = &Experiment{Profile: d.Decision.Profile, Rules: d.Decision.Rules, Maintenance: d.Decision.Maintenance, Policies: []Line{line}}
	doc.places["policies[0].plugin"] = doc.at("plugin")
	return &doc
}

// validate checks what no key can be checked for alone, and completes the ops.
func (d *DecisionDoc) validate() error {
	c := decisionChecker{d: d}
	dec := d.Decision
	if dec.Policy != "" && dec.Plugin != "" {
		c.refuse("plugin", dec.Plugin, "to be given beside policy: the two exclude each other", "")
	}
	if dec.Memory.PressurePercent > dec.Memory.SoftPercent && c.d.doc.Sound("memory.soft_percent") {
		c.refuse("memory.pressure_percent", formatFloat(dec.Memory.PressurePercent), fmt.Sprintf("at most soft_percent (%v)", dec.Memory.SoftPercent), "")
	}
	if dec.Workload.ResetInterval < dec.Workload.MinInterval && c.d.doc.Sound("workload_stats.min_interval") {
		c.refuse("workload_stats.reset_interval", dec.Workload.ResetInterval.String(), fmt.Sprintf("at least min_interval (%s)", dec.Workload.MinInterval), "")
	}
	if len(dec.Ops) == 0 {
		c.refuse("ops", "", "a list with at least one op", "")
	}
	c.ops()
	return errors.Join(c.problems...)
}

// decisionChecker collects what is wrong between values that are each right.
type decisionChecker struct {
	d        *DecisionDoc
	problems []error
}

// refuse notes a problem, unless it may follow from another one.
func (c *decisionChecker) refuse(path, value, allowed, suggestion string) {
	if !c.d.doc.Sound(path) {
		return
	}
	c.problems = append(c.problems, c.d.Errorf(path, value, allowed, suggestion))
}

func (c *decisionChecker) given(path, key string) bool {
	_, ok := c.d.doc.places[join(path, key)]
	return ok
}

func (c *decisionChecker) ops() {
	first := map[string]string{}
	ops := c.d.Decision.Ops
	for i := range ops {
		op, path := &ops[i], fmt.Sprintf("ops[%d]", i)
		if !c.identity(path, op) {
			continue
		}
		if twin, twice := first[op.Name]; twice {
			c.refuse(path, op.Name, "a new op: "+twin+" has this name", "")
		}
		first[op.Name] = path
		c.stats(path, op)
	}
}

// identity completes name from kind and tablet, or these from name.
func (c *decisionChecker) identity(path string, op *DecisionOp) bool {
	if !c.d.doc.Sound(path+".name", path+".kind", path+".tablet") {
		return false
	}
	switch named, parts := op.Name != "", op.Kind != "" || op.Tablet != ""; {
	case named && parts:
		c.refuse(path+".name", op.Name, "to be given beside kind and tablet: it says both already", "")
		return false
	case named:
		kind, rest, ok := strings.Cut(op.Name, "(")
		tablet, closed := strings.CutSuffix(rest, ")")
		if !ok || !closed || tablet == "" {
			c.refuse(path+".name", op.Name, "an op such as FlushMRSOp(tablet-1)", "")
			return false
		}
		if kinds := OpKinds(); !slices.Contains(kinds, kind) {
			c.refuse(path+".name", op.Name, "an op of a known kind: there are "+strings.Join(kinds, ", "), nearest(kind, kinds))
			return false
		}
		op.Kind, op.Tablet = kind, tablet
	case op.Kind == "" || op.Tablet == "":
		c.refuse(path+".name", "", "an op such as FlushMRSOp(tablet-1), or kind and tablet", "")
		return false
	}
	op.Name = op.Kind + "(" + op.Tablet + ")"
	return true
}

// stats checks an op and completes what it is after it ran.
func (c *decisionChecker) stats(path string, op *DecisionOp) {
	if op.Age != nil && !strings.HasPrefix(op.Kind, "Flush") {
		c.refuse(path+".age", op.Age.String(), "for "+op.Kind+": only flushes are scored by size and age", "")
	}
	if op.Age != nil && c.given(path, "perf") {
		c.refuse(path+".age", op.Age.String(), "to be given beside perf: perf follows from ram and age", "")
	}
	sources := 0
	for _, key := range []string{"workload", "rates", "counters"} {
		if c.given(path, key) {
			sources++
		}
	}
	if sources > 1 {
		c.refuse(path, op.Name, "an op with at most one of workload, rates and counters", "")
	}
	if c.given(path, "counters") {
		c.counters(path, op)
	}
	if op.After != nil {
		c.after(path+".after", op)
	}
}

// after completes what an op is once it has run.
func (c *decisionChecker) after(path string, op *DecisionOp) {
	a := op.After
	for _, key := range []string{"name", "kind", "tablet", "table"} {
		if c.given(path, key) {
			c.refuse(join(path, key), key, "a key here: an op stays what it is", "")
		}
	}
	a.Name, a.Kind, a.Tablet, a.Table = op.Name, op.Kind, op.Tablet, op.Table
	if !c.given(path, "priority") {
		a.Priority = op.Priority
	}
	if !c.given(path, "workload") && !c.given(path, "rates") && !c.given(path, "counters") {
		a.Workload, a.Rates, a.Counters = op.Workload, op.Rates, op.Counters
	}
	if !c.given(path, "seconds") {
		a.Seconds = op.Seconds
	}
	c.stats(path, a)
}

// counters checks that looks follow each other.
func (c *decisionChecker) counters(path string, op *DecisionOp) {
	for j := 1; j < len(op.Counters); j++ {
		if a, b := op.Counters[j-1], op.Counters[j]; b.At < a.At || b.Scans < a.Scans || b.Rows < a.Rows {
			c.refuse(fmt.Sprintf("%s.counters[%d]", path, j), fmt.Sprintf("at %s, scans %d, rows %d", b.At, b.Scans, b.Rows), "at or above the look before it", "")
		}
	}
}
