package tablet

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// kuduBest is Kudu's rule as it stands in its source: every store in turn, no short cuts.
func kuduBest(r *Replica, used float64) (best *Rowset, retained, oldest int64) {
	bestScore := 0.0
	for _, rs := range r.dms {
		replay := r.WAL.Retained(rs.DMS.Anchor)
		score := float64(float64(rs.DMS.Bytes)*used) + float64(float64(replay)*(100-used))
		if best == nil || score > bestScore || score > bestScore-1 && rs.DMS.Bytes > best.DMS.Bytes {
			best, bestScore, retained = rs, score, replay
		}
		if oldest == 0 || rs.DMS.Since < oldest {
			oldest = rs.DMS.Since
		}
	}
	return best, retained, oldest
}

func TestBestDMSIsKudus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := testReplica(false)
		var layout []piece
		for i := range 10 {
			layout = append(layout, piece{float64(i) / 10, (float64(i) + .9) / 10, 100})
		}
		layRowsets(r, layout...)
		for now := int64(1); now <= int64(rapid.IntRange(1, 80).Draw(t, "steps")); now++ {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				if len(r.dms) > 0 {
					r.FlushDMS(rapid.SampledFrom(r.dms).Draw(t, "flushed"))
				}
			case 1:
				if inputs := somePart(t, r.Rowsets); len(inputs) > 0 {
					r.EndCompaction(inputs, now, 0)
				}
			case 2:
				n, _ := r.CollectableWAL(1)
				r.WAL.Collect(n)
			case 3:
				r.WAL.Append(rapid.Int64Range(1, 20_000).Draw(t, "other"))
			default:
				index, _ := r.LogUpdates(rapid.Int64Range(1, 40).Draw(t, "batch"))
				place := rapid.Float64Range(0, 1).Draw(t, "place")
				for range rapid.IntRange(1, 5).Draw(t, "updates") {
					r.Update(now, index, place, 0)
				}
			}
			used := rapid.SampledFrom([]float64{0, 0, 60, 79.5, 100, 105}).Draw(t, "used")
			want, retained, oldest := kuduBest(r, used)
			got, gotRetained, gotOldest := r.BestDMS(used)
			if want == nil {
				if got != nil || r.HasDMS() {
					t.Fatalf("a best DMS without any")
				}
				continue
			}
			// Of stores that are equal in all the rule looks at, Kudu takes any.
			if got.DMS.Bytes != want.DMS.Bytes || gotRetained != retained || gotOldest != oldest {
				t.Fatalf("at %v %%: DMS of %d bytes that retains %d, oldest of %d; want %d, %d, %d", used, got.DMS.Bytes, gotRetained, gotOldest,
					want.DMS.Bytes, retained, oldest)
			}
		}
	})
}

// Memory weighs by what is used, the log by the rest.
func TestBestDMSWeighsMemoryAndLog(t *testing.T) {
	r := testReplica(false)
	rowsets := layRowsets(r, piece{0, .5, 100}, piece{.6, 1, 100})
	r.Update(100, r.WAL.Append(10_000), .1, 0) // 200 bytes, retains both segments
	second := r.WAL.Append(10_000)
	for range 100 {
		r.Update(200, second, .7, 0) // 20,000 bytes, retains one
	}
	for _, c := range []struct {
		used float64
		want int
	}{{0, 0}, {30, 0}, {60, 1}, {100, 1}} { // 20000*(100-w) + 200*w against 10000*(100-w) + 20000*w
		best, retained, oldest := r.BestDMS(c.used)
		if best != rowsets[c.want] || retained != int64(20_000-10_000*c.want) || oldest != 100 {
			t.Errorf("at %v %%: the best is %+v, retains %d, oldest of %d; want rowset %d", c.used, best.DMS, retained, oldest, c.want)
		}
	}
}

