package client

import (
	"cmp"
	"fmt"

	"mmsim/sim/engine"
)

// Fleet is every client thread of a phase. Threads are the actors 0..n-1 of the event loop; what servers owe them comes
// back as events.
type Fleet struct {
	storage Storage
	events  *engine.Heap
	threads []Thread
	running int // threads that have not ended, and one more while the phase is held open
}

// Kinds of events a fleet pushes.
const (
	Answered int32 = iota // A: buffer, all its batches are answered
	Retry                 // A: buffer, B: tablet, C: attempt
)

// NewFleet makes the threads of all loads, starting at the time at.
func NewFleet(storage Storage, events *engine.Heap, loads []*Load, at engine.Time, seed uint64, replication int, entities []string) *Fleet {
	f := &Fleet{storage: storage, events: events}
	for i, l := range loads {
		for _, turns := range []*Turns{&l.Insert, &l.Delete} {
			turns.Of = cmp.Or(turns.Of, l.Threads)
		}
		if l.Rows == nil {
			l.Rows = &Rows{l.Delete.First, l.Insert.First}
		}
		for n := int64(0); n < l.Threads; n++ {
			f.threads = append(f.threads, newThread(l, int32(len(f.threads)), n, at, seed, replication, entities[i]))
		}
	}
	f.running = len(f.threads)
	return f
}

func newThread(l *Load, number int32, offset int64, at engine.Time, seed uint64, replication int, entity string) Thread {
	stream := func(purpose string) engine.Rand {
		return engine.Stream(seed, replication, fmt.Sprintf("%s/thread/%d", entity, offset), purpose)
	}
	t := Thread{load: l, number: number, offset: offset, until: cmp.Or(l.Until, engine.Never), left: l.share(offset), at: at, begin: at,
		mix: stream("mix"), key: stream("key"), length: stream("length"), field: stream("field"), cost: stream("cost"), retry: stream("retry"), isNew: stream("new keys")}
	t.firstKey = l.Insert.key(offset, 0)
	if t.run = l.Run; l.OwnRanges {
		t.run = number
	}
	if l.Target > 0 {
		t.tick = engine.Time(1e9 * float64(l.Threads) / l.Target)
		if t.tick >= 1e6 { // at most one operation a millisecond: YCSB staggers the threads
			start := stream("start")
			t.begin += engine.Time(start.Float64() * float64(t.tick))
			t.at = t.begin
		}
	}
	t.buffers = make([]buffer, l.Session.Buffers)
	for i := range t.buffers {
		b := &t.buffers[i]
		b.thread, b.kinds = number, 1
		if l.Mix != nil && l.Mix.Delete+l.Mix.Upsert > 0 {
			b.kinds = numKinds
		}
		b.inserts = make([]int32, l.Tablets)
		b.start = make([]int32, l.Tablets*b.kinds+1)
		if l.Ordered {
			b.lo, b.hi = make([]float64, l.Tablets), make([]float64, l.Tablets)
		}
	}
	return t
}

// Threads is the number of threads.
func (f *Fleet) Threads() int { return len(f.threads) }

// Running is above 0 while threads have not ended or the phase is held open.
func (f *Fleet) Running() int { return f.running }

// Hold keeps the phase open until StopAll, even if all threads end before.
func (f *Fleet) Hold() { f.running++ }

// Stop ends a client's threads at once. What servers still owe them will be ignored; what is buffered is lost.
func (f *Fleet) Stop(l *Load) {
	for i := range f.threads {
		if t := &f.threads[i]; t.load == l && t.state != ended {
			f.end(t)
		}
	}
}

// StopAll ends all threads at once and holds the phase open no more.
func (f *Fleet) StopAll() {
	for i := range f.threads {
		f.threads[i].state = ended
	}
	f.running = 0
}

// Done is the number of operations begun so far.
func (f *Fleet) Done() (n int64) {
	for i := range f.threads {
		n += f.threads[i].done
	}
	return n
}

// Moved is how many rows a client's threads inserted and deleted so far, as they count them.
func (f *Fleet) Moved(l *Load) (inserted, deleted int64) {
	for i := range f.threads {
		if t := &f.threads[i]; t.load == l {
			inserted, deleted = inserted+t.inserted, deleted+t.deleted
		}
	}
	return inserted, deleted
}

