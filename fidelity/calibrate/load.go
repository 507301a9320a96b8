package calibrate

import (
	"path/filepath"
	"strings"

	"mmsim/configs"
	"mmsim/sim/server"
)

// loads are what servers did beside maintenance ops.
type loads []loadLine

// loadLine is the load of one client, or of whatever computes, for a while.
type loadLine struct {
	ops            string  // the op log on whose clock it is; empty = on that of all
	from, to       float64 // s
	cores          float64 // that it keeps busy
	scans, rows    float64 // a second
	height, batch  float64 // rowsets over a key, and rows of a write RPC
	scanned, wrote float64 // scans and rows by that client before, since it was started
}

// loadColumns must be there; of the others at least one.
var loadColumns = []string{"from_s", "to_s"}

const loadNumber = "a number, at least 0"

func readLoads(path string) (loads, error) {
	if path == "" {
		return nil, nil
	}
	t, err := readTable(path, loadColumns)
	if err != nil {
		return nil, err
	}
	if !t.has("cores") && !t.has("scans_s") && !t.has("rows_s") {
		return nil, &configs.Problem{File: path, Allowed: "no load in it: want at least one of the columns cores, scans_s and rows_s"}
	}
	var all loads
	for _, r := range t.rows {
		l := loadLine{batch: 1000, height: 1}
		l.from = r.number("from_s", -longest/1e6, longest/1e6, "a number of seconds")
		l.to = r.number("to_s", l.from, longest/1e6, "a number of seconds, at least from_s")
		for column, v := range map[string]*float64{"cores": &l.cores, "scans_s": &l.scans, "rows_s": &l.rows, "height": &l.height, "scanned": &l.scanned, "wrote": &l.wrote, "batch_rows": &l.batch} {
			if t.has(column) && r.text(column) != "" {
				*v = r.number(column, 0, 1e12, loadNumber)
			}
		}
		if l.batch < 1 {
			r.refuse("batch_rows", "a number, at least 1")
		}
		if t.has("ops") {
			l.ops = r.text("ops")
		}
		if *r.err != nil {
			return nil, *r.err
		}
		all = append(all, l)
	}
	return all, nil
}

// notes tells which lines are of no log, and which logs have no line.
func (l loads) notes(r *Result, logs []string) {
	idle, used := 0, map[string]bool{}
	for i := range l {
		found := false
		for _, log := range logs {
			if l[i].ops == "" || ends(log, l[i].ops) {
				found, used[log] = true, true
			}
		}
		if !found {
			idle++
		}
	}
	if idle > 0 {
		r.note("%d lines of load are of op logs that were not given", idle)
	}
	for _, log := range logs {
		if !used[log] {
			r.note("%s: no load is given, the server is taken to have done nothing but its ops", log)
		}
	}
}

// ends tells whether a path is another, or that below some folder.
func ends(path, end string) bool {
	path, end = filepath.ToSlash(path), filepath.ToSlash(end)
	return path == end || strings.HasSuffix(path, "/"+end)
}

// slowed is how many times as long as alone an op takes on a machine, beside the load and the ops that ran meanwhile.
func (l loads) slowed(op *loggedOp, m *configs.Machine) float64 {
	if l == nil || op.unfinished {
		return 1
	}
	demand := 0.0
	for i := range l {
		x := &l[i]
		if x.ops != "" && !ends(op.file, x.ops) {
			continue
		}
		from, to := max(op.start, x.from), min(op.start+op.ran, x.to)
		if to > from || op.ran == 0 && to == from {
			demand += float64(x.demand((from+to)/2, m) * (to - from) / max(op.ran, 1e-9))
		}
	}
	return 1 / server.Speed(float64(m.Cores)*m.CoreWorth, op.jobs, demand)
}

// demand is how many cores the load keeps busy at a time, by what a machine's costs say.
func (x *loadLine) demand(at float64, m *configs.Machine) float64 {
	s, w := &m.Scan, &m.Write
	scan := float64(s.Fixed) + float64(x.height*float64(s.Iterate+s.Seek))
	row := float64(w.Row+w.ApplyRow) + float64(x.height*float64(w.BloomBatch)) + float64(w.Dispatch+w.Fixed+w.ApplyFixed)/x.batch
	if m.ClientsShare {
		scan += m.ClientScan() * m.Cold(x.scanned+float64(x.scans*(at-x.from)))
		row += m.ClientRow() * m.Cold(x.wrote+float64(x.rows*(at-x.from)))
	}
	return x.cores + (float64(x.scans*scan)+float64(x.rows*row))/1e9
}