func TestFlushDMS(t *testing.T) {
	r := testReplica(false)
	rs := layRowsets(r, piece{0, 1, 100})[0]
	for range 4 {
		r.Update(3, 1, .5, .5)
	}
	if rs.DMS.Since != 3 || rs.DMS.Anchor != 1 || r.Memory() != 800 || !r.HasDMS() {
		t.Errorf("DMS %+v, memory %d; want it since 3, anchored at 1, 800 bytes", rs.DMS, r.Memory())
	}
	weight := rs.Weight()
	bytes, freed := r.FlushDMS(rs)
	if bytes != 600 || freed != 800 || r.Memory() != 0 || r.HasDMS() || rs.DMS.Anchor != NoAnchor {
		t.Errorf("flush wrote %d bytes and freed %d, %d are left; want 600, 800, 0", bytes, freed, r.Memory())
	}
	if rs.RedoFiles != 1 || rs.RedoRows != 4 || rs.RedoBytes != 600 || rs.Weight() != weight+600 {
		t.Errorf("after the flush %+v, want one REDO file of 4 rows", rs)
	}
	if bytes, freed = r.FlushDMS(rs); bytes != 0 || freed != 0 || rs.RedoFiles != 1 || r.Finished.DMSFlush != 2 {
		t.Errorf("a flush of nothing wrote %d bytes and freed %d", bytes, freed)
	}
}

// A compaction hands its inputs' updates to the outputs in whose range they lie; none is lost, and the oldest anchor stays.
func TestUpdatesSurviveCompaction(t *testing.T) {
	r := testReplica(false)
	rowsets := slices.Clone(layRowsets(r, piece{0, .4, 100}, piece{.5, 1, 100}, piece{0, 1, 100}))
	one, two, three := r.WAL.Append(1), r.WAL.Append(1), r.WAL.Append(1)
	density := [3]float64{250, 200, 100}
	r.Update(10, one, .2, 300/(density[0]+density[2])) // in the third
	r.Update(20, two, .2, 0)
	r.Update(30, three, .9, 0)
	if rowsets[0].DMS.Anchor != two || rowsets[1].DMS.Anchor != three || rowsets[2].DMS.Anchor != one {
		t.Fatalf("DMS anchors %d, %d, %d", rowsets[0].DMS.Anchor, rowsets[1].DMS.Anchor, rowsets[2].DMS.Anchor)
	}
	r.EndCompaction(rowsets, 40, 0)
	if len(r.Rowsets) != 3 {
		t.Fatalf("%d outputs, want 3", len(r.Rowsets))
	}
	want := []DeltaMemStore{{1, 200, 20, two}, {1, 200, 10, one}, {1, 200, 30, three}}
	for i, rs := range r.Rowsets {
		if rs.DMS != want[i] {
			t.Errorf("output %d has DMS %+v, want %+v", i, rs.DMS, want[i])
		}
	}
	if r.Memory() != 600 || !slices.IsSortedFunc(r.dms, func(a, b *Rowset) int { return int(a.DMS.Anchor - b.DMS.Anchor) }) {
		t.Errorf("memory %d, want 600 in stores by their anchors", r.Memory())
	}
	if bytes, freed := r.FlushDMS(rowsets[0]); bytes != 0 || freed != 0 || r.Memory() != 600 {
		t.Errorf("a flush of a rowset compacted away wrote %d bytes and freed %d", bytes, freed)
	}
}

