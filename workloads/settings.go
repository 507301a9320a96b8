package workloads

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Settings is what a YCSB property file asks for, YCSB's defaults filled in.
type Settings struct {
	Table       string
	Records     int64   // rows that the load phase inserts and the run phase finds
	Operations  int64   // operations of the run phase, over all threads; 0 in the load phase
	Threads     int     // 1 or more
	Target      float64 // operations a second over all threads; 0 = as fast as they can
	Read        float64 // proportions of the run phase, which add up to 1; 0 in the load phase
	Update      float64
	Insert      float64
	Scan        float64
	RequestDist string // as NewChooser takes it
	ScanLenDist string // as NewLengths takes it
	MinScanLen  int
	MaxScanLen  int
	InsertOrder Order
	Fields      int
	FieldLength int // bytes
}

// Properties that YCSB acts on and mmsim does not.
var notSimulated = []string{"dataintegrity", "exporter", "fieldlengthdistribution", "fieldlengthhistogram", "insertcount",
	"insertstart", "maxexecutiontime", "measurementtype", "minfieldlength", "readallfields", "writeallfields", "zeropadding"}

// Load gives the settings of the load phase, which inserts all records. Warnings are sentences for the user.
func (p *Properties) Load() (s Settings, warnings []string, err error) {
	r := &reader{p: p}
	s = r.common()
	r.note(runOnly)
	return s, r.warnings, errors.Join(r.errs...)
}

// Run gives the settings of the run phase. Warnings are sentences for the user.
func (p *Properties) Run() (s Settings, warnings []string, err error) {
	r := &reader{p: p}
	s = r.common()
	s.Operations = r.integer("operationcount", 0, 0)
	if s.Operations == 0 && len(r.errs) == 0 {
		r.fail("operationcount", "a run phase needs 1 or more")
	}
	s.RequestDist = r.choice("requestdistribution", "uniform", "uniform", "zipfian", "latest")
	s.ScanLenDist = r.choice("scanlengthdistribution", "uniform", "uniform", "zipfian")
	s.MinScanLen = int(r.integer("minscanlength", 1, 1))
	s.MaxScanLen = int(r.integer("maxscanlength", 1000, int64(s.MinScanLen)))
	r.proportions(&s)
	r.note(nil)
	return s, r.warnings, errors.Join(r.errs...)
}

// reader takes values from properties and gathers what there is to say about them.
type reader struct {
	p        *Properties
	seen     []string // names that mean something here
	warnings []string
	errs     []error
}

// runOnly are properties that mean something, but not to a load phase.
var runOnly = []string{"operationcount", "requestdistribution", "scanlengthdistribution", "minscanlength", "maxscanlength",
	"readproportion", "updateproportion", "insertproportion", "scanproportion", "readmodifywriteproportion"}

func (r *reader) common() Settings {
	r.seen = append(r.seen, "workload")
	return Settings{
		Table:       r.text("table", "usertable"),
		Records:     r.integer("recordcount", 0, 1),
		Threads:     int(r.integer("threadcount", 1, 1)),
		Target:      r.number("target", 0),
		InsertOrder: r.insertOrder(),
		Fields:      int(r.integer("fieldcount", 10, 1)),
		FieldLength: int(r.integer("fieldlength", 100, 1)),
	}
}

// proportions normalises the weights. YCSB's defaults for reads and updates are not 0, which surprises who wrote
// down only scans or inserts; so they are told.
func (r *reader) proportions(s *Settings) {
	read, update := r.number("readproportion", 0.95), r.number("updateproportion", 0.05)
	insert, scan := r.number("insertproportion", 0), r.number("scanproportion", 0)
	if r.number("readmodifywriteproportion", 0) > 0 {
		r.fail("readmodifywriteproportion", "read-modify-write is not simulated: must be 0")
	}
	total := read + update + insert + scan
	if total == 0 {
		r.fail("readproportion", "all proportions are 0: one must be above 0")
		return
	}
	s.Read, s.Update, s.Insert, s.Scan = read/total, update/total, insert/total, scan/total
	unset := r.p.find("readproportion") == nil || r.p.find("updateproportion") == nil
	if unset && insert+scan > 0 {
		r.warn("%s: readproportion is 0.95 and updateproportion 0.05 where not set, so operations are %.4g %% READ, "+
			"%.4g %% UPDATE, %.4g %% INSERT, %.4g %% SCAN", r.p.file, 100*s.Read, 100*s.Update, 100*s.Insert, 100*s.Scan)
	}
}

// insertOrder: to YCSB whatever is not "hashed" is ordered.
func (r *reader) insertOrder() Order {
	value := r.text("insertorder", "hashed")
	if value == "hashed" {
		return Hashed
	}
	if value != "ordered" {
		r.warn("%s: insertorder %q means ordered, as in YCSB", r.at("insertorder"), value)
	}
	return Ordered
}

// note warns of the properties that nothing here looked at.
func (r *reader) note(known []string) {
	var ignored []string
	for _, e := range r.p.entries {
		switch {
		case slices.Contains(r.seen, e.name) || slices.Contains(known, e.name) || slices.Contains(ignored, e.name):
		case slices.Contains(notSimulated, e.name):
			r.warn("%s: %s is not simulated", r.at(e.name), e.name)
			r.seen = append(r.seen, e.name)
		default:
			ignored = append(ignored, e.name)
		}
	}
	if len(ignored) > 0 {
		r.warn("%s: ignored: %s", r.p.file, strings.Join(ignored, ", "))
	}
}

// text takes a value without blanks behind it, which Java would keep.
func (r *reader) text(name, otherwise string) string {
	r.seen = append(r.seen, name)
	e := r.p.find(name)
	if e == nil {
		return otherwise
	}
	value := strings.TrimRight(e.value, blanks)
	if value != e.value {
		r.warn("%s: %s: blanks behind %q dropped; YCSB would keep them", r.at(name), name, value)
	}
	return value
}

func (r *reader) integer(name string, otherwise, least int64) int64 {
	value := r.text(name, strconv.FormatInt(otherwise, 10))
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err != nil && strings.ContainsAny(value, ",_"):
		r.fail(name, "must be an integer without separators: "+strings.NewReplacer(",", "", "_", "").Replace(value))
	case err != nil:
		r.fail(name, "must be an integer")
	case n < least:
		r.fail(name, fmt.Sprintf("must be %d or more", least))
	}
	return n
}

// number is 0 or more.
func (r *reader) number(name string, otherwise float64) float64 {
	value := r.text(name, strconv.FormatFloat(otherwise, 'g', -1, 64))
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		r.fail(name, "must be a number, 0 or more")
		return 0
	}
	return x
}

func (r *reader) choice(name, otherwise string, allowed ...string) string {
	value := r.text(name, otherwise)
	if !slices.Contains(allowed, value) {
		r.fail(name, "must be one of "+strings.Join(allowed, ", "))
	}
	return value
}

func (r *reader) warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

func (r *reader) fail(name, reason string) {
	if e := r.p.find(name); e != nil {
		reason = fmt.Sprintf("%q: %s", e.value, reason)
	}
	r.errs = append(r.errs, fmt.Errorf("%s: %s: %s", r.at(name), name, reason))
}

// at is the place of a property for messages.
func (r *reader) at(name string) string {
	if e := r.p.find(name); e != nil && e.line > 0 {
		return fmt.Sprintf("%s:%d", r.p.file, e.line)
	}
	return r.p.file
}
