package workloads

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

//go:embed presets/*.properties
var presets embed.FS

// Presets lists the property files that ship with mmsim: YCSB's own workloads.
func Presets() (names []string) {
	entries, _ := presets.ReadDir("presets") // it exists, or the package would not compile
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".properties"))
	}
	return names
}

// Preset gives a property file that ships with mmsim, and the name that messages give it.
func Preset(name string) (file string, data []byte, ok bool) {
	file = "presets/" + name + ".properties"
	data, err := presets.ReadFile(file)
	return "workloads/" + file, data, err == nil
}

// Setting is what a property says, as a key of an experiment.
type Setting struct {
	Of    Holder
	Key   string
	Value string
	Line  int // of the property; 0 = YCSB's default
}

// Holder is the part of an experiment to which a key belongs.
type Holder uint8

// Holders of keys.
const (
	OfWorkload Holder = iota
	OfClient
	OfSession
	OfTable  // the client's
	OfRecord // of that table
)

// Note is something in a property file that its author may not expect.
type Note struct {
	Line int // 0 = the file as a whole
	Text string
	Keys []string // of the workload: where all of them are given otherwise, it does not matter
}

// YCSB is what a property file asks for.
type YCSB struct {
	Settings    []Setting
	Notes       []Note
	Records     int64 // recordcount: rows that a run phase takes to be there; 0 = not given
	RecordsLine int
}

// ReadYCSB reads a property file of YCSB's core workload: of its load phase if load is true or the file says so, else of its run phase. What is not
// given has YCSB's defaults. Errors are *Fault, several of them joined.
func ReadYCSB(data []byte, load bool) (*YCSB, error) {
	list, err := ParseProperties(data)
	if err != nil {
		return nil, err
	}
	r := &ycsbReader{of: map[string]Property{}, used: map[string]bool{}}
	for _, p := range list {
		if trimmed := strings.TrimRight(p.Value, blanks); trimmed != p.Value {
			r.note(p.Line, "%s: blanks behind the value are left out, which YCSB takes as part of it", p.Key)
			p.Value = trimmed
		}
		r.of[p.Key] = p
	}
	r.class()
	if p, ok := r.take("dotransactions"); ok && !strings.EqualFold(p.Value, "true") {
		load = true
	}
	if load {
		r.load()
	} else {
		r.run()
	}
	r.shape()
	r.client()
	r.ignored(list)
	slices.SortStableFunc(r.out.Notes, func(a, b Note) int { return a.Line - b.Line })
	slices.SortStableFunc(r.faults, func(a, b *Fault) int { return a.Line - b.Line })
	var all []error
	for _, f := range r.faults {
		all = append(all, f)
	}
	return &r.out, errors.Join(all...)
}

// ycsbReader takes properties one by one.
type ycsbReader struct {
	of     map[string]Property // the last of each name
	used   map[string]bool
	out    YCSB
	faults []*Fault
}

// take gives a property and marks it as used.
func (r *ycsbReader) take(name string) (Property, bool) {
	r.used[name] = true
	p, ok := r.of[name]
	return p, ok
}

func (r *ycsbReader) note(line int, format string, args ...any) {
	r.out.Notes = append(r.out.Notes, Note{Line: line, Text: fmt.Sprintf(format, args...)})
}

// silent notes that a default is YCSB's, of properties that stand for keys.
func (r *ycsbReader) silent(text string, keys ...string) {
	r.out.Notes = append(r.out.Notes, Note{Text: text, Keys: keys})
}

func (r *ycsbReader) refuse(p Property, allowed string) {
	r.faults = append(r.faults, &Fault{p.Line, p.Key, p.Value, allowed})
}

func (r *ycsbReader) set(of Holder, key, value string, line int) {
	r.out.Settings = append(r.out.Settings, Setting{of, key, value, line})
}

// class checks that the file is one of the core workload.
func (r *ycsbReader) class() {
	r.take("table") // is that of the client
	r.take("db")
	if p, ok := r.take("workload"); ok && !strings.HasSuffix(p.Value, ".ycsb.workloads.CoreWorkload") {
		r.refuse(p, "site.ycsb.workloads.CoreWorkload, the only workload that is known here")
	}
}

// load is what inserts the rows: insertcount of them, or all from insertstart on.
func (r *ycsbReader) load() {
	records, given := r.whole("recordcount", 0)
	start, _ := r.whole("insertstart", 0)
	count, counted := r.whole("insertcount", max(records-start, 0))
	switch p := r.of["recordcount"]; {
	case counted:
		p = r.of["insertcount"]
		fallthrough
	case given:
		switch {
		case count == 0:
			r.refuse(p, "above 0, the rows to insert")
		case given && start+count > records:
			r.refuse(p, fmt.Sprintf("at most recordcount less insertstart (%d)", max(records-start, 0)))
		}
		r.set(OfWorkload, "records", fmt.Sprint(count), p.Line)
	}
	if start > 0 {
		r.note(r.of["insertstart"].Line, "insertstart: a client's keys begin behind those of the clients before it, wherever that is")
	}
	for _, name := range runOnly {
		r.take(name)
	}
}

