package client

import (
	"mmsim/sim/engine"
	"mmsim/workloads"
)

// Thread is one YCSB client thread with its session. It stands at the start of its next operation.
//
// Everything a thread does before it meets shared state depends on itself alone, so it may be played ahead of
// the clock. It meets shared state when it scans, opens a buffer, fills one, when a buffer's timer fires and at its end; there it
// goes back to the queue and acts when the clock has come.
type Thread struct {
	load   *Load
	number int32
	until  engine.Time // what has not ended by then comes to nothing; Never = no such time
	left   int64       // operations to do
	done   int64       // operations done
	at     engine.Time // start of the next operation
	state  state

	next     workloads.Op // drawn already, if hasNext
	hasNext  bool
	cold     bool  // the last operation was a scan
	inserted int64 // own inserts so far, those by upserts too
	deleted  int64 // own deletes so far
	offset   int64 // own place among the client's threads
	firstKey int64 // first own key to insert
	run      int32 // of keys to which ordered inserts are appended
	seen     Rows  // of the table when the thread last met shared state; only if it follows others

	begin, tick engine.Time // throttle: operation k starts no earlier than begin + k*tick
	open        *buffer     // takes writes; nil if none is open
	buffers     []buffer
	flying      int // buffers in flight
	scan        scanning
	modify      modification

	mix, key, length, field, cost, retry, isNew engine.Rand
}

type state uint8

const (
	ready   state = iota
	blocked       // waits for a buffer
	reading       // a scan goes on: asked again, or on the next tablet
	closing       // all operations done, waits for its buffers
	ended
)

// scanning is a scan under way.
type scanning struct {
	op      workloads.Op
	start   engine.Time
	tablet  int32
	place   float64
	pick    float64 // finds the row among the stores
	field   float64 // chooses the column read
	rows    int     // rows still wanted
	attempt int
}

// modification is the second half of a read-modify-write: the update of the row that was read.
type modification struct {
	due   bool
	key   int64
	start engine.Time // of the whole
}

// step plays the thread from the clock's time on and gives when it must be stepped again. Without ahead it returns to the queue
// before every operation: the reference that playing ahead must equal.
func (t *Thread) step(f *Fleet, now engine.Time, ahead bool) engine.Time {
	if t.state == reading {
		t.ask(f, now)
	}
	for t.state == ready {
		if t.open != nil && t.open.deadline <= t.at {
			if t.open.deadline > now {
				return t.open.deadline
			}
			f.send(now, t)
			continue
		}
		if t.at > now && (!ahead || t.left == 0 || t.at >= t.until || t.meets()) {
			return t.at
		}
		if ahead && t.load.OnlyInserts && t.open != nil && t.burst() {
			continue
		}
		if t.left == 0 {
			t.close(f, now)
			break
		}
		if t.draw().Reads() {
			t.startScan(f, now)
			continue
		}
		if t.open == nil && !t.openBuffer() {
			t.state = blocked
			return engine.Never
		}
		t.append(f, now, t.at)
	}
	if t.state == reading {
		return t.at
	}
	return engine.Never
}

// meets says whether the next operation touches shared state.
func (t *Thread) meets() bool {
	if t.draw().Reads() {
		return true
	}
	return t.open == nil || t.open.ops == t.load.Session.BufferOps-1
}

// draw chooses the next operation once.
func (t *Thread) draw() workloads.Op {
	if !t.hasNext {
		t.hasNext = true
		t.next = workloads.Insert
		if !t.load.OnlyInserts {
			t.next = t.load.Mix.At(t.mix.Float64())
		}
	}
	return t.next
}

// openBuffer takes a free buffer, if there is one.
func (t *Thread) openBuffer() bool {
	for i := range t.buffers {
		if b := &t.buffers[i]; !b.busy {
			b.reset()
			t.open = b
			t.look()
			return true
		}
	}
	return false
}

