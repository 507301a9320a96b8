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
					flushDMS(r, rapid.SampledFrom(r.dms).Draw(t, "flushed"))
				}
			case 1:
				if inputs := somePart(t, r.Rowsets); len(inputs) > 0 {
					compact(r, inputs, now, 0)
				}
			case 2:
				n, _ := r.CollectableWAL(1)
				r.WAL.Collect(n)
			case 3:
				r.WAL.Append(rapid.Int64Range(1, 20_000).Draw(t, "other"))
			default:
				index, _ := r.LogChanges(Changes{Updates: rapid.Int64Range(1, 40).Draw(t, "batch")})
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
	if n := r.RedoFiles(); n != 0 {
		t.Errorf("%d REDO files before the flush", n)
	}
	if rs.DMS.Since != 3 || rs.DMS.Anchor != 1 || r.Memory() != 800 || !r.HasDMS() {
		t.Errorf("DMS %+v, memory %d; want it since 3, anchored at 1, 800 bytes", rs.DMS, r.Memory())
	}
	weight := rs.Weight()
	if freed := flushDMS(r, rs); freed != 800 || r.Memory() != 0 || r.HasDMS() || rs.DMS.Anchor != NoAnchor {
		t.Errorf("flush freed %d bytes, %d are left; want 800, 0", freed, r.Memory())
	}
	if r.RedoFiles() != 1 || rs.RedoFiles != 1 || rs.RedoRows != 4 || rs.RedoBytes != 600 || rs.Weight() != weight+600 {
		t.Errorf("after the flush %+v, want one REDO file of 4 rows", rs)
	}
	if freed := flushDMS(r, rs); freed != 0 || r.RedoFiles() != 1 || rs.RedoFiles != 1 || r.Finished.DMSFlush != 2 {
		t.Errorf("a flush of nothing freed %d bytes", freed)
	}
}

// What an op writes stays in memory and holds the log until the op ends; updates that come meanwhile go to a new store.
func TestFrozenDMS(t *testing.T) {
	r := testReplica(false)
	rs := layRowsets(r, piece{0, 1, 100})[0]
	r.Update(1, r.WAL.Append(10_000), .5, .5)
	r.WAL.Append(10_000)
	d := r.FreezeDMS([]*Rowset{rs})
	if d.Rows != 1 || d.Bytes != 200 || d.Anchor != 1 || r.HasDMS() || r.Memory() != 200 {
		t.Errorf("froze %+v, %d bytes in memory; want a row of 200 bytes from operation 1 on, still in memory", d, r.Memory())
	}
	r.Update(2, r.WAL.Append(10_000), .5, .5)
	if rs.DMS.Rows != 1 || rs.DMS.Anchor != 3 || rs.DMS.Since != 2 || r.Memory() != 400 {
		t.Errorf("the new DMS is %+v, %d bytes in memory; want a row from operation 3 on, 400 bytes", rs.DMS, r.Memory())
	}
	if n, _ := r.CollectableWAL(1); n != 0 {
		t.Errorf("%d segments are collectable during the flush, want 0", n)
	}
	if freed := r.EndDMSFlush(rs, d, 9); freed != 200 || r.Memory() != 200 || rs.RedoRows != 1 || rs.DMS.Rows != 1 {
		t.Errorf("the flush freed %d bytes and left %d, want 200 of 400", freed, r.Memory())
	}
	if n, _ := r.CollectableWAL(1); n != 2 {
		t.Errorf("%d segments are collectable after the flush, want 2", n)
	}
}

