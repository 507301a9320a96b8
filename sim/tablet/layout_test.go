package tablet

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A flush of 950 rows, 100 to a rowset, writes nine full rowsets and a half one, side by side, with the flush's UNDO.
func TestFlushRolls(t *testing.T) {
	r := testReplica(false)
	r.Insert(950, 0, 0, 0)
	r.BeginFlush()
	if r.MRS.Rows != 0 || r.MRS.Anchor != NoAnchor || r.Flushing.Rows != 950 || r.Memory() != 950_000 {
		t.Errorf("a flush began with %+v in memory and %+v being flushed, %d bytes", r.MRS, r.Flushing, r.Memory())
	}
	r.Insert(1, 0, 0, 0)
	outputs, bytes, freed := r.EndFlush(7, 11)
	if outputs != 10 || freed != 950_000 || r.Memory() != 1000 || r.Finished.MRSFlush != 1 {
		t.Errorf("%d outputs, %d bytes freed, %d left, %d flushes; want 10, 950000, 1000, 1", outputs, freed, r.Memory(), r.Finished.MRSFlush)
	}
	var full int64
	for i, rs := range r.Rowsets {
		rows := int64(100)
		if i == 9 {
			rows = 50
		}
		if rs.Rows != rows || rs.Base != 500+1000*rows || rs.Index != 10*rows || rs.Undo != 20*rows || rs.NewestUndo() != 7 || rs.Written != 11 {
			t.Errorf("rowset %d: %+v, want %d rows", i, rs, rows)
		}
		full += rs.Full()
	}
	if bytes != full {
		t.Errorf("flush wrote %d bytes, rowsets have %d", bytes, full)
	}
	first, last := r.Rowsets[0], r.Rowsets[9]
	checkLayout(t, r.Rowsets, first.Lo, last.Hi)
	for i, rs := range r.Rowsets {
		if want := (last.Hi - first.Lo) * float64(rs.Rows) / 950; math.Abs(rs.Width()-want) > 6*math.Sqrt(200)/950 { // the ends lie as 100 random rows do
			t.Errorf("rowset %d is %v wide, want about %v", i, rs.Width(), want)
		}
	}
	if h := r.Height(); h < .98 || h > 1 {
		t.Errorf("height %v after one flush, want a little below 1", h)
	}
}

func TestFlushOfOrderedInserts(t *testing.T) {
	r := testReplica(true)
	r.Insert(250, 0, .3, .4)
	r.BeginFlush()
	if n, _, _ := r.EndFlush(0, 0); n != 3 {
		t.Errorf("%d outputs, want 3", n)
	}
	checkLayout(t, r.Rowsets, .3, .4)
}

func TestFlushOfOneRow(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		r := testReplica(ordered)
		r.Insert(1, 0, .3, .3)
		r.BeginFlush()
		if n, _, _ := r.EndFlush(0, 0); n != 1 || r.Rowsets[0].Rows != 1 || r.Rowsets[0].Width() != 0 {
			t.Errorf("ordered %v: %d outputs, %+v; want one row of no width", ordered, n, r.Rowsets[0])
		}
	}
}

// The ends of n keys spread evenly lie 1/(n+1) from those of the key space, in the mean.
func TestWaveEnds(t *testing.T) {
	r := testReplica(false)
	var before, behind float64
	const waves = 20_000
	for range waves {
		lo, hi := r.waveEnds(9)
		before, behind = before+lo, behind+1-hi
	}
	if lo, hi := before/waves, behind/waves; math.Abs(lo-.1) > .005 || math.Abs(hi-.1) > .005 {
		t.Errorf("9 keys leave %v before and %v behind them, want 0.1", lo, hi)
	}
}

