package tablet

import (
	"math"
	"slices"
)

// BestDMS is the DeltaMemStore a flush would take now (tablet.cc, GetInfoForBestDMSToFlush), the WAL it retains, and when the oldest one
// began. usedPercent is the memory in use in percent of the hard limit if the server is under memory pressure, else 0: the score
// weighs bytes of memory by it and bytes of WAL by the rest; a store that scores within 1 of the best but is larger takes its place.
//
// The stores lie in the order of their anchors, so what they retain only falls: the walk ends where it cannot make up for that.
func (r *Replica) BestDMS(usedPercent float64) (best *Rowset, retained, oldest int64) {
	if len(r.dms) == 0 {
		return nil, 0, 0
	}
	oldest = r.dms[0].DMS.Since
	if r.WAL.Retained(r.dms[0].DMS.Anchor) == 0 { // then none retains any, and the largest wins
		return r.largestDMS(), 0, oldest
	}
	if usedPercent == 0 && r.best != nil { // closing a segment adds as much to what each store retains
		return r.best, r.WAL.Retained(r.best.DMS.Anchor), oldest
	}
	var bestScore float64
	memory := float64(float64(r.largestDMS().DMS.Bytes) * usedPercent)
	for _, rs := range r.dms {
		replay := r.WAL.Retained(rs.DMS.Anchor)
		log := float64(float64(replay) * (100 - usedPercent))
		if best != nil && usedPercent < 100 && log+memory < bestScore-1 {
			break
		}
		score := float64(float64(rs.DMS.Bytes)*usedPercent) + log
		if best == nil || score > bestScore || (score > bestScore-1 && rs.DMS.Bytes > best.DMS.Bytes) {
			best, bestScore, retained = rs, score, replay
		}
	}
	if usedPercent == 0 {
		r.best = best
	}
	return best, retained, oldest
}

// largestDMS is the rowset with the largest DeltaMemStore.
func (r *Replica) largestDMS() *Rowset {
	if r.largest == nil {
		for _, rs := range r.dms {
			if r.largest == nil || rs.DMS.Bytes > r.largest.DMS.Bytes {
				r.largest = rs
			}
		}
	}
	return r.largest
}

// addDMS lists a rowset that got a DeltaMemStore, in the order of anchors.
func (r *Replica) addDMS(rs *Rowset) {
	r.dms = append(r.dms, rs)
	for i := len(r.dms) - 1; i > 0 && r.dms[i-1].DMS.Anchor > rs.DMS.Anchor; i-- {
		r.dms[i-1], r.dms[i] = r.dms[i], r.dms[i-1]
	}
}

// HasDMS says whether any rowset has a DeltaMemStore.
func (r *Replica) HasDMS() bool { return len(r.dms) > 0 }

// FreezeDMS takes the DeltaMemStores out of rowsets that an op is about to write; updates that come later go to new ones. What it gives is
// their sum: its memory and its anchor stay in use until the op ends.
func (r *Replica) FreezeDMS(rowsets []*Rowset) DeltaMemStore {
	sum := DeltaMemStore{Anchor: NoAnchor}
	for _, rs := range rowsets {
		d := rs.DMS
		if d.Rows == 0 {
			continue
		}
		if sum.Rows == 0 || d.Anchor < sum.Anchor {
			sum.Anchor = d.Anchor
		}
		sum.Rows += d.Rows
		sum.Bytes += d.Bytes
		sum.Redo += d.Redo
		sum.Deletes += d.Deletes
		rs.DMS = DeltaMemStore{Anchor: NoAnchor}
		r.dms = slices.DeleteFunc(r.dms, func(x *Rowset) bool { return x == rs })
	}
	if sum.Rows > 0 {
		r.frozen = append(r.frozen, sum.Anchor)
	}
	r.largest, r.best = nil, nil
	return sum
}

// thaw lets go of what FreezeDMS took, and gives the memory freed.
func (r *Replica) thaw(d DeltaMemStore) (memory int64) {
	if d.Rows > 0 {
		i := slices.Index(r.frozen, d.Anchor)
		r.frozen = slices.Delete(r.frozen, i, i+1)
	}
	r.dmsSize -= d.Bytes
	return d.Bytes
}

// EndDMSFlush puts a frozen DeltaMemStore into a REDO file of its rowset at a time and gives the memory freed. If the rowset was compacted
// away meanwhile, its updates went with it.
func (r *Replica) EndDMSFlush(rs *Rowset, d DeltaMemStore, now int64) (memory int64) {
	r.Finished.DMSFlush++
	if d.Rows > 0 && !rs.gone {
		rs.RedoFiles++
		if d.Deletes == d.Rows {
			rs.DeleteFiles++
		}
		rs.RedoRows += d.Rows
		rs.RedoDeletes += d.Deletes
		rs.RedoBytes += d.Redo
		rs.RedoNewest = now
		r.version++
	}
	return r.thaw(d)
}

