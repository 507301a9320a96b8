package engine

import "math/bits"

// Tree keeps the next time of each of a fixed set of actors and gives the earliest: a winner tree of packed keys,
// time<<bits | actor, so that one unsigned comparison orders both and equal times go to the lower actor. The way
// from a leaf to the root takes minima without a branch, which makes its cost independent of the times.
type Tree struct {
	keys   []uint64 // keys[1] is the earliest, leaf of actor a is keys[leaves+a]
	leaves uint
	bits   uint
	beyond Time // the first time that no longer fits beside an actor
}

const idle = ^uint64(0)

// NewTree makes a tree of n actors, n at least 1, all idle.
func NewTree(n int) *Tree {
	width := uint(bits.Len(uint(n - 1)))
	t := &Tree{keys: make([]uint64, 2<<width), leaves: 1 << width, bits: width, beyond: Never}
	if width > 1 {
		t.beyond = 1 << (64 - width)
	}
	for i := range t.keys {
		t.keys[i] = idle
	}
	return t
}

// Set gives the actor (0 to n-1) its next time, replacing the one it had. Never makes it idle, and so does any time
// of 2^64 / n ns or later (n rounded up to a power of 2; 6 days for 2^15 actors).
func (t *Tree) Set(actor int, at Time) {
	key := uint64(at)<<(t.bits&63) | uint64(actor)
	if at >= t.beyond {
		key = idle
	}
	keys, i := t.keys, t.leaves+uint(actor)
	keys[i] = key
	for i > 1 {
		key = min(key, keys[i^1])
		i >>= 1
		keys[i] = key
	}
}

// Min is the earliest time and its actor, the lower one of equals; (Never, -1) when all are idle.
func (t *Tree) Min() (at Time, actor int) {
	key := t.keys[1]
	if key == idle {
		return Never, -1
	}
	return Time(key >> (t.bits & 63)), int(key & uint64(t.leaves-1))
}
