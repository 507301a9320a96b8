package configs

import "testing"

const withYCSB = `name: small
tables:
  - {name: t, tablets: 4}
phases:
  - name: load
    clients:
      - {table: t, workload: {ycsb: testdata/ycsb/mine.properties, ycsb_phase: load, records: 70000}, session: {buffers: 3}}
  - name: run
    clients:
      - {table: t, target: 7, workload: {ycsb: testdata/ycsb/mine.properties, max_scan_length: 9}}
policies:
  - policy: raw
`

// What a property file says is taken where the experiment says nothing, down to the table's rows, and taken back when another file is set.
func TestPropertyFile(t *testing.T) {
	d, err := Parse("x.yaml", []byte(withYCSB))
	if err != nil {
		t.Fatal(err)
	}
	e := d.Experiment
	load, run := &e.Phases[0].Clients[0], &e.Phases[1].Clients[0]
	if w := load.Workload; w.Records != 70_000 || w.InsertOrder != "ordered" || w.ZeroPadding != 8 || w.Read != 0 || w.YCSB != "" {
		t.Errorf("the load phase is %+v", w)
	}
	if load.Threads != 4 || load.Target != 500 || load.Session.BufferOps != 500 || load.Session.Buffers != 3 {
		t.Errorf("the loading client is %+v", load)
	}
	if w := run.Workload; w.Operations != 20_000 || w.Insert != 0.25 || w.Read != 0.475 || w.RequestDist != "uniform" || w.MaxScanLen != 9 || run.Target != 7 {
		t.Errorf("the run phase is %+v at %v", w, run.Target)
	}
	if r := e.Tables[0].Record; r.Fields != 5 || r.FieldLength != 200 {
		t.Errorf("rows are %+v", r)
	}
	again, err := Parse("y.yaml", d.YAML())
	if err != nil || string(again.YAML()) != string(d.YAML()) {
		t.Errorf("what was read can't be read again: %v", err)
	}
	if err := d.Set("phases[0].clients[0].workload.ycsb=ycsb-c", "phases[1].clients[0].workload.ycsb=ycsb-c"); err != nil {
		t.Fatal(err)
	}
	e = d.Experiment
	load, run = &e.Phases[0].Clients[0], &e.Phases[1].Clients[0]
	if load.Workload.InsertOrder != "hashed" || load.Workload.Records != 70_000 || load.Threads != 1 || load.Session.BufferOps != 2000 || load.Session.Buffers != 3 {
		t.Errorf("after another file the loading client is %+v", load)
	}
	if w := run.Workload; w.Read != 1 || w.Insert != 0 || w.RequestDist != "zipfian" || w.MaxScanLen != 9 || e.Tables[0].Record.Fields != 10 {
		t.Errorf("after another file the run phase is %+v, rows are %+v", w, e.Tables[0].Record)
	}
}

// The six that ship can be run after a load.
func TestShippedPropertyFiles(t *testing.T) {
	for _, name := range []string{"ycsb-a", "ycsb-b", "ycsb-c", "ycsb-d", "ycsb-e", "ycsb-f"} {
		d, err := Parse("x.yaml", []byte(withYCSB), Sets("phases[0].clients[0].workload.ycsb="+name, "phases[1].clients[0].workload.ycsb="+name)...)
		if err != nil || len(d.Warnings) > 0 {
			t.Errorf("%s: %v, warnings %q", name, err, d.Warnings)
		}
	}
}