// append buffers a write at the clock's time or ahead of it; start is when the operation began, earlier if it had to wait for a buffer.
func (t *Thread) append(f *Fleet, now, start engine.Time) {
	l, b := t.load, t.open
	dist := l.Costs.AppendHot
	if t.cold {
		dist = l.Costs.AppendCold
	}
	end := t.at + engine.Time(dist.Sample(&t.cost))
	if end > t.until {
		t.abandon()
		return
	}
	if b.ops == 0 {
		b.deadline = t.at + l.Session.FlushInterval
	}
	b.ops++
	if t.next == workloads.Insert { // most of what most clients do
		t.insert(b)
	} else {
		t.write(b)
	}
	l.Latency[t.next].Record(end - start)
	if t.modify.due {
		l.Latency[workloads.ReadModifyWrite].Record(end - t.modify.start)
		t.modify.due = false
	}
	full := b.ops == l.Session.BufferOps
	t.advance(end)
	t.cold = false
	if full {
		f.send(now, t)
	}
}

// write puts the next operation, which is no insert, into a buffer.
func (t *Thread) write(b *buffer) {
	l := t.load
	switch t.next {
	case workloads.Update:
		k := t.modify.key
		if !t.modify.due {
			k = t.existing()
		}
		t.change(b, k, update)
	case workloads.Upsert:
		if l.NewKeys > 0 && t.isNew.Float64() < l.NewKeys {
			t.insert(b)
		} else {
			t.change(b, t.existing(), upsert)
		}
	default:
		t.delete(b)
	}
}

// insert takes the thread's next key.
func (t *Thread) insert(b *buffer) {
	l := t.load
	k := t.firstKey + t.inserted*l.Insert.Of
	t.inserted++
	if !l.Ordered {
		b.inserts[workloads.Bucket(k, int(l.Tablets))]++
		return
	}
	tablet, place := l.locate(k)
	b.inserts[tablet]++
	b.lo[tablet], b.hi[tablet] = min(b.lo[tablet], place), max(b.hi[tablet], place)
}

// delete takes the thread's oldest key that it did not delete yet. If there is none, the key that comes next is deleted in vain.
func (t *Thread) delete(b *buffer) {
	k := t.load.Delete.key(t.offset, t.deleted)
	t.change(b, k, remove)
	if _, last := t.there(); k <= last {
		t.deleted++
		return
	}
	b.changes[len(b.changes)-1].pick = missing
}

func (t *Thread) change(b *buffer, k int64, kind int32) {
	tablet, place := t.load.locate(k)
	b.changes = append(b.changes, change{tablet, kind, place, pick(k), k})
}

// advance ends an operation.
func (t *Thread) advance(end engine.Time) {
	t.left--
	t.done++
	t.hasNext = false
	t.at = end + t.load.Costs.Between
	if t.tick > 0 {
		t.at = max(t.at, t.begin+t.done*t.tick)
	}
}

// abandon gives up the operation under way, which will not have ended when the thread is stopped. The timer of what is buffered goes on until then.
func (t *Thread) abandon() {
	t.at = engine.Never
	if t.open != nil && t.open.ops == 0 {
		t.open = nil
	}
}

// look notes which rows there are, where the thread follows other clients. It is called only where the thread meets shared state, so that it sees the same whether
// or not it is played ahead.
func (t *Thread) look() {
	if l := t.load; l.FollowInserts || l.FollowDeletes {
		t.seen = *l.Rows
	}
}

// there gives the numbers of the first and the last row that are there by the thread's own count, or by what it last saw of other clients' work: YCSB counts an
// insert as acknowledged once it is buffered.
func (t *Thread) there() (first, last int64) {
	l := t.load
	first, last = l.Delete.First+t.deleted*l.Delete.Of, l.Insert.First+t.inserted*l.Insert.Of-1
	if l.FollowDeletes {
		first = t.seen.Deleted
	}
	if l.FollowInserts {
		last = t.seen.Inserted - 1
	}
	return first, last
}

// existing draws a key that is there: YCSB redraws above its last acknowledged key. Where nearly all the keys that
// YCSB leaves room for are yet to come, or most were deleted, that would go on for ever; the last draw is then folded onto the keys that are there.
func (t *Thread) existing() (k int64) {
	first, last := t.there()
	redraws := maxRedraws
	if first > 0 {
		redraws = maxRedrawsDeleted
	}
	for range redraws {
		if k = t.load.Chooser.At(t.key.Float64(), last); k <= last && k >= first {
			return k
		}
	}
	if first > last { // all are deleted
		return max(last, 0)
	}
	return first + k%(last+1-first)
}

