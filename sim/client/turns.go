package client

// Rows says which rows of a table its servers hold: those with numbers from Deleted on and below Inserted. Rows come and go in the order of their numbers, but
// for the few by which threads are ahead of each other.
type Rows struct{ Deleted, Inserted int64 }

// Turns deals keys by their numbers to the threads of one client or several: thread i of the client takes the keys First + Place + i, and so on in steps of Of.
type Turns struct {
	First int64 // number of the first key dealt
	Place int64 // of the client's first thread among those that take turns
	Of    int64 // threads that take turns; 0 = the client's
}

// key is the n-th key, from 0, of a thread of the client.
func (x *Turns) key(thread, n int64) int64 { return x.First + x.Place + thread + n*x.Of }

// Share makes loads the clients of one table, which holds rows, and deals them their keys. A client that inserts a certain number of rows and does nothing else has
// that many keys of its own, behind those of the clients before it: YCSB's insertstart and insertcount. The threads of all others that insert take turns
// over the keys that follow, and those that delete over the oldest keys.
func Share(loads []*Load, rows *Rows) {
	next := rows.Inserted
	for _, l := range loads {
		l.Rows = rows
		l.Insert, l.Delete = Turns{First: next, Of: l.Threads}, Turns{First: rows.Deleted, Of: l.Threads}
		if l.loads() {
			next += l.Operations
		}
	}
	takeTurns(loads, next, func(l *Load) (*Turns, bool) { return &l.Insert, l.inserts() && !l.loads() })
	takeTurns(loads, rows.Deleted, func(l *Load) (*Turns, bool) { return &l.Delete, l.deletes() })
	for _, l := range loads {
		l.Deletes = rows.Deleted > 0
		for _, other := range loads {
			l.Deletes = l.Deletes || other.deletes()
			if other != l {
				l.FollowInserts = l.FollowInserts || other.inserts()
				l.FollowDeletes = l.FollowDeletes || other.deletes()
			}
		}
		if !l.inserts() {
			l.Insert.First = rows.Inserted
		}
	}
}

// takeTurns deals keys from first on to the threads of those loads for which turns is true.
func takeTurns(loads []*Load, first int64, turns func(*Load) (*Turns, bool)) {
	threads := int64(0)
	for _, l := range loads {
		if x, ok := turns(l); ok {
			*x = Turns{First: first, Place: threads}
			threads += l.Threads
		}
	}
	for _, l := range loads {
		if x, ok := turns(l); ok {
			x.Of = threads
		}
	}
}

// loads says whether the client inserts a certain number of rows and does nothing else.
func (l *Load) loads() bool { return l.OnlyInserts && l.Operations < Endless }

func (l *Load) inserts() bool {
	return l.OnlyInserts || l.Mix.Insert > 0 || l.Mix.Upsert > 0 && l.NewKeys > 0
}

func (l *Load) deletes() bool { return !l.OnlyInserts && l.Mix.Delete > 0 }