// runOnly are properties that say nothing of a load phase.
var runOnly = []string{"operationcount", "readproportion", "updateproportion", "insertproportion", "scanproportion", "readmodifywriteproportion",
	"requestdistribution", "minscanlength", "maxscanlength", "scanlengthdistribution", "readallfields", "writeallfields"}

// run is what is asked for in a run phase.
func (r *ycsbReader) run() {
	r.out.Records, _ = r.whole("recordcount", 0)
	r.out.RecordsLine = r.of["recordcount"].Line
	for _, name := range []string{"insertstart", "insertcount"} {
		if n, given := r.whole(name, 0); given && n > 0 {
			r.note(r.of[name].Line, "%s is left out: in a run phase requests go to all rows of the table", name)
		}
	}
	operations, given := r.whole("operationcount", 0)
	if p := r.of["operationcount"]; given && operations > 0 {
		r.set(OfWorkload, "operations", fmt.Sprint(operations), p.Line)
	}
	s := r.shares()
	requests := r.word("requestdistribution", "uniform", OfWorkload, "request_distribution", "uniform", "zipfian", "latest")
	existing := s.Read + s.Update + s.Scan + s.ReadModifyWrite
	if _, given := r.of["requestdistribution"]; !given && existing > 0 {
		r.silent("requestdistribution is not given: YCSB's default is uniform", "request_distribution")
	}
	if requests == "latest" && s.Insert == 0 {
		r.note(r.of["requestdistribution"].Line, "requestdistribution: the latest rows stay the same, as nothing is inserted (insertproportion is 0)")
	}
	r.scans(s.Scan > 0)
	for _, all := range [][2]string{{"readallfields", "reads and scans"}, {"writeallfields", "updates"}} {
		if p, ok := r.take(all[0]); ok && strings.EqualFold(p.Value, "true") {
			r.note(p.Line, "%s is left out: %s are of one field here", all[0], all[1])
		}
	}
}

// shares are the proportions, which YCSB takes as weights.
func (r *ycsbReader) shares() (s Shares) {
	total := 0.0
	names := []string{"readproportion", "updateproportion", "insertproportion", "scanproportion", "readmodifywriteproportion"}
	keys := []string{"read", "update", "insert", "scan", "read_modify_write"}
	weights := []*float64{&s.Read, &s.Update, &s.Insert, &s.Scan, &s.ReadModifyWrite}
	defaults := []float64{0.95, 0.05, 0, 0, 0}
	var silent []string
	for i, name := range names {
		given := false
		if *weights[i], given = r.weight(name, defaults[i]); !given && defaults[i] > 0 {
			silent = append(silent, fmt.Sprintf("%s %v", name, defaults[i]))
		}
		total += *weights[i]
	}
	if total == 0 {
		if len(r.faults) == 0 {
			r.faults = append(r.faults, &Fault{0, "readproportion", "", "a weight above 0, or another proportion"})
		}
		return s
	}
	var mix []string
	for i, w := range weights {
		if *w > 0 {
			r.set(OfWorkload, keys[i], decimal(*w/total), r.of[names[i]].Line)
			mix = append(mix, fmt.Sprintf("%s %.4g", keys[i], *w/total))
		}
	}
	if len(silent) > 0 {
		r.silent(fmt.Sprintf("%s: not given, so YCSB's defaults; the mix is %s", strings.Join(silent, " and "), strings.Join(mix, ", ")), "read", "update")
	}
	return s
}

// scans are the lengths of scans, if there are any.
func (r *ycsbReader) scans(any bool) {
	for _, l := range []struct {
		name, key string
		otherwise int64
	}{{"minscanlength", "min_scan_length", 1}, {"maxscanlength", "max_scan_length", 1000}} {
		n, given := r.whole(l.name, l.otherwise)
		if any && !given && l.otherwise > 1 {
			r.silent(fmt.Sprintf("%s is not given: YCSB's default is %d", l.name, l.otherwise), l.key)
		}
		if n < 1 {
			r.refuse(r.of[l.name], "at least 1")
		}
		r.set(OfWorkload, l.key, fmt.Sprint(n), r.of[l.name].Line)
	}
	r.word("scanlengthdistribution", "uniform", OfWorkload, "scan_length_distribution", "uniform", "zipfian")
	if _, given := r.of["scanlengthdistribution"]; any && !given {
		r.silent("scanlengthdistribution is not given: YCSB's default is uniform", "scan_length_distribution")
	}
}