// A compaction makes UNDO of the updates that were there when it began. It hands those that came since to the outputs in whose range they lie,
// with the oldest anchor.
func TestUpdatesSurviveCompaction(t *testing.T) {
	r := testReplica(false)
	rowsets := slices.Clone(layRowsets(r, piece{0, .4, 100}, piece{.5, 1, 100}, piece{0, 1, 100}))
	r.Update(5, r.WAL.Append(1), .2, 0)
	r.Lock(rowsets)
	frozen := r.FreezeDMS(rowsets)
	one, two, three := r.WAL.Append(1), r.WAL.Append(1), r.WAL.Append(1)
	r.Update(10, one, .2, 300./350) // densities are 250 and 100: in the third
	r.Update(20, two, .2, 0)
	r.Update(30, three, .9, 0)
	if rowsets[0].DMS.Anchor != two || rowsets[1].DMS.Anchor != three || rowsets[2].DMS.Anchor != one {
		t.Fatalf("DMS anchors %d, %d, %d", rowsets[0].DMS.Anchor, rowsets[1].DMS.Anchor, rowsets[2].DMS.Anchor)
	}
	n, _, freed := r.EndCompaction(rowsets, frozen, 40, 0, 0)
	if n != 3 || freed != 200 {
		t.Fatalf("%d outputs and %d bytes freed, want 3 and 200", n, freed)
	}
	want := []DeltaMemStore{{1, 200, 0, 150, 20, two}, {1, 200, 0, 150, 10, one}, {1, 200, 0, 150, 30, three}}
	for i, rs := range r.Rowsets {
		if rs.DMS != want[i] || rs.Undo != 50 {
			t.Errorf("output %d has DMS %+v and %d bytes of UNDO, want %+v and a third of 150", i, rs.DMS, rs.Undo, want[i])
		}
	}
	if r.Memory() != 600 || !slices.IsSortedFunc(r.dms, func(a, b *Rowset) int { return int(a.DMS.Anchor - b.DMS.Anchor) }) {
		t.Errorf("memory %d, want 600 in stores by their anchors", r.Memory())
	}
}

// The updates of several inputs of one output end up in one store, with the earlier beginning.
func TestUpdatesMeetInOneOutput(t *testing.T) {
	r := testReplica(false)
	rowsets := slices.Clone(layRowsets(r, piece{0, .4, 40}, piece{.5, .7, 20}, piece{.8, 1, 30}))
	r.Lock(rowsets)
	r.Update(10, 4, .6, 0)
	r.Update(20, 5, .2, 0)
	r.Update(30, 6, .9, 0)
	r.EndCompaction(rowsets, DeltaMemStore{}, 40, 0, 0)
	if got, want := r.Rowsets[0].DMS, (DeltaMemStore{3, 600, 0, 450, 10, 4}); got != want || len(r.Rowsets) != 1 {
		t.Errorf("DMS %+v in %d outputs, want %+v in one", got, len(r.Rowsets), want)
	}
}

