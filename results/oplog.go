package results

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// OpLog is what maintenance managers ran, simulated or real, as far as somebody saw it. Times are ns from a zero of its own.
type OpLog struct {
	Name    string // of where it comes from
	Label   string // of its side in a comparison; empty: "real" or "simulated"
	Servers int
	End     int64        // up to when it reaches
	Ops     []LoggedOp   // by the time they were chosen
	Tablets []HeightLine // of every tablet whose height is known, by name
	Tables  []HeightLine // mean of the tablets of each table, by name
}

// Unseen stands for a count or a number of bytes that a log does not tell; a float that it does not tell is NaN.
const Unseen = -1

// LoggedOp is one maintenance op of an op log.
type LoggedOp struct {
	Server        int
	Kind          string // Kudu's name: CompactRowSetsOp
	Tablet        string // table/bucket; where the table is not known, the tablet's id
	Role          string // of the replica: "yes" = leader, "no", "" = not known
	Chosen        int64  //
	Ran           int64  // ns; Unseen = it had not ended when the log ends
	Rule          Rule   // "" = not known
	Reason        string // in Kudu's words
	Score         float64
	RAM           int64   // bytes of memory it anchored
	WAL           int64   // bytes of WAL it retained or frees
	Data          int64   // bytes of data a GC frees
	MemoryPercent float64 // % of the hard limit

	Inputs, Outputs           int
	BytesRead, BytesWritten   int64
	HeightBefore, HeightAfter float64
}

// NewLoggedOp gives an op of which nothing is known but what it is and when it was chosen.
func NewLoggedOp(kind, tablet string, chosen int64) LoggedOp {
	nan := math.NaN()
	return LoggedOp{Kind: kind, Tablet: tablet, Chosen: chosen, Ran: Unseen, Score: nan, MemoryPercent: nan,
		RAM: Unseen, WAL: Unseen, Data: Unseen, Inputs: Unseen, Outputs: Unseen, BytesRead: Unseen, BytesWritten: Unseen,
		HeightBefore: nan, HeightAfter: nan}
}

// Table is the table of the op's tablet; "" = not known.
func (o *LoggedOp) Table() string { return TableOf(o.Tablet) }

// TableOf is the table of a tablet named as table/bucket, "" of any other.
func TableOf(tablet string) string {
	if slash := strings.LastIndexByte(tablet, '/'); slash >= 0 {
		return tablet[:slash]
	}
	return ""
}

// Idle says whether the op is known to have found nothing to do. Kudu schedules an op a second time if the first has not yet taken
// its locks.
func (o *LoggedOp) Idle() bool { return o.Inputs == 0 && strings.HasPrefix(o.Kind, "CompactRowSets") }

// HeightLine is the average rowset height of a tablet, or the mean over a table's tablets: Height[i] holds from At[i] on.
type HeightLine struct {
	Name   string
	At     []int64 // ns
	Height []float64
}

// Reached is when the height was first at most so high.
func (h *HeightLine) Reached(most float64) (at int64, ok bool) {
	for i, height := range h.Height {
		if height <= most {
			return h.At[i], true
		}
	}
	return 0, false
}

func (h *HeightLine) add(at int64, height float64) {
	h.At, h.Height = append(h.At, at), append(h.Height, height)
}

// LogOf gives the ops of a run as a log.
func LogOf(run *Run) *OpLog {
	l := &OpLog{Name: run.Line, Servers: run.Servers, End: run.End}
	for i := range run.Ops {
		o := &run.Ops[i]
		logged := NewLoggedOp(o.Kind, run.Tables[o.Table].Name+"/"+strconv.Itoa(o.Tablet), o.Chosen)
		logged.Server, logged.Role = o.Server, role(o.Leader)
		if o.End >= 0 {
			logged.Ran = o.End - o.Chosen
			logged.HeightAfter = o.HeightAfter
		}
		logged.Reason = o.Reason()
		logged.setReason()
		if o.Rule == RulePerf {
			logged.Score = o.Score // exactly; the reason has six decimals
		}
		logged.Inputs, logged.Outputs, logged.BytesRead, logged.BytesWritten = o.Inputs, o.Outputs, o.BytesRead, o.BytesWritten
		logged.HeightBefore = o.HeightBefore
		l.Ops = append(l.Ops, logged)
	}
	for t := range run.Tables {
		line := HeightLine{Name: run.Tables[t].Name}
		for _, s := range run.Samples {
			if s.Table == t {
				line.add(s.At, s.Height)
			}
		}
		l.Tables = append(l.Tables, line)
	}
	l.heightsOfOps()
	return l
}