// redoCount is a number of REDO files, good for one version of a replica.
type redoCount struct {
	version uint64
	files   int
}

// RedoFiles is the number of REDO files of all rowsets.
func (r *Replica) RedoFiles() int {
	if r.redo.version != r.version {
		r.redo = redoCount{version: r.version}
		for _, rs := range r.Rowsets {
			r.redo.files += rs.RedoFiles
		}
	}
	return r.redo.files
}

// DeltaRules are what delta compactions are scored by.
type DeltaRules struct {
	MinorMax    int     // REDO files of a rowset at which a minor delta compaction scores 1
	MajorRatio  float64 // REDO over base bytes from which a major one scores
	ForDeletes  bool    // files of nothing but deletes count for a major one, if there are more than
	DeleteFiles int     // so many and the last change is older than the mark of old history
}

// WorstDeltas picks the available rowset with the highest minor or major delta compaction score (diskrowset.cc). nil if none scores.
func (r *Replica) WorstDeltas(major bool, rules *DeltaRules, mark int64) (worst *Rowset, score float64) {
	for _, rs := range r.Rowsets {
		if rs.RedoFiles == 0 || rs.locked {
			continue
		}
		s := 0.0
		if !major {
			s = rules.minor(rs)
		} else {
			s = rules.major(rs, mark)
		}
		if s > score {
			worst, score = rs, s
		}
	}
	return worst, score
}

// minor is the number of REDO files over MinorMax, if there are two or more.
func (d *DeltaRules) minor(rs *Rowset) float64 {
	if rs.RedoFiles < 2 {
		return 0
	}
	return min(1, float64(rs.RedoFiles)/float64(d.MinorMax))
}

// major is the REDO bytes over the base's once they reach MajorRatio, if some file holds more than deletes.
func (d *DeltaRules) major(rs *Rowset, mark int64) float64 {
	if rs.RedoFiles == 0 || rs.onlyDeletes() && !(d.ForDeletes && rs.DeleteFiles > d.DeleteFiles && rs.RedoNewest < mark) {
		return 0
	}
	ratio := float64(rs.RedoBytes) / float64(rs.Base)
	if ratio < float64(float32(d.MajorRatio)) { // the flag's default is a float literal in Kudu
		return 0
	}
	return min(1, ratio)
}

// onlyDeletes says whether all REDO files are of nothing but deletes.
func (r *Rowset) onlyDeletes() bool { return r.RedoFiles > 0 && r.DeleteFiles == r.RedoFiles }

// DeltaBytes is what a minor or major delta compaction of the rowset writes: its REDO bytes, and for a major one the updated columns.
func (r *Replica) DeltaBytes(rs *Rowset, major bool) int64 {
	if !major {
		return rs.RedoBytes
	}
	untouched := math.Pow(1-1/float64(r.Sizes.Columns), float64(rs.RedoRows-rs.RedoDeletes)) // share of columns that no update hit: each hits one, by chance
	return rs.RedoBytes + int64(float64(rs.Base)*(1-untouched))
}

// EndMinor merges the rowset's REDO files into one.
func (r *Replica) EndMinor(rs *Rowset) {
	if rs.onlyDeletes() {
		rs.DeleteFiles = 1
	} else {
		rs.DeleteFiles = 0
	}
	rs.RedoFiles = min(rs.RedoFiles, 1)
	r.Finished.Minor++
	r.version++
}

// EndMajor applies the rowset's REDO deltas to its base; they become UNDO. Deletes can't be applied: they are left, in one file (delta_compaction.cc,
// FlushRowSetAndDeltas).
func (r *Replica) EndMajor(rs *Rowset, now int64) {
	kept := r.deleteBytes(rs)
	rs.addUndo(rs.RedoBytes-kept, now)
	rs.setDeletes(rs.RedoDeletes, kept)
	r.Finished.Major++
	r.version++
	r.undo.known = false
}

// deleteBytes is what the deletes in the rowset's REDO files take.
func (r *Replica) deleteBytes(rs *Rowset) int64 {
	return min(rs.RedoDeletes*r.Sizes.RedoDelete, rs.RedoBytes)
}

// setDeletes leaves the rowset nothing but deletes in REDO, in one file.
func (r *Rowset) setDeletes(deletes, bytes int64) {
	r.RedoFiles, r.DeleteFiles = 0, 0
	if deletes > 0 {
		r.RedoFiles, r.DeleteFiles = 1, 1
	}
	r.RedoRows, r.RedoDeletes, r.RedoBytes = deletes, deletes, bytes
}

// Available lists the rowsets that no op holds.
func (r *Replica) Available() (out []*Rowset) {
	for _, rs := range r.Rowsets {
		if !rs.locked {
			out = append(out, rs)
		}
	}
	return out
}
