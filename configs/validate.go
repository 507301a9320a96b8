package configs

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// checker collects what is wrong between values that are each right.
type checker struct {
	doc      *Doc
	e        *Experiment
	problems []error
	unsound  []string
}

// refuse notes a problem, unless it may follow from another one.
func (c *checker) refuse(path, value, allowed, suggestion string) {
	if !c.doc.Sound(path) {
		return
	}
	c.unsound = append(c.unsound, path)
	c.problems = append(c.problems, c.doc.Errorf(path, value, allowed, suggestion))
}

// validate checks what no key can be checked for alone.
func (d *Doc) validate() error {
	c := checker{doc: d, e: d.Experiment}
	c.name("name", d.Experiment.Name)
	if strings.ContainsFunc(d.Experiment.Title, unicode.IsControl) {
		c.refuse("title", d.Experiment.Title, "a text of one line without control characters", "")
	}
	c.servers()
	c.maintenance()
	c.tables()
	c.initial()
	c.phases()
	c.partitions()
	c.assumedRows()
	c.policies()
	c.measured()
	d.unsound = append(d.unsound, c.unsound...)
	return errors.Join(c.problems...)
}

var safeName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$`)

const aName = "a name of 1 to 100 letters, digits, -, _ and ., the first neither - nor ."

// name checks that a name can be that of a file on any system.
func (c *checker) name(path, name string) {
	if !safeName.MatchString(name) {
		c.refuse(path, name, aName, safeFrom(name))
	}
}

// safeFrom is a name that comes near to one that can't be.
func safeFrom(name string) string {
	return strings.Trim(unsafeInName.ReplaceAllString(name, "-"), "-.")
}

// CheckName refuses a name that an experiment, a table or a phase can't have; where is the flag or file that has it.
func CheckName(where, name string) error {
	if safeName.MatchString(name) {
		return nil
	}
	return &Problem{File: where, Field: "name", Value: name, Allowed: aName, Suggestion: safeFrom(name)}
}

// unique checks names whose files would overwrite each other.
func (c *checker) unique(path, name string, seen map[string]string) {
	key := strings.ToLower(name) // some file systems do not tell case apart
	if first, ok := seen[key]; ok {
		c.refuse(path, name, "a new name: "+first+" has it", "")
		return
	}
	seen[key] = path
}

// known checks a reference to one of names, which those of a list are. If the list is wrong itself, nothing can be said.
func (c *checker) known(path, name, what, list string, names []string) bool {
	if slices.Contains(names, name) {
		return true
	}
	if len(names) == 0 { // which is an error of its own
		return false
	}
	for _, wrong := range c.doc.unsound {
		rest, ok := strings.CutPrefix(anyItem(wrong), list)
		if key := strings.TrimPrefix(rest, "[]"); ok && (key == "" || key == ".name" || list == "policies") {
			return false
		}
	}
	c.refuse(path, name, fmt.Sprintf("a %s: there are %s", what, strings.Join(names, ", ")), nearest(name, names))
	return false
}

func (c *checker) servers() {
	cl, s := &c.e.Cluster, &c.e.Server
	if cl.Replication%2 == 0 {
		c.refuse("cluster.replication", strconv.Itoa(cl.Replication), "an odd number", "")
	}
	if cl.Replication > cl.Servers && c.doc.Sound("cluster.servers") {
		c.refuse("cluster.replication", strconv.Itoa(cl.Replication), fmt.Sprintf("at most the number of servers (%d)", cl.Servers), "")
	}
	if s.MemoryPressure > s.MemorySoftLimit && c.doc.Sound("server.memory_soft_limit") {
		c.refuse("server.memory_pressure", formatFloat(s.MemoryPressure), fmt.Sprintf("at most memory_soft_limit (%v)", s.MemorySoftLimit), "")
	}
	if s.RAM < s.MemoryLimit && c.doc.Sound("server.memory_limit") {
		c.refuse("server.ram", s.RAM.String(), fmt.Sprintf("at least memory_limit (%s)", s.MemoryLimit), "")
	}
	if fixed := s.BlockCache + s.BaseMemory; (fixed >= s.MemoryLimit || fixed < 0) && c.doc.Sound("server.block_cache", "server.base_memory") {
		c.refuse("server.memory_limit", s.MemoryLimit.String(), fmt.Sprintf("more than block_cache and base_memory together (%s)", fixed), "")
	}
}

func (c *checker) maintenance() {
	m, w := &c.e.Maintenance, &c.e.Workload
	if m.SmallRowsetTradeoff >= m.MinimumImprovement && c.doc.Sound("maintenance.minimum_improvement") {
		c.refuse("maintenance.small_rowset_tradeoff", formatFloat(m.SmallRowsetTradeoff), fmt.Sprintf("below minimum_improvement (%v), as Kudu demands", m.MinimumImprovement), "")
	}
	if w.ResetInterval < w.MinInterval && c.doc.Sound("workload_stats.min_interval") {
		c.refuse("workload_stats.reset_interval", w.ResetInterval.String(), fmt.Sprintf("at least min_interval (%s)", w.MinInterval), "")
	}
}

func (c *checker) tables() {
	if len(c.e.Tables) == 0 {
		c.refuse("tables", "[]", "a list with at least one table", "")
	}
	names, ids := map[string]string{}, map[string]string{}
	for i := range c.e.Tables {
		t, path := &c.e.Tables[i], fmt.Sprintf("tables[%d]", i)
		c.name(path+".name", t.Name)
		c.unique(path+".name", t.Name, names)
		c.name(path+".id", t.ID)
		c.unique(path+".id", t.ID, ids)
		if _, switched := c.doc.places["rules.disable_compaction"]; t.NoCompaction && !c.e.Rules.DisableCompaction && !switched {
			c.refuse(path+".disable_compaction", "true", "known to "+c.e.Profile+": leave it out, or switch rule disable_compaction on", "")
		}
	}
}

func (c *checker) policies() {
	if len(c.e.Policies) == 0 {
		c.refuse("policies", "[]", "a list with at least one policy", "")
	}
	names := map[string]string{}
	for i := range c.e.Policies {
		l, path := &c.e.Policies[i], fmt.Sprintf("policies[%d]", i)
		if (l.Policy == "") == (l.Plugin == "") {
			given := "neither policy nor plugin"
			if l.Policy != "" {
				given = fmt.Sprintf("policy: %s, plugin: %s", l.Policy, l.Plugin)
			}
			c.refuse(path, given, "a line with exactly one of policy and plugin", "")
			continue
		}
		if l.Serve && l.Policy == "" {
			c.refuse(path+".out_of_process", "true", "for a plugin, which always is: leave it out", "")
		}
		c.name(path+".name", l.Name)
		c.unique(path+".name", l.Name, names)
		if slices.Contains(resultFiles, strings.ToLower(l.Name)) { // a line's results lie in a folder of its name beside them
			c.refuse(path+".name", l.Name, "free for a line: a result has a file or folder of that name", l.Name+"-line")
		}
	}
}

// resultFiles are the names in a result folder that no line's folder may have.
var resultFiles = []string{"plots", "experiment.yaml", "result.json", "run.json", "incomplete"}

var statName = regexp.MustCompile(`^(avg|p[0-9]{1,2}(\.[0-9]{1,6})?)$`)

func (c *checker) measured() {
	m := c.e.Measured
	if m == nil {
		return
	}
	var phases, lines []string
	for i := range c.e.Phases {
		phases = append(phases, c.e.Phases[i].Name)
	}
	for i := range c.e.Policies {
		lines = append(lines, c.e.Policies[i].Name)
	}
	if m.Before != "" {
		c.known("measured.before", m.Before, "policy line", "policies", lines)
	}
	if m.After != "" {
		c.known("measured.after", m.After, "policy line", "policies", lines)
	}
	for i := range m.Rows {
		r, path := &m.Rows[i], fmt.Sprintf("measured.latency[%d]", i)
		c.known(path+".phase", r.Phase, "phase", "phases", phases)
		c.known(path+".table", r.Table, "table", "tables", c.tableNames())
		if !statName.MatchString(r.Stat) {
			c.refuse(path+".stat", r.Stat, "avg or a percentile such as p95 or p99.9", "")
		}
	}
}

func (c *checker) tableNames() []string {
	var names []string
	for i := range c.e.Tables {
		names = append(names, c.e.Tables[i].Name)
	}
	return names
}

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
