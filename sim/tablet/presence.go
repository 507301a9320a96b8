package tablet

import "math"

// bloomFalsePositives is tablet_bloom_target_fp_rate: how often a bloom filter sends a presence check to the key index for nothing.
const bloomFalsePositives = 1e-4

// presence keeps what a presence check must read from disk until that may change.
type presence struct {
	known            bool
	version, evicted uint64
	until            int64 // rows written
	reads            float64
}

// looksAhead is for how many rows written it is taken as it is.
const looksAhead = 256

// Evictions changes when rowsets leave the page cache.
func (r *Replica) Evictions() uint64 { return r.evictions }

// PresenceReads is how many blocks the presence check of a row at a random place reads from disk: bloom filter blocks of rowsets that left the page cache, and key
// blocks after false positives. A block is in cache again once a written row met it; rows were written anywhere, so of n blocks that m rows met, exp(-m/n) are still to
// be read. Rows that are appended meet no rowset.
func (r *Replica) PresenceReads() float64 {
	p := &r.presence
	if p.known && p.version == r.version && p.evicted == r.evictions && (r.RowsWritten < p.until || p.reads < 1e-9) {
		return p.reads
	}
	*p = presence{known: true, version: r.version, evicted: r.evictions, until: r.RowsWritten + looksAhead}
	for _, rs := range r.Rowsets {
		if !rs.Evicted {
			continue
		}
		width := rs.Width()
		met := float64(float64(r.RowsWritten-rs.born) * width)
		blocks := max(1, float64(rs.Rows)/float64(r.Sizes.BloomRows))
		falsely := bloomFalsePositives * float64(rs.keyBlocks-rs.keysSeen) / float64(rs.keyBlocks)
		p.reads += float64(width * (math.Exp(-met/blocks) + falsely))
	}
	return p.reads
}

// ReadHolder notes that the key of a row is looked up in the rowset that holds it, and says whether its block had to be read from disk.
func (r *Replica) ReadHolder(place, pick float64) (cold bool) {
	holder := r.Holder(place, pick)
	return holder >= 0 && r.index.keys[holder].unread(place) && r.ReadKeys(holder, place)
}

// Ordered says whether inserts are appended.
func (r *Replica) Ordered() bool { return r.ordered }
