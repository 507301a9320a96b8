package workloads

import (
	"testing"

	"pgregory.net/rapid"
)

func TestAppendedNames(t *testing.T) {
	dealt := NewAppended(1, 200)
	dealt.Deal(10, 10, 3, 40) // keys from 10 on: thread 0 names 10 to 49, thread 1 50 to 89, thread 2 90 to 129
	dealt.Deal(70, 130, 2, 35)
	for _, tt := range []struct {
		keys  *Keys
		k     int64
		want  string
		place float64
	}{
		{NewAppended(1, 10), 5, "user5", .5},
		{NewAppended(1, 11), 5, "user05", 5. / 11},
		{NewAppended(8, 100), 5, "user00000005", .05}, // YCSB's zeropadding
		{NewAppended(1, 100), 150, "user99", .99},     // no more room
		{dealt, 9, "user009", 9. / 200},
		{dealt, 10, "user010", 10. / 200},
		{dealt, 11, "user050", 50. / 200},
		{dealt, 14, "user051", 51. / 200},
		{dealt, 69, "user109", 109. / 200}, // the 20th of thread 2
		{dealt, 70, "user130", 130. / 200},
		{dealt, 71, "user165", 165. / 200},
		{dealt, 199, "user199", 199. / 200}, // thread 1 of 2 has used up its range
	} {
		if got, place := tt.keys.Name(tt.k), tt.keys.Position(tt.k); got != tt.want || place != tt.place {
			t.Errorf("key %d is %s at %v, want %s at %v", tt.k, got, place, tt.want, tt.place)
		}
	}
	for _, name := range []string{"user5", "user0005", "user200", "user-05", "user+05", "user00x", "other010", "user"} {
		if place, ok := dealt.Place(name); ok {
			t.Errorf("%q has a place, %v", name, place)
		}
	}
}

// Names sort as numbers do, a name's place is that of its number, and the key at a place is the one there.
func TestAppendedInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		room := rapid.Int64Range(1, 1e12).Draw(t, "room")
		keys := NewAppended(rapid.IntRange(1, 15).Draw(t, "digits"), room)
		a, b := rapid.Int64Range(0, room-1).Draw(t, "a"), rapid.Int64Range(0, room-1).Draw(t, "b")
		if (a < b) != (keys.Name(a) < keys.Name(b)) || (a < b) != (keys.Position(a) < keys.Position(b)) {
			t.Errorf("%d and %d: names %q and %q, places %v and %v", a, b, keys.Name(a), keys.Name(b), keys.Position(a), keys.Position(b))
		}
		place, ok := keys.Place(keys.Name(a))
		if !ok || place != keys.Position(a) || keys.At(place) != keys.Name(a) {
			t.Errorf("%q is at %v (%v), and there is %q", keys.Name(a), place, ok, keys.At(place))
		}
	})
}
