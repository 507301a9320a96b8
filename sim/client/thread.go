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
	inserted int64 // own inserts so far
	offset   int64 // own place among the threads

	begin, tick engine.Time // throttle: operation k starts no earlier than begin + k*tick
	open        *buffer     // takes writes; nil if none is open
	buffers     []buffer
	flying      int // buffers in flight
	scan        scanning

	mix, key, length, field, cost, retry engine.Rand
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
		if t.draw() >= workloads.Scan || t.next == workloads.Read {
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
	if op := t.draw(); op == workloads.Scan || op == workloads.Read {
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
	if t.next == workloads.Insert {
		t.insert(b)
	} else {
		k := t.existing()
		b.updates = append(b.updates, update{int32(workloads.Bucket(k, int(l.Tablets))), l.Keys.Position(k), pick(k)})
	}
	l.Latency[t.next].Record(end - start)
	full := b.ops == l.Session.BufferOps
	t.advance(end)
	t.cold = false
	if full {
		f.send(now, t)
	}
}

// insert takes the thread's next key: k, k+threads, k+2 threads, ...
func (t *Thread) insert(b *buffer) {
	l := t.load
	k := l.Records + t.offset + t.inserted*l.Threads
	t.inserted++
	tablet := workloads.Bucket(k, int(l.Tablets))
	b.inserts[tablet]++
	if l.Ordered {
		place := l.Keys.Position(k)
		b.lo[tablet], b.hi[tablet] = min(b.lo[tablet], place), max(b.hi[tablet], place)
	}
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

// existing draws a key that is there by the thread's own count: YCSB redraws above its last acknowledged key. Where nearly all the keys that
// YCSB leaves room for are yet to come, that would go on for ever; the last draw is then folded onto the keys that are there.
func (t *Thread) existing() (k int64) {
	l := t.load
	last := l.Records + t.inserted*l.Threads - 1
	for range maxRedraws {
		if k = l.Chooser.At(t.key.Float64(), last); k <= last {
			return k
		}
	}
	return k % (last + 1)
}

// maxRedraws is beyond what a mix of reads and inserts needs: half of all draws above the last key would reach it once in 10^30.
const maxRedraws = 100

// pick is a key's own number in [0,1), which says in which of the stores over its place it lies.
func pick(k int64) float64 {
	x := uint64(k)*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	return float64((x^x>>29)>>11) / (1 << 53)
}

// startScan draws a scan and asks for it.
func (t *Thread) startScan(f *Fleet, now engine.Time) {
	l := t.load
	k := t.existing()
	rows := 1
	if t.next == workloads.Scan {
		rows = l.Lengths.At(t.length.Float64())
	}
	bucket := int32(workloads.Bucket(k, int(l.Tablets)))
	if rows > 1 && l.FirstBucket { // key >= x prunes no hash bucket
		bucket = 0
	}
	t.scan = scanning{op: t.next, start: t.at, tablet: bucket, place: l.Keys.Position(k), pick: pick(k), field: t.field.Float64(), rows: rows}
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
	tabletRows := float64(l.Records+t.inserted*l.Threads) / float64(l.Tablets)
	if there := (1 - s.place) * tabletRows; s.rows > 1 && there < float64(s.rows) && s.tablet+1 < l.Tablets {
		s.rows = max(2, s.rows-int(there))
		s.tablet, s.place = s.tablet+1, 0
		t.state, t.at = reading, answer
		return
	}
	end := answer + engine.Time(l.Costs.Scan.Sample(&t.cost))
	if end > t.until {
		t.state = ready
		t.abandon()
		return
	}
	l.Latency[s.op].Record(end - s.start)
	if l.OnScan != nil {
		l.OnScan(s.start, end-s.start)
	}
	t.state, t.cold = ready, true
	t.advance(end)
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
