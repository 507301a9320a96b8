package sim

import (
	"testing"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/sim/tablet"
)

// timeSeries is a tenth of the time series that ships with mmsim.
func timeSeries(t *testing.T, sets ...string) *configs.Experiment {
	t.Helper()
	doc, err := configs.LoadEmbedded("time-series")
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Set(sets...); err != nil {
		t.Fatal(err)
	}
	e, err := doc.Experiment.Scaled(0.1)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Rows that come in the order of time and go in the same order: the newest ranges take the inserts, rowset after rowset dies and is dropped, and what is left is what
// was inserted and not deleted.
func TestTimeSeries(t *testing.T) {
	w := newTestWorld(t, timeSeries(t))
	for i := range w.exp.Phases {
		runPhase(t, w, i)
	}
	rows := w.rows[0]
	if rows.Inserted != 1_200_000 || rows.Deleted < 590_000 {
		t.Errorf("%+v, want 1,200,000 inserted and 600,000 deleted, but for the operations under way at the end", rows)
	}
	for n := range 3 {
		var live, oldest, newest int64
		for i := range 16 {
			p := &w.cluster.Tablets[i].Replicas[n]
			held := liveRows(p.Replica)
			switch live += held; i % 8 {
			case 0, 1, 2: // of 8 ranges of 1,200,000 keys the first 4 are deleted
				oldest += held + int64(len(p.Replica.Rowsets))
			case 7:
				newest += held
			}
		}
		want := rows.Inserted - rows.Deleted
		if live < want-4000 || live > want+4000 { // two buffers of each thread may be lost at the end
			t.Errorf("replicas %d hold %d rows, want %d", n, live, want)
		}
		if oldest != 0 || newest < 140_000 {
			t.Errorf("replicas %d hold %d rows and rowsets in the three oldest ranges and %d in the newest, want none and about 150,000", n, oldest, newest)
		}
	}
	kinds := map[string]int{}
	for _, op := range w.log.ops.take() {
		kinds[op.Kind]++
	}
	if kinds[policies.DeletedRowSetGC.String()] < 30 {
		t.Errorf("ops by kind: %v, want a DeletedRowSetGC for most rowsets of four ranges", kinds)
	}
}

// liveRows is how many rows a replica holds that are not deleted.
func liveRows(r *tablet.Replica) int64 {
	n := r.MRS.Rows - r.MRS.Deleted + r.Flushing.Rows - r.Flushing.Deleted
	for _, rs := range r.Rowsets {
		n += rs.Rows - rs.Deleted
	}
	return n
}

// Threads that insert into ranges of their own leave rowsets that overlap less. Hashed keys leave a layer a flush; of three threads' ranges a flush leaves two rowsets
// that reach over a gap, each a third of the keys long: two thirds of a layer.
func TestRangesOverlapLittle(t *testing.T) {
	heights := map[string]float64{}
	for _, order := range []string{"hashed", "ranges"} {
		w := newTestWorld(t, testdata(t, "busy", "phases[0].clients[1].workload={records: 60000, insert_order: "+order+"}", "phases[2].clients[0].workload.insert_order="+order,
			"maintenance.off=[CompactRowSetsOp]"))
		runPhase(t, w, 0)
		for _, p := range w.cluster.Tablets[2].Replicas {
			heights[order] += p.Replica.Height() / 3
		}
	}
	if heights["ranges"] > 0.75*heights["hashed"] {
		t.Errorf("heights %v", heights)
	}
}