// A flush of a rowset that a compaction took meanwhile leaves nothing but frees its memory.
func TestFlushOfRowsetGone(t *testing.T) {
	r := testReplica(false)
	rs := layRowsets(r, piece{0, 1, 100})[0]
	r.Update(0, 1, .5, .5)
	d := r.FreezeDMS([]*Rowset{rs})
	compact(r, []*Rowset{rs}, 0, 0)
	if freed := r.EndDMSFlush(rs, d, 9); freed != 200 || r.Memory() != 0 || r.Rowsets[0].RedoFiles != 0 {
		t.Errorf("the flush freed %d bytes and left %d and %d REDO files, want 200, 0, 0", freed, r.Memory(), r.Rowsets[0].RedoFiles)
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
		rules := DeltaRules{MinorMax: c.max, MajorRatio: c.ratio}
		_, minor := r.WorstDeltas(false, &rules, 0)
		_, major := r.WorstDeltas(true, &rules, 0)
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
	if worst, _ := r.WorstDeltas(false, &DeltaRules{MinorMax: 10, MajorRatio: .1}, 0); worst != rowsets[1] {
		t.Error("the worst is not the first of the highest scores")
	}
	r.Lock(rowsets[1:])
	if worst, score := r.WorstDeltas(false, &DeltaRules{MinorMax: 10, MajorRatio: .1}, 0); worst != rowsets[0] || score != .3 {
		t.Errorf("with the others locked the worst scores %v, want the first with 0.3", score)
	}
	r.Unlock(rowsets[1:2])
	if worst, _ := r.WorstDeltas(false, &DeltaRules{MinorMax: 10, MajorRatio: .1}, 0); worst != rowsets[1] {
		t.Error("an unlocked rowset is passed over")
	}
}

func TestDeltaCompactions(t *testing.T) {
	r := testReplica(false)
	rs := layRowsets(r, piece{0, 1, 100})[0]
	rs.RedoFiles, rs.RedoRows, rs.RedoBytes = 3, 30, 4500
	rs.setUndo(100, 7)
	base := rs.Base
	if n := r.RedoFiles(); n != 3 {
		t.Errorf("%d REDO files, want 3", n)
	}
	if r.EndMinor(rs); r.RedoFiles() != 1 || rs.RedoFiles != 1 || rs.RedoBytes != 4500 || rs.RedoRows != 30 || r.Finished.Minor != 1 {
		t.Errorf("after a minor compaction %+v, want one file with all updates", rs)
	}
	if r.EndMajor(rs, 8); r.RedoFiles() != 0 || rs.RedoFiles != 0 || rs.RedoBytes != 0 || rs.Undo != 4600 || rs.NewestUndo() != 8 || len(rs.undo) != 2 || rs.Base != base || r.Finished.Major != 1 {
		t.Errorf("after a major compaction %+v, want no REDO and 4600 bytes of UNDO", rs)
	}
}

// A major compaction rewrites the columns that updates hit: of 2, one update hits half.
func TestDeltaBytes(t *testing.T) {
	r := testReplica(false)
	for _, c := range []struct {
		rows         int64
		minor, major int64
	}{{0, 0, 0}, {1, 150, 150 + 50_000}, {2, 300, 300 + 75_000}, {100, 15_000, 15_000 + 100_000}} {
		rs := &Rowset{Base: 100_000, RedoRows: c.rows, RedoBytes: 150 * c.rows}
		if minor, major := r.DeltaBytes(rs, false), r.DeltaBytes(rs, true); minor != c.minor || major != c.major {
			t.Errorf("%d updates: a minor compaction writes %d bytes, a major %d; want %d, %d", c.rows, minor, major, c.minor, c.major)
		}
	}
}

// A minor compaction of nothing but deletes leaves a file of nothing but deletes.
func TestMinorCompactionOfDeletes(t *testing.T) {
	for deletes, want := range map[int]int{0: 0, 2: 0, 3: 1} {
		rs := Rowset{RedoFiles: 3, DeleteFiles: deletes}
		if (&Replica{}).EndMinor(&rs); rs.RedoFiles != 1 || rs.DeleteFiles != want {
			t.Errorf("of 3 files, %d of deletes, %d of %d are left, want %d of 1", deletes, rs.DeleteFiles, rs.RedoFiles, want)
		}
	}
}

// D6: a file of nothing but deletes makes no major compaction worth it, unless the rule for deletes counts, there are more than one of them, and the last is old.
func TestDeletesAndMajorCompaction(t *testing.T) {
	for _, c := range []struct {
		name             string
		files, deletes   int
		newest           int64
		forDeletes, want bool
	}{
		{"D6: one file of deletes", 1, 1, 5, false, false},
		{"three of them", 3, 3, 5, false, false},
		{"three, one with an update", 3, 2, 5, false, true},
		{"one, by the rule", 1, 1, 5, true, false},
		{"two, by the rule", 2, 2, 5, true, true},
		{"two, by the rule, but young", 2, 2, 15, true, false},
	} {
		rs := Rowset{Base: 1000, RedoFiles: c.files, DeleteFiles: c.deletes, RedoBytes: 500, RedoNewest: c.newest}
		r := Replica{Rowsets: []*Rowset{&rs}}
		if _, score := r.WorstDeltas(true, &DeltaRules{MinorMax: 10, MajorRatio: .1, ForDeletes: c.forDeletes, DeleteFiles: 1}, 10); (score > 0) != c.want {
			t.Errorf("%s: score %v", c.name, score)
		}
	}
}