// maxRedraws is beyond what a mix of reads and inserts needs: half of all draws above the last key would reach it once in 10^30. Where rows are deleted, the
// keys most asked for may all be gone.
const (
	maxRedraws        = 100
	maxRedrawsDeleted = 10
)

// pick is a key's own number in [0,1), which says in which of the stores over its place it lies.
func pick(k int64) float64 {
	x := uint64(k)*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	return float64((x^x>>29)>>11) / (1 << 53)
}

// startScan draws a scan and asks for it.
func (t *Thread) startScan(f *Fleet, now engine.Time) {
	l := t.load
	t.look()
	k := t.existing()
	rows := 1
	if t.next == workloads.Scan {
		rows = l.Lengths.At(t.length.Float64())
	}
	tablet, place := l.locate(k)
	if rows > 1 && l.FirstBucket { // key >= x prunes no hash bucket
		tablet = l.firstBucket(tablet)
	}
	t.modify.key = k
	t.scan = scanning{op: t.next, start: t.at, tablet: tablet, place: place, pick: pick(k), field: t.field.Float64(), rows: rows}
	t.ask(f, now)
}

// ask sends a scan's request. A full server is asked again later; a scan that reaches its tablet's end before it has its
// rows goes on with the next tablet.
func (t *Thread) ask(f *Fleet, now engine.Time) {
	l, s := t.load, &t.scan
	answer, ok := f.storage.Scan(now, l.First+s.tablet, s.place, s.pick, s.field, s.rows == 1)
	if !ok {
		s.attempt++
		t.state, t.at = reading, answer+t.backoff(s.attempt)
		return
	}
	if there := t.above(s); s.rows > 1 && there < float64(s.rows) && s.tablet+1 < l.Tablets {
		s.rows = max(2, s.rows-int(there))
		s.tablet, s.place = s.tablet+1, 0
		t.state, t.at = reading, answer
		return
	}
	end := answer + engine.Time(l.Costs.Scan.Sample(&t.cost)*f.storage.Worked(now, answer, l.First+s.tablet, 0))
	if end > t.until {
		t.state = ready
		t.abandon()
		return
	}
	if l.OnScan != nil {
		l.OnScan(s.start, end-s.start)
	}
	t.state, t.cold = ready, true
	if s.op == workloads.ReadModifyWrite { // the row is updated next, as part of the same operation
		l.Latency[workloads.Read].Record(end - s.start)
		t.modify.due, t.modify.start = true, s.start
		t.next, t.at = workloads.Update, end
		return
	}
	l.Latency[s.op].Record(end - s.start)
	t.advance(end)
}

// above is how many rows the scan's tablet holds from its place on.
func (t *Thread) above(s *scanning) float64 {
	l := t.load
	first, last := t.there()
	if l.Ranges > 1 && !l.OwnRanges { // of a range that is not full, none lie behind the last row
		from, to := l.Keys.Position(first), l.Keys.Position(last)
		ranges := float64(l.Ranges)
		begin := float64(s.tablet % l.Ranges)
		rows := float64(last+1-first) / max(to-from, 1e-12) / float64(l.Tablets)
		return max(0, min(1, to*ranges-begin)-s.place) * rows
	}
	return (1 - s.place) * (float64(last+1-first) / float64(l.Tablets))
}

// backoff is how long the Java client waits before it sends a request the attempt-th time again.
func (t *Thread) backoff(attempt int) engine.Time {
	c := t.load.Costs
	return engine.Time(t.retry.Float64() * float64(c.RetryBase<<min(attempt, c.RetryCap)))
}

// close flushes what is buffered and waits for it.
func (t *Thread) close(f *Fleet, now engine.Time) {
	t.state = closing
	if t.open != nil {
		f.send(now, t)
	}
	if t.flying == 0 {
		f.end(t)
	}
}