// Rename gives tablets other names, such as table/bucket for an id. It leaves the names that are not in the map.
func (l *OpLog) Rename(names map[string]string) {
	for i := range l.Ops {
		if name, ok := names[l.Ops[i].Tablet]; ok {
			l.Ops[i].Tablet = name
		}
	}
	for i := range l.Tablets {
		if name, ok := names[l.Tablets[i].Name]; ok {
			l.Tablets[i].Name = name
		}
	}
}

// Shift makes ns the new zero of time.
func (l *OpLog) Shift(ns int64) {
	l.End -= ns
	for i := range l.Ops {
		l.Ops[i].Chosen -= ns
	}
	for _, lines := range [][]HeightLine{l.Tablets, l.Tables} {
		for i := range lines {
			for k := range lines[i].At {
				lines[i].At[k] -= ns
			}
		}
	}
}

// First is when the first op of a kind was chosen.
func (l *OpLog) First(kind string) (at int64, ok bool) {
	for i := range l.Ops {
		if l.Ops[i].Kind == kind {
			return l.Ops[i].Chosen, true
		}
	}
	return 0, false
}

// Kinds names the kinds of the ops, sorted.
func (l *OpLog) Kinds() (kinds []string) {
	for i := range l.Ops {
		kinds = appendNew(kinds, l.Ops[i].Kind)
	}
	slices.Sort(kinds)
	return kinds
}

// Only drops what ran on other servers. The heights of tables, which are means over all servers, become those of the server's tablets.
func (l *OpLog) Only(server int) {
	l.Ops = slices.DeleteFunc(l.Ops, func(o LoggedOp) bool { return o.Server != server })
	l.Servers, l.Tablets, l.Tables = 1, nil, nil
	l.heightsOfOps()
}

// heightsOfOps takes the heights of tablets from what the ops found and left, and those of tables from them if nothing better is known.
// With several servers a tablet has a height on each, so none is taken.
func (l *OpLog) heightsOfOps() {
	if l.Servers > 1 {
		return
	}
	lines := map[string]*HeightLine{}
	for i := range l.Ops {
		o := &l.Ops[i]
		if math.IsNaN(o.HeightBefore) {
			continue
		}
		line := lines[o.Tablet]
		if line == nil {
			line = &HeightLine{Name: o.Tablet}
			line.add(l.Ops[0].Chosen, o.HeightBefore)
			lines[o.Tablet] = line
		}
		if o.Ran >= 0 && !math.IsNaN(o.HeightAfter) {
			line.add(o.Chosen+o.Ran, o.HeightAfter)
		}
	}
	for _, name := range sortedKeys(lines) {
		line := lines[name]
		line.sort()
		l.Tablets = append(l.Tablets, *line)
	}
	if l.Tables == nil {
		l.Tables = means(l.Tablets)
	}
}

// sort puts the heights in the order of time: where several threads work on a tablet, ops end in another order than they begin.
func (h *HeightLine) sort() {
	order := make([]int, len(h.At))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.At[a], h.At[b]) })
	sorted := HeightLine{Name: h.Name}
	for _, i := range order {
		sorted.add(h.At[i], h.Height[i])
	}
	*h = sorted
}

// means gives the mean height of the tablets of each table.
func means(tablets []HeightLine) (tables []HeightLine) {
	byTable := map[string][]*HeightLine{}
	for i := range tablets {
		if table := TableOf(tablets[i].Name); table != "" {
			byTable[table] = append(byTable[table], &tablets[i])
		}
	}
	for _, table := range sortedKeys(byTable) {
		tables = append(tables, mean(table, byTable[table]))
	}
	return tables
}

// mean walks through all changes in the order of time and keeps the sum. It begins when every height is known.
func mean(name string, lines []*HeightLine) HeightLine {
	type change struct {
		at     int64
		line   int
		height float64
	}
	var changes []change
	for i, line := range lines {
		for k := range line.At {
			changes = append(changes, change{line.At[k], i, line.Height[k]})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	out, now, known := HeightLine{Name: name}, make([]float64, len(lines)), 0
	for i := range now {
		now[i] = math.NaN()
	}
	for i, c := range changes {
		if math.IsNaN(now[c.line]) {
			known++
		}
		now[c.line] = c.height
		if known < len(lines) || i+1 < len(changes) && changes[i+1].at == c.at {
			continue
		}
		sum := 0.0
		for _, height := range now {
			sum += height
		}
		out.add(c.at, sum/float64(len(lines)))
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func role(leader bool) string {
	if leader {
		return "yes"
	}
	return "no"
}