// The scores of Kudu's diskrowset-test: at most 3 files to a minor compaction, majors from a ratio of 0.0001.
func TestDeltaScores(t *testing.T) {
	for _, c := range []struct {
		name         string
		files        int
		base, redo   int64
		max          int
		ratio        float64
		minor, major float64
	}{
		{"D1: no file", 0, 1000, 0, 3, .0001, 0, 0},
		{"D2: one file", 1, 1000, 50, 3, .0001, 0, .05},
		{"D4: three files", 3, 1000, 150, 3, .0001, 1, .15},
		{"D5: after the minor compaction", 1, 1000, 150, 3, .0001, 0, .15},
		{"D8: below the ratio", 1, 1000, 99, 1000, .1, 0, 0},
		{"D8: at it, but 0.1 is a float a little above", 1, 1000, 100, 1000, .1, 0, 0},
		{"D8: above it", 1, 1000, 101, 1000, .1, 0, .101},
		{"D8: more REDO than base", 1, 1000, 5000, 1000, .1, 0, 1},
		{"D9: two files", 2, 1000, 10, 1000, .1, .002, 0},
		{"D9: half the maximum", 500, 1000, 10, 1000, .1, .5, 0},
		{"D9: above the maximum", 1500, 1000, 10, 1000, .1, 1, 0},
	} {
		rs := Rowset{Base: c.base, RedoFiles: c.files, RedoBytes: c.redo}
		r := Replica{Rowsets: []*Rowset{&rs}}
		_, minor := r.WorstDeltas(false, c.max, c.ratio)
		_, major := r.WorstDeltas(true, c.max, c.ratio)
		if math.Abs(minor-c.minor) > 1e-12 || math.Abs(major-c.major) > 1e-12 {
			t.Errorf("%s: minor %v, major %v; want %v, %v", c.name, minor, major, c.minor, c.major)
		}
	}
}

func TestWorstDeltasSkipsLocked(t *testing.T) {
	r := testReplica(false)
	rowsets := layRowsets(r, piece{0, 1, 100}, piece{0, 1, 100}, piece{0, 1, 100})
	for i, files := range []int{3, 5, 5} {
		rowsets[i].RedoFiles = files
	}
	if worst, _ := r.WorstDeltas(false, 10, .1); worst != rowsets[1] {
		t.Error("the worst is not the first of the highest scores")
	}
	r.Lock(rowsets[1:])
	if worst, score := r.WorstDeltas(false, 10, .1); worst != rowsets[0] || score != .3 {
		t.Errorf("with the others locked the worst scores %v, want the first with 0.3", score)
	}
	r.Unlock(rowsets[1:2])
	if worst, _ := r.WorstDeltas(false, 10, .1); worst != rowsets[1] {
		t.Error("an unlocked rowset is passed over")
	}
}

func TestDeltaCompactions(t *testing.T) {
	r := testReplica(false)
	rs := layRowsets(r, piece{0, 1, 100})[0]
	rs.RedoFiles, rs.RedoRows, rs.RedoBytes, rs.Undo = 3, 30, 4500, 100
	base := rs.Base
	if r.EndMinor(rs); rs.RedoFiles != 1 || rs.RedoBytes != 4500 || rs.RedoRows != 30 || r.Finished.Minor != 1 {
		t.Errorf("after a minor compaction %+v, want one file with all updates", rs)
	}
	if r.EndMajor(rs, 8); rs.RedoFiles != 0 || rs.RedoBytes != 0 || rs.Undo != 4600 || rs.UndoTime != 8 || rs.Base != base || r.Finished.Major != 1 {
		t.Errorf("after a major compaction %+v, want no REDO and 4600 bytes of UNDO", rs)
	}
}

func TestUndoGC(t *testing.T) {
	r := testReplica(false)
	rowsets := layRowsets(r, piece{0, 1, 100}, piece{0, 1, 100}, piece{0, 1, 100}, piece{0, 1, 100})
	for i, at := range []int64{10, 20, 10, 10} {
		rowsets[i].Undo, rowsets[i].UndoTime = 100, at
	}
	rowsets[3].Undo = 0
	r.Lock(rowsets[2:3])
	var picked []*Rowset
	if bytes := r.AncientUndo(20, func(rs *Rowset) { picked = append(picked, rs) }); bytes != 100 || !slices.Equal(picked, rowsets[:1]) {
		t.Errorf("%d bytes before 20 in %d rowsets, want 100 in the first", bytes, len(picked))
	}
	if bytes := r.EndUndoGC(picked); bytes != 100 || r.AncientUndo(20, nil) != 0 || rowsets[1].Undo != 100 {
		t.Errorf("GC freed %d bytes, %d are left", bytes, r.AncientUndo(20, nil))
	}
}
