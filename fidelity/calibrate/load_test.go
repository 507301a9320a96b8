package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

const loadHeader = "from_s\tto_s\tscans_s\trows_s\theight\tscanned\tcores"

// Compactions beside a load of known parameters, which the fit finds again. Without the load they seem dearer.
func TestLoad(t *testing.T) {
	truth, err := baseMachine("kudu-2core-vm")
	if err != nil {
		t.Fatal(err)
	}
	truth.CoreWorth, truth.Client.WarmUp, truth.Client.WarmUpOps = 0.8, 10, 5000
	random := rand.New(rand.NewPCG(1, 2))
	var ops, load []string
	var lines loads
	for from := 0.0; from < 1000; from += 5 {
		l := loadLine{from: from, to: from + 5, scans: 300, height: 10, batch: 1000, scanned: 300 * from}
		if from >= 500 { // a quiet while, and one of other work
			l.scans, l.cores = 0, math.Mod(from, 7)/8
		}
		lines = append(lines, l)
		load = append(load, fmt.Sprintf("%v\t%v\t%v\t0\t10\t%v\t%v", l.from, l.to, l.scans, l.scanned, l.cores))
	}
	for i, at := 0, 0.0; at < 980; i++ {
		size, inputs := float64(40+i*37%90), float64(2+i*5%13)
		op := loggedOp{start: at, ran: 2, jobs: 1}
		cost := (100 + size*(10+0.3*inputs)) / 1000 * math.Exp(0.1*random.NormFloat64()-0.005)
		for range 20 { // the load of its whole time slows it
			op.ran = cost * lines.slowed(&op, &truth)
		}
		ops = append(ops, fmt.Sprintf("%.4f\tCompactRowSets\tt/0\t%.6f\t%.0f\t%v", at, op.ran, size*mib, inputs))
		at += op.ran + 0.5
	}
	in := &Input{Base: "kudu-2core-vm", Name: "made-up", Ops: []string{write(t, "ops.tsv", opHeader, ops...)}, Load: write(t, "load.tsv", loadHeader, load...)}
	r, err := Run(in)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"core_worth": 0.8, "client.warm_up": 10, "client.warm_up_ops": 5000, "op.compact_fixed": 100e6, "op.compact_mib": 10e6, "op.compact_input_mib": 0.3e6}
	found := 0
	for _, p := range append(r.Shared, r.Fits[0].Parameters...) {
		found++
		if v := want[p.Name]; v < p.Low || v > p.High {
			t.Errorf("%s: %v to %v, want %v inside", p.Name, p.Low, p.High, v)
		}
	}
	if found != len(want) {
		t.Errorf("%d parameters, want %d", found, len(want))
	}
	in.Load = ""
	if r, err = Run(in); err != nil {
		t.Fatal(err)
	}
	if p := r.Fits[0].Parameters[1]; p.Low < 10.2e6 {
		t.Errorf("without the load %s is %v to %v", p.Name, p.Low, p.High)
	}
}

func TestBadLoad(t *testing.T) {
	ops := write(t, "ops.tsv", opHeader, opLines(0.1)...)
	for _, c := range []struct{ header, line, want string }{
		{"from_s\tto_s", "0\t5", "load.tsv: no load in it: want at least one of the columns cores, scans_s and rows_s"},
		{"from_s\tcores", "0\t1", "load.tsv:1: column to_s is missing or empty: want columns from_s, to_s"},
		{"from_s\tto_s\tcores", "5\t4\t1", `load.tsv:2: to_s: "4" is not a number of seconds, at least from_s`},
		{"from_s\tto_s\tcores", "0\t5\t-1", `load.tsv:2: cores: "-1" is not a number, at least 0`},
		{"from_s\tto_s\trows_s\tbatch_rows", "0\t5\t10\t0", `load.tsv:2: batch_rows: "0" is not a number, at least 1`},
	} {
		_, err := Run(&Input{Base: "kudu-2core-vm", Ops: []string{ops}, Load: write(t, "load.tsv", c.header, c.line)})
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.line, err, c.want)
		}
	}
}

// Lines of other logs count for none, and a log that no line speaks of is said to have had no load.
func TestLoadOfLogs(t *testing.T) {
	ops := write(t, "ops.tsv", opHeader, opLines(0.1)...)
	r, err := Run(&Input{Base: "kudu-2core-vm", Ops: []string{ops}, Keep: ShareNames, Load: write(t, "load.tsv", "ops\tfrom_s\tto_s\tcores", "other/ops.tsv\t0\t1000\t1")})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{"1 lines of load are of op logs that were not given", ops + ": no load is given"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q lack %q", notes, want)
		}
	}
	if mib := r.Fits[1].Parameters[1].Value; math.Abs(mib/10e6-1) > 0.2 {
		t.Errorf("compact_mib is %v, want 10ms", mib)
	}
}