// Start is when a thread begins.
func (f *Fleet) Start(thread int) engine.Time { return f.threads[thread].at }

// Step lets a thread act at the clock's time and gives when it must be stepped again.
func (f *Fleet) Step(thread int, now engine.Time, ahead bool) engine.Time {
	return f.threads[thread].step(f, now, ahead)
}

// Handle takes back an event. If a thread can go on because of it, it is stepped: then changed is true, and next as from Step.
func (f *Fleet) Handle(e engine.Event, ahead bool) (thread int, next engine.Time, changed bool) {
	t, b := f.buffer(e.A)
	if t.state == ended { // it was stopped
		return 0, 0, false
	}
	if e.Kind == Retry {
		b.waiting--
		f.batch(e.At, t, b, e.A, e.B, e.C)
		f.settle(b, e.A)
		return 0, 0, false
	}
	b.busy = false
	t.flying--
	switch {
	case t.state == closing && t.flying == 0:
		f.end(t)
	case t.state == blocked:
		t.state = ready
		start := t.at
		t.at = e.At
		t.openBuffer()
		t.append(f, e.At, start)
		return int(t.number), t.step(f, e.At, ahead), true
	}
	return 0, 0, false
}

// buffer finds a buffer by its number: thread * MaxBuffers + index.
func (f *Fleet) buffer(number int32) (*Thread, *buffer) {
	t := &f.threads[number/MaxBuffers]
	return t, &t.buffers[number%MaxBuffers]
}

// send puts the thread's open buffer in flight: one batch a tablet.
func (f *Fleet) send(now engine.Time, t *Thread) {
	b := t.open
	t.open = nil
	t.flying++
	b.busy = true
	if len(b.changes) > 0 {
		b.groupChanges(t.load.Deletes)
	}
	number := t.number * MaxBuffers
	for i := range t.buffers {
		if &t.buffers[i] == b {
			number += int32(i)
		}
	}
	f.storage.Worked(now, now, t.load.First, b.ops)
	for tablet := int32(0); tablet < t.load.Tablets; tablet++ {
		if from, to, _, _ := b.of(tablet); b.inserts[tablet] > 0 || to > from {
			f.batch(now, t, b, number, tablet, 0)
		}
	}
	f.settle(b, number)
}

// batch sends one tablet's share of a buffer; a rejected one is sent again after a while.
func (f *Fleet) batch(now engine.Time, t *Thread, b *buffer, number, tablet, attempt int32) {
	l := t.load
	var lo, hi float64
	if b.lo != nil {
		lo, hi = b.lo[tablet], b.hi[tablet]
	}
	from, to, upserts, deletes := b.of(tablet)
	if l.Deletes {
		b.miss(from, to-upserts-deletes, l.Rows)
	}
	answer, ok := f.storage.Write(now, l.First+tablet, b.inserts[tablet], t.run, lo, hi, b.places[from:to], b.picks[from:to], upserts, deletes)
	if !ok {
		b.waiting++
		f.events.Push(engine.Event{At: answer + t.backoff(int(attempt+1)), Kind: Retry, A: number, B: tablet, C: attempt + 1})
		return
	}
	b.answer = max(b.answer, answer)
	l.Rows.Inserted += int64(b.inserts[tablet])
	for i := to - deletes; i < to; i++ {
		if b.picks[i] != missing {
			l.Rows.Deleted++
		}
	}
}

// miss marks the updates of rows that are gone, or not there yet, when the batch is sent.
func (b *buffer) miss(from, to int32, rows *Rows) {
	for i := from; i < to; i++ {
		if k := b.keys[i]; k < rows.Deleted || k >= rows.Inserted {
			b.picks[i] = missing
		}
	}
}

// settle announces when a buffer's last answer is there, once every batch was taken.
func (f *Fleet) settle(b *buffer, number int32) {
	if b.waiting == 0 {
		f.events.Push(engine.Event{At: b.answer, Kind: Answered, A: number})
	}
}

func (f *Fleet) end(t *Thread) {
	t.state = ended
	f.running--
}