// checkLayout requires rowsets in key order that do not overlap and span lo..hi together, with keys to match.
func checkLayout(t interface{ Errorf(string, ...any) }, rowsets []*Rowset, lo, hi float64) {
	if first, last := rowsets[0], rowsets[len(rowsets)-1]; first.Lo != lo || last.Hi != hi {
		t.Errorf("rowsets span %v..%v, want %v..%v", first.Lo, last.Hi, lo, hi)
	}
	for i, rs := range rowsets {
		if rs.Lo > rs.Hi || rs.Span.Min() > rs.Span.Max() {
			t.Errorf("rowset %d: %v..%v, keys %s..%s", i, rs.Lo, rs.Hi, rs.Span.Min(), rs.Span.Max())
		}
		if i > 0 && (rowsets[i-1].Hi > rs.Lo || rowsets[i-1].Span.Max() > rs.Span.Min()) {
			t.Errorf("rowsets %d and %d overlap: up to %v and from %v", i-1, i, rowsets[i-1].Hi, rs.Lo)
		}
	}
}

// pieces draws ranges of rows, some of them of one key, some touching or equal.
func pieces(t *rapid.T, most int) (out []piece) {
	place := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Map(rapid.IntRange(0, 4), func(i int) float64 { return float64(i) / 4 }))
	for range rapid.IntRange(1, most).Draw(t, "pieces") {
		a, b := place.Draw(t, "a"), place.Draw(t, "b")
		p := piece{min(a, b), max(a, b), float64(rapid.IntRange(2, 300).Draw(t, "rows"))}
		if rapid.IntRange(0, 4).Draw(t, "single") == 0 {
			p.hi = p.lo
		}
		if p.hi <= p.lo {
			p.rows = 1
		}
		out = append(out, p)
	}
	return out
}

// cut merges pieces of ordered keys into outputs of roll rows.
func cut(in []piece, rows, roll int64) (out []piece) {
	held := filled(rows, func() int64 { return roll })
	r := &Replica{ordered: true}
	for i, part := range parted(overlay(in), r.ranks(held, float64(rows))) {
		out = append(out, piece{part[0].lo, part[len(part)-1].hi, held[i]})
	}
	return out
}

func TestCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := pieces(t, 8)
		roll := rapid.Int64Range(1, 200).Draw(t, "roll")
		lo, hi, rows := 1.0, 0.0, int64(0)
		for _, p := range in {
			lo, hi, rows = min(lo, p.lo), max(hi, p.hi), rows+int64(p.rows)
		}
		out := cut(in, rows, roll)
		left := rows
		at := lo
		for i, p := range out {
			if p.lo < at || p.hi < p.lo || p.hi > hi {
				t.Fatalf("cut %d spans %v..%v after %v, in %v..%v", i, p.lo, p.hi, at, lo, hi)
			}
			if i < len(out)-1 && p.rows != float64(roll) {
				t.Fatalf("cut %d of %d has %v rows, want %d", i, len(out), p.rows, roll)
			}
			at = p.hi
			left -= int64(p.rows)
		}
		if left != 0 || out[0].lo != lo || out[len(out)-1].hi != hi {
			t.Fatalf("%d of %d rows are left over; span %v..%v, want %v..%v", left, rows, out[0].lo, out[len(out)-1].hi, lo, hi)
		}
	})
}

// Cuts fall where the rows are: two equal ranges halve the distance between cuts, and a gap holds none.
func TestCutsFollowTheRows(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for _, c := range []struct {
		in   []piece
		ends []float64
	}{
		{[]piece{{0, 1, 400}}, []float64{.25, .5, .75, 1}},
		{[]piece{{0, 1, 200}, {0, 1, 200}}, []float64{.25, .5, .75, 1}},
		{[]piece{{0, .5, 200}, {.5, 1, 100}}, []float64{.25, .5, 1}},
		{[]piece{{0, .2, 150}, {.8, 1, 150}}, []float64{.2 * 100 / 150, .8 + .2*50/150, 1}},
	} {
		var rows int64
		for _, p := range c.in {
			rows += int64(p.rows)
		}
		var ends []float64
		for _, p := range cut(c.in, rows, 100) {
			ends = append(ends, p.hi)
		}
		if !slices.EqualFunc(ends, c.ends, near) {
			t.Errorf("%v: cuts end at %v, want %v", c.in, ends, c.ends)
		}
	}
}

