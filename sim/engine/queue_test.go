package engine

import (
	"math"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

func TestTreeTiesAndIdle(t *testing.T) {
	tr := NewTree(3)
	check := func(wantAt Time, wantActor int) {
		t.Helper()
		if at, actor := tr.Min(); at != wantAt || actor != wantActor {
			t.Errorf("min = %d of %d, want %d of %d", at, actor, wantAt, wantActor)
		}
	}
	check(Never, -1)
	tr.Set(2, 7)
	check(7, 2)
	tr.Set(1, 7)
	check(7, 1)
	tr.Set(0, 0)
	check(0, 0)
	tr.Set(0, Never)
	tr.Set(1, 1<<62) // no longer fits beside 2 bits of actor
	check(7, 2)
	tr.Set(2, Never)
	check(Never, -1)
	tr.Set(2, 1<<62-1)
	check(1<<62-1, 2)
}

func TestTreeOfOne(t *testing.T) {
	tr := NewTree(1)
	tr.Set(0, math.MaxInt64-1)
	if at, actor := tr.Min(); at != math.MaxInt64-1 || actor != 0 {
		t.Errorf("min = %d of %d", at, actor)
	}
	tr.Set(0, Never)
	if at, actor := tr.Min(); at != Never || actor != -1 {
		t.Errorf("min = %d of %d", at, actor)
	}
}

func TestTreeAgainstScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		tr, times := NewTree(n), make([]Time, n)
		for i := range times {
			times[i] = Never
		}
		time := rapid.OneOf(rapid.Int64Range(0, 5), rapid.Int64Range(0, 1<<57), rapid.Just(Never))
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			a := rapid.IntRange(0, n-1).Draw(t, "actor")
			times[a] = time.Draw(t, "at")
			tr.Set(a, times[a])
			wantAt, want := Never, -1
			for i, at := range times {
				if at < wantAt {
					wantAt, want = at, i
				}
			}
			if at, actor := tr.Min(); at != wantAt || actor != want {
				t.Fatalf("min = %d of %d, want %d of %d", at, actor, wantAt, want)
			}
		}
	})
}

func TestHeapAgainstSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Heap
		var waiting []Event // in push order
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "do") > 0 {
				e := Event{At: rapid.Int64Range(0, 9).Draw(t, "at"), A: int32(i)}
				h.Push(e)
				waiting = append(waiting, e)
				sort.SliceStable(waiting, func(a, b int) bool { return waiting[a].At < waiting[b].At })
			} else if len(waiting) > 0 {
				if got := h.Pop(); got != waiting[0] {
					t.Fatalf("popped %v, want %v", got, waiting[0])
				}
				waiting = waiting[1:]
			}
			want := Never
			if len(waiting) > 0 {
				want = waiting[0].At
			}
			if h.Len() != len(waiting) || h.MinAt() != want {
				t.Fatalf("len %d, min %d, want %d, %d", h.Len(), h.MinAt(), len(waiting), want)
			}
		}
	})
}

func TestHeapEmpty(t *testing.T) {
	var h Heap
	if e := h.Pop(); e.At != Never {
		t.Errorf("popped %v from an empty heap", e)
	}
}
