package tablet

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// bruteOver is Over by a walk over all rowsets.
func bruteOver(r *Replica, place float64) Probe {
	p := Probe{First: -1}
	for i, rs := range r.Rowsets {
		if rs.Hi < place {
			continue
		}
		p.Above++
		if rs.Lo > place {
			continue
		}
		p.Over++
		if p.First < 0 {
			p.First = int32(i)
		}
		if rs.keys == nil || !rs.keys.has(rs.keyBlock(place)) {
			p.Fresh = append(p.Fresh, int32(i))
		}
	}
	return p
}

// TestOver holds the index against the walk at random places, at both ends of each rowset, and while rowsets come and go and are read.
func TestOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := testReplica(false)
		layRowsets(r, pieces(t, 40)...)
		for range rapid.IntRange(1, 12).Draw(t, "probes") {
			place := rapid.Float64Range(0, 1).Draw(t, "place")
			switch rs := rapid.SampledFrom(r.Rowsets).Draw(t, "rowset"); rapid.IntRange(0, 4).Draw(t, "where") {
			case 0:
				place = rs.Lo
			case 1:
				place = rs.Hi
			case 2:
				place = rapid.SampledFrom([]float64{0, .25, .5, .75, 1}).Draw(t, "edge")
			}
			checkOver(t, r, place)
			checkHolders(t, r, place)
			switch rapid.IntRange(0, 4).Draw(t, "then") {
			case 0:
				layRowsets(r, pieces(t, 2)...)
			case 1:
				if inputs := somePart(t, r.Rowsets); len(inputs) > 0 {
					compact(r, inputs, 0, 0)
				}
			case 2:
				readKeys(r, place)
			case 3: // read a rowset whole, and whatever lies over it
				rs := rapid.SampledFrom(r.Rowsets).Draw(t, "read")
				for b := range rs.keyBlocks {
					readKeys(r, rs.Lo+rs.Width()*(float64(b)+.5)/float64(rs.keyBlocks))
				}
				if !rs.keysRead() && (rs.keyBlocks == 1 || rs.Width() > 1e-6) {
					t.Fatalf("%d of %d key blocks of %v..%v were read, want all", rs.keysSeen, rs.keyBlocks, rs.Lo, rs.Hi)
				}
			}
		}
	})
}

// readKeys reads at a place what nobody read yet, and counts the blocks that were cold.
func readKeys(r *Replica, place float64) (cold int) {
	for _, i := range slices.Clone(r.Over(place).Fresh) {
		if r.ReadKeys(i, place) {
			cold++
		}
	}
	return cold
}

func checkOver(t *rapid.T, r *Replica, place float64) {
	got, want := r.Over(place), bruteOver(r, place)
	fresh := slices.Sorted(slices.Values(got.Fresh))
	if got.Above != want.Above || got.Over != want.Over || got.First != want.First || !slices.Equal(fresh, want.Fresh) {
		t.Fatalf("at %v of %d rowsets: %+v, want %+v", place, len(r.Rowsets), got, want)
	}
}

func checkHolders(t *rapid.T, r *Replica, place float64) {
	var got, want []int32
	for _, c := range r.holders(place) {
		got = append(got, c.rowset)
		if c.density != r.Rowsets[c.rowset].density() {
			t.Fatalf("rowset %d at %v has density %v, want %v", c.rowset, place, c.density, r.Rowsets[c.rowset].density())
		}
	}
	for i, rs := range r.Rowsets {
		if rs.Lo <= place && place <= rs.Hi {
			want = append(want, int32(i))
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Fatalf("at %v rowsets %v hold the row, want %v", place, got, want)
	}
}

func TestOverNothing(t *testing.T) {
	r := testReplica(false)
	if p := r.Over(.5); p.Above != 0 || p.Over != 0 || p.First != -1 || len(p.Fresh) != 0 {
		t.Errorf("an empty tablet has %+v at 0.5", p)
	}
}

// A rowset leaves the page cache when the server has written more than the cache holds since.
func TestAge(t *testing.T) {
	r := testReplica(false)
	rowsets := layRowsets(r, piece{0, 1, 100}, piece{0, 1, 100})
	rowsets[0].Written, rowsets[1].Written = 100, 120
	for _, c := range []struct {
		written     int64
		first, last bool
	}{{100, false, false}, {150, false, false}, {151, true, false}, {170, true, false}, {171, true, true}} {
		r.Age(c.written, 50)
		if rowsets[0].Evicted != c.first || rowsets[1].Evicted != c.last {
			t.Errorf("with %d bytes written: evicted %v, %v; want %v, %v", c.written, rowsets[0].Evicted, rowsets[1].Evicted, c.first, c.last)
		}
	}
	fresh := r.newRowset(0, 1, 100, 160)
	r.Rowsets = append(r.Rowsets, fresh)
	r.changed()
	if r.Age(210, 50); fresh.Evicted {
		t.Error("a rowset written 50 bytes ago has left a cache of 50 bytes")
	}
	if r.Age(211, 50); !fresh.Evicted {
		t.Error("a rowset written 51 bytes ago is still in a cache of 50 bytes")
	}
}

// Each block comes from disk once, and only if its rowset left the page cache.
func TestBlocksAreColdOnce(t *testing.T) {
	for _, evicted := range []bool{false, true} {
		r := testReplica(false)
		rs := layRowsets(r, piece{.2, .8, 100})[0]
		rs.Evicted = evicted
		keys, data := 0, 0
		for round := range 2 {
			for i := range 1000 {
				place := .2 + .6*float64(i)/999
				keys += readKeys(r, place)
				for _, field := range []float64{0, .49, .51, .99} {
					if rs.ColdData(place, field, r.Sizes) {
						data++
					}
				}
			}
			if !rs.keysRead() || slices.Contains(r.Over(.5).Fresh, 0) {
				t.Errorf("round %d: all key blocks were read, but the rowset is still asked", round)
			}
		}
		wantKeys, wantData := 0, 0
		if evicted {
			wantKeys, wantData = 10, 40 // 100 rows, 10 to a key block; 5 to a block of each of 2 columns
		}
		if keys != wantKeys || data != wantData {
			t.Errorf("evicted %v: %d key blocks and %d data blocks were cold, want %d and %d", evicted, keys, data, wantKeys, wantData)
		}
	}
}

// What was read before the rowset left the page cache is in the block cache and not cold after.
func TestBlocksReadWarmStayWarm(t *testing.T) {
	r := testReplica(false)
	rs := layRowsets(r, piece{0, 1, 100})[0]
	if readKeys(r, .05) > 0 || rs.ColdData(.05, 0, r.Sizes) {
		t.Error("a rowset just written is cold")
	}
	rs.Evicted = true
	if readKeys(r, .06) > 0 || rs.ColdData(.06, .1, r.Sizes) {
		t.Error("blocks read before are cold")
	}
	if readKeys(r, .15) != 1 || !rs.ColdData(.15, .1, r.Sizes) {
		t.Error("blocks never read are not cold")
	}
}