// What a compaction wrote is as dense as its inputs were: of 100 rows 80 lie in the lower half, so with 100 more over all of it the next one's first output ends at
// 100/260, not in the middle.
func TestOutputsStayAsDense(t *testing.T) {
	r := testReplica(true)
	compact(r, slices.Clone(layRowsets(r, piece{0, .5, 60}, piece{0, 1, 40})), 0, 0)
	if len(r.Rowsets) != 1 || len(r.Rowsets[0].uneven) != 2 {
		t.Fatalf("%d outputs, the first of %v; want one of two stretches", len(r.Rowsets), r.Rowsets[0].uneven)
	}
	layRowsets(r, piece{0, 1, 100})
	compact(r, slices.Clone(r.Rowsets), 0, 0)
	if first := r.Rowsets[0]; math.Abs(first.Hi-100./260) > 1e-9 || first.uneven != nil {
		t.Errorf("the first output ends at %v with stretches %v, want 0.3846 and evenly spread", first.Hi, first.uneven)
	}
}

// Stretches that are taken together keep their rows and their order, and move few rows.
func TestJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := overlay(pieces(t, 30))
		rows := 0.0
		for _, p := range in {
			rows += p.rows
		}
		out := joined(slices.Clone(in), rows)
		if len(out) == 1 || len(out) > mostStretches {
			t.Fatalf("%d stretches became %d", len(in), len(out))
		}
		left, at := rows, 0.0
		for i, p := range out {
			if p.lo < at || p.hi < p.lo || i == 0 && p.lo != in[0].lo {
				t.Fatalf("stretch %d of %v after %v", i, out, at)
			}
			left, at = left-p.rows, p.hi
		}
		if len(out) > 0 && math.Abs(left) > 1e-9*rows {
			t.Fatalf("%v of %v rows are lost", left, rows)
		}
	})
}

// A compaction keeps the rows, spans what its inputs spanned, makes REDO into UNDO, and leaves the other rowsets alone.
func TestCompaction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := testReplica(false)
		all := slices.Clone(layRowsets(r, pieces(t, 8)...))
		for _, rs := range all {
			rs.setUndo(rapid.Int64Range(0, 5000).Draw(t, "undo"), 4)
			if rapid.Bool().Draw(t, "updated") {
				rs.RedoFiles, rs.RedoRows, rs.RedoBytes = 2, 10, rapid.Int64Range(1, 5000).Draw(t, "redo")
			}
		}
		inputs := somePart(t, all)
		if len(inputs) == 0 {
			inputs = all[:1]
		}
		lo, hi, rows, undo := 1.0, 0.0, int64(0), int64(0)
		for _, rs := range inputs {
			lo, hi, rows, undo = min(lo, rs.Lo), max(hi, rs.Hi), rows+rs.Rows, undo+rs.Undo+rs.RedoBytes
		}
		version := r.Version()
		n, bytes, memory := compact(r, inputs, 9, 5)
		if memory != 0 {
			t.Fatalf("compaction of rowsets without updates in memory freed %d bytes", memory)
		}
		kept := len(all) - len(inputs)
		if len(r.Rowsets) != kept+n || r.Version() == version || r.Finished.Compaction != 1 {
			t.Fatalf("%d rowsets after %d of %d became %d; version %d after %d", len(r.Rowsets), len(inputs), len(all), n, r.Version(), version)
		}
		for _, rs := range r.Rowsets[:kept] {
			if rs.gone || !slices.Contains(all, rs) {
				t.Fatalf("a rowset that took no part is gone or moved")
			}
		}
		outputs := r.Rowsets[kept:]
		checkLayout(t, outputs, lo, hi)
		var full, left int64
		for _, rs := range outputs {
			full, rows, left = full+rs.Full(), rows-rs.Rows, left+rs.Undo
			if rs.RedoFiles != 0 || rs.RedoBytes != 0 || rs.Locked() || rs.Written != 5 {
				t.Fatalf("output %+v has REDO, a lock or a wrong time", rs)
			}
		}
		if rows != 0 || full-left != bytes || left > undo || left < undo-int64(n) {
			t.Fatalf("%d rows lost; %d bytes reported of %d; UNDO %d of %d", rows, bytes, full, left, undo)
		}
		widths := 0.0
		for _, rs := range r.Rowsets {
			widths += rs.Width()
		}
		if r.Height() != widths {
			t.Fatalf("height %v, widths add up to %v", r.Height(), widths)
		}
	})
}
